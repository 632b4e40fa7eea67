"""Step summaries, annotations and code quality: what build servers read."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pytest_retrieval.reporting.annotations import annotation_lines
from pytest_retrieval.reporting.code_quality import write_code_quality
from pytest_retrieval.reporting.result import GateRow, QueryResult, RunResult, SetResult
from pytest_retrieval.reporting.status import run_status
from pytest_retrieval.reporting.step_summary import LIMIT, append_summary

INJECTED = "100% done\n::error file=x,line=1::injected\r\n::stop-commands::t ##[add-mask]x"
SetFactory = Callable[..., SetResult]
GateFactory = Callable[..., GateRow]
QueryFactory = Callable[..., QueryResult]


def run_of(*sets: SetResult, **more: Any) -> RunResult:
    return RunResult(sets, run_status(sets), complete=True, **more)


@pytest.fixture
def red(make_set: SetFactory, make_gate: GateFactory, make_query: QueryFactory) -> SetResult:
    """Two red kinds, a failed query, a broken contract, and a query that fell; lines 10 to 13."""
    queries = (
        make_query("fell", line=10, scores={"recall@5": 0.0}),
        make_query("broken", line=11, must_failed=("mrr is 0",)),
        make_query("failed", line=12, outcome="error", error=INJECTED, scores=None),
        make_query("other", line=13, kind="phrase", text=INJECTED, scores={"recall@5": 0.0}),
    )
    gates = (
        make_gate("regression", {"kind": "identifier"}),
        make_gate("regression", {"kind": "phrase"}),
        make_gate("pass"),
    )
    return make_set(gated=True, gates=gates, queries=queries)


# -- annotations


def test_findings_stand_at_the_golden_files_lines(red: SetResult) -> None:
    lines = annotation_lines(run_of(red))
    places = [line.partition(",title=")[0] for line in lines]
    assert places == [
        "::error file=golden_docs.yaml,line=10",  # the kind's first query
        "::error file=golden_docs.yaml,line=13",
        "::error file=golden_docs.yaml,line=11",  # the broken contract
        "::error file=golden_docs.yaml,line=12",  # the failed query
        "::warning file=golden_docs.yaml,line=10",  # the worst queries of the red kinds
        "::warning file=golden_docs.yaml,line=13",
    ]
    assert "recall@5 fell 0.500 (0.900 -> 0.400)" in lines[0]
    assert "title=retrieval%3A identifier::" in lines[0]


def test_no_text_can_add_a_command(red: SetResult) -> None:
    for line in annotation_lines(run_of(red)):
        assert "\n" not in line
        assert "\r" not in line
        assert "##[" not in line
        assert line.startswith(("::error file=", "::warning file="))
        assert "100% " not in line  # a percent sign is written as %25
    assert any("100%25 done" in line for line in annotation_lines(run_of(red)))


def test_there_are_ten_at_most_and_queries_among_them(
    make_set: SetFactory, make_gate: GateFactory, make_query: QueryFactory
) -> None:
    gates = tuple(make_gate("regression", {"kind": f"k{n}"}) for n in range(12))
    queries = tuple(make_query(f"q{n}", kind=f"k{n}", scores={"recall@5": 0.0}) for n in range(12))
    lines = annotation_lines(run_of(make_set(gated=True, gates=gates, queries=queries)))
    assert len(lines) == 10
    assert sum(line.startswith("::warning") for line in lines) == 4


def test_a_root_within_the_checkout_is_part_of_the_path(red: SetResult) -> None:
    lines = annotation_lines(run_of(red, folder="packages/search, new"))
    assert lines[0].startswith("::error file=packages/search%2C new/golden_docs.yaml,line=10,")


def test_failures_that_were_let_pass_are_warnings(make_set: SetFactory, make_query: QueryFactory) -> None:
    failed = make_query("failed", outcome="error", error="TimeoutError: slow", scores=None)
    queries = (failed, make_query("fine"))
    (line,) = annotation_lines(run_of(make_set(queries=queries, max_errors=1)))
    assert line.startswith("::warning ")


def test_a_green_run_has_none(make_set: SetFactory, make_gate: GateFactory) -> None:
    assert annotation_lines(run_of(make_set(gated=True, gates=(make_gate("pass"),)))) == []


# -- the step summary


def test_it_is_appended_to_what_others_wrote(red: SetResult, tmp_path: Path) -> None:
    place = tmp_path / "summary.md"
    place.write_text("from another tool", "utf-8")
    append_summary(place, run_of(red))
    assert place.read_text("utf-8").startswith("from another tool\n<!-- pytest-retrieval -->\n## ")


def many(make_set: SetFactory, make_gate: GateFactory, make_query: QueryFactory) -> SetResult:
    queries = tuple(make_query(f"q{n:04}", text="é语" * 300, scores={"recall@5": 0.0}) for n in range(6_000))
    gates = tuple(make_gate("regression", {"kind": f"{n:04}" + "é" * 100}) for n in range(4_000))
    return make_set(gated=True, gates=gates, queries=queries)


@pytest.mark.parametrize("taken", [0, 900_000, LIMIT - 1_000, LIMIT - 10, LIMIT, LIMIT + 10])
def test_a_mebibyte_is_never_passed_and_no_character_is_cut(
    make_set: SetFactory, make_gate: GateFactory, make_query: QueryFactory, tmp_path: Path, taken: int
) -> None:
    place = tmp_path / "summary.md"
    place.write_bytes(b"x" * taken)
    append_summary(place, run_of(many(make_set, make_gate, make_query)))
    written = place.read_bytes()
    assert len(written) <= max(LIMIT, taken)
    text = written.decode("utf-8")  # strict
    if 0 < taken <= 900_000:
        assert len(written) > LIMIT - 3_000
        assert "there is no room" in text
    if taken >= LIMIT - 10:
        assert len(written) == taken


# -- GitLab's code quality


def test_code_quality_holds_what_gitlab_reads(red: SetResult, tmp_path: Path) -> None:
    place = tmp_path / "gl.codequality.json"
    write_code_quality(place, run_of(red, folder="search"))
    entries = json.loads(place.read_text("utf-8"))
    assert len(entries) == 6
    for entry in entries:
        assert set(entry) == {"description", "check_name", "fingerprint", "severity", "location"}
        assert entry["severity"] in ("info", "minor", "major", "critical", "blocker")
        assert entry["location"]["path"] == "search/golden_docs.yaml"
        assert entry["location"]["lines"]["begin"] >= 1
        assert "\n" not in entry["description"]
    assert len({entry["fingerprint"] for entry in entries}) == 6
    assert [entry["severity"] for entry in entries] == ["major"] * 4 + ["minor"] * 2


def test_the_same_finding_keeps_its_fingerprint(
    make_set: SetFactory, make_gate: GateFactory, tmp_path: Path
) -> None:
    prints = []
    for after in (0.4, 0.3):
        write_code_quality(
            tmp_path / "x.codequality.json",
            run_of(make_set(gated=True, gates=(make_gate("regression", after=after),))),
        )
        prints.append(
            [one["fingerprint"] for one in json.loads((tmp_path / "x.codequality.json").read_text())]
        )
    assert prints[0] == prints[1]


def test_nothing_wrong_is_an_empty_list(make_set: SetFactory, tmp_path: Path) -> None:
    write_code_quality(tmp_path / "x.codequality.json", run_of(make_set()))
    assert json.loads((tmp_path / "x.codequality.json").read_text("utf-8")) == []
