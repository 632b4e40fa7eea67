"""A golden set of questions without an answer: contracts are held, nothing is scored or compared."""

from __future__ import annotations

import pytest
from inner_project import Project, queries

ROWS = [
    {"id": "n1", "kind": "secret", "text": "one", "relevant": [], "answerable": False, "forbidden": ["S1"]},
    {
        "id": "n2",
        "kind": "secret",
        "text": "two",
        "relevant": [],
        "answerable": False,
        "must": {"empty": True},
    },
]
ALONE = "no query has an answer, so there is nothing to score or to compare"


@pytest.fixture
def alone(project: Project) -> Project:
    project.golden(ROWS)
    return project


@pytest.mark.parametrize("flags", [[], ["--retrieval-baseline"], ["--retrieval-repeats=2"]])
def test_kept_contracts_are_green(alone: Project, flags: list[str]) -> None:
    run = alone.run(*flags)
    assert (run.exit, run.status) == (0, "measured")
    assert f"note: {ALONE}" in run.text
    assert (run.set()["gates"], run.set()["metrics"], run.set()["gated"]) == ([], [], False)
    assert run.set()["unanswerable"]["n"] == 2


@pytest.mark.parametrize("flags", [[], ["--retrieval-baseline"]])
def test_a_broken_one_is_red(alone: Project, flags: list[str]) -> None:
    alone.answer("one", ["S1"])
    run = alone.run(*flags)
    assert (run.exit, run.status) == (1, "failed")
    assert "forbidden S1 was returned at rank 1" in run.text


def test_an_update_writes_no_baseline_for_it_and_those_of_others(alone: Project) -> None:
    alone.golden(queries(3), "golden_b.yaml")
    run = alone.run("--update-baseline")
    assert run.exit == 0
    assert f"golden.yaml: no baseline was written: {ALONE}" in run.text
    assert list(alone.baselines()) == ["golden_b.json"]
    assert alone.run("--retrieval-baseline").exit == 0


def test_what_an_ini_file_wants_scored_is_for_other_sets(alone: Project) -> None:
    alone.ini("retrieval_metrics = mrr", "retrieval_gate = recall@3")
    assert alone.run("--retrieval-baseline").exit == 0


@pytest.mark.parametrize(
    "header", [{"metrics": ["mrr"]}, {"gate": {"metrics": ["mrr"]}}, {"gate": {"floors": {"mrr": 1}}}]
)
def test_what_its_own_header_wants_scored_cannot_be(project: Project, header: dict[str, object]) -> None:
    project.golden(ROWS, **header)
    run = project.run()
    assert run.exit == 2
    assert "mrr scores answers, and no query has one (answerable: false): leave metrics" in run.text


@pytest.mark.parametrize("flag", ["--retrieval-baseline", "--update-baseline"])
def test_a_gate_does_not_vanish_with_the_last_answer(project: Project, flag: str) -> None:
    project.golden(queries(12))
    project.run("--update-baseline")
    before = project.baselines()
    project.golden([{**row, "relevant": [], "answerable": False} for row in queries(12)])
    run = project.run(flag)
    assert run.exit == 4
    assert "golden.yaml: no query has an answer any more (answerable: false)" in run.text
    assert "git rm baselines/golden.json" in run.text
    assert project.baselines() == before
