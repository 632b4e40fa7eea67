"""The lines between the dots of a long run."""

from __future__ import annotations

from typing import Any

import pytest
from _pytest.terminal import TerminalReporter
from inner_project import Project, queries

from pytest_retrieval.pytest_side import progress

usual = TerminalReporter.__init__


def attach(monkeypatch: pytest.MonkeyPatch, attached: bool) -> None:
    """Let the reporters to come think that their output is a terminal, or is none."""

    def initialise(reporter: TerminalReporter, *args: Any) -> None:
        usual(reporter, *args)
        reporter.isatty = type(reporter.isatty)(attached)

    monkeypatch.setattr(TerminalReporter, "__init__", initialise)


@pytest.fixture
def slow(project: Project, monkeypatch: pytest.MonkeyPatch) -> Project:
    """A run that takes ten seconds a query by its own clock, in a terminal."""
    seconds = iter(range(0, 1_000, 10))
    monkeypatch.setattr(progress.Progress.__init__, "__defaults__", (lambda: float(next(seconds)),))
    attach(monkeypatch, True)
    project.golden(queries(4))
    return project


def told(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if "queries per second" in line or "per query" in line]


def test_a_terminal_is_told_how_fast_it_goes_and_how_long_it_takes(slow: Project) -> None:
    assert told(slow.run().text) == [
        "2 of 4 queries, 10.0 seconds per query, about 20 s left",
    ]


def test_every_repeat_counts(slow: Project) -> None:
    assert told(slow.run("--retrieval-repeats=2").text)[0].startswith("2 of 8 queries, ")


@pytest.mark.parametrize("name", ["CI", "BUILD_NUMBER"])
def test_a_build_server_gets_plain_output(slow: Project, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv(name, "1")
    assert told(slow.run().text) == []


def test_a_quiet_run_and_one_without_a_terminal_are_told_nothing(
    slow: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert told(slow.run("-q").text) == []
    attach(monkeypatch, False)
    assert told(slow.run().text) == []
