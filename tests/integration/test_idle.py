"""A session without a golden set pays nothing and sees nothing."""

from __future__ import annotations

import pytest
from inner_project import Project, queries

MODULES = """
import pathlib
import sys


def pytest_unconfigure():
    names = sorted(name for name in sys.modules if name.startswith(("numpy", "yaml", "pytest_retrieval")))
    pathlib.Path(__file__).with_name("modules.txt").write_text(" ".join(names))
"""

ORDINARY = "def test_it():\n    pass\n"


@pytest.fixture
def alone(project: Project, monkeypatch: pytest.MonkeyPatch) -> Project:
    """Runs in a process of its own in which no other plugin may import anything."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.setenv("PYTEST_PLUGINS", "pytest_retrieval.plugin")
    project.write("conftest.py", MODULES)
    project.write("test_it.py", ORDINARY)
    return project


def imported(project: Project) -> set[str]:
    return set((project.path / "modules.txt").read_text("utf-8").split())


@pytest.mark.parametrize("option", ["-q", "--retrieval-baseline", "--collect-only"])
def test_without_a_golden_set_neither_numpy_nor_yaml_is_imported(alone: Project, option: str) -> None:
    alone.write("data.yaml", "a: 1\n")
    alone.write("golden.local.yaml", "a: 1\n")
    alone.run_apart(option, report=False)
    names = imported(alone)
    assert "pytest_retrieval.plugin" in names
    assert not {name for name in names if name.startswith(("numpy", "yaml"))}
    heavy = ("scoring", "gating", "reporting", "retrieval", "commands")
    assert not {
        name for name in names if name.startswith(tuple(f"pytest_retrieval.{room}" for room in heavy))
    }


def test_with_a_golden_set_they_are(alone: Project) -> None:
    alone.golden(queries(1), retriever="table_retriever:search")
    alone.run_apart(report=False)
    assert {"numpy", "yaml"} <= imported(alone)


def test_ordinary_tests_see_nothing_of_the_plugin(project: Project) -> None:
    project.write("test_it.py", ORDINARY)
    run = project.run("-v", report=False)
    assert run.exit == 0
    body = run.text.partition("collected")[2]
    assert "retrieval" not in body
    assert "golden" not in body
    assert "warning" not in body


def test_ordinary_tests_see_nothing_of_golden_sets_that_were_not_selected(project: Project) -> None:
    project.write("test_it.py", ORDINARY)
    project.golden(queries(1))
    run = project.run("test_it.py", report=False)
    assert run.exit == 0
    assert "retrieval" not in run.text.partition("collected")[2]


def test_nothing_is_written_without_being_asked_for(project: Project) -> None:
    project.golden(queries(1))
    project.run(report=False)
    names = {path.name for path in project.path.iterdir()}
    assert names - {"__pycache__"} == {
        *("pytest.ini", "conftest.py", "table_retriever.py", "table.json", "golden.yaml", "events.txt")
    }


def test_the_options_are_in_one_group_of_the_help(project: Project) -> None:
    text = project.run("--help", report=False).text
    assert "search quality (pytest-retrieval):" in text
    for name in ("baseline", "margin", "report", "kind"):
        assert f"--retrieval-{name}" in text
