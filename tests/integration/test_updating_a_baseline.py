from __future__ import annotations

import json
from typing import Any

import pytest
from inner_project import Project, queries, query


@pytest.fixture
def accepted(project: Project) -> Project:
    """Three words and their baseline."""
    project.golden(queries(3))
    assert project.run("--update-baseline").exit == 0
    return project


def rows(project: Project, name: str = "golden.json") -> dict[str, Any]:
    return dict(json.loads(project.baselines()[name])["queries"])


def test_the_first_update_writes_the_rankings(project: Project) -> None:
    project.golden([query("q2"), query("q1", relevant=["D1", "D2"])], describe={"model": "small"})
    project.answer("text of q1", ["D2", "D9", "D1"])
    run = project.run("--update-baseline")
    assert (run.exit, run.status) == (0, "measured")
    assert list(project.baselines()) == ["golden.json"]
    assert {name: row["ranked"] for name, row in rows(project).items()} == {
        "q1": ["D2", "D9", "D1"],
        "q2": ["D1"],
    }
    data = json.loads(project.baselines()["golden.json"])
    assert data["format"] == "pytest-retrieval-baseline/1"
    assert (data["retriever"], data["depth"], data["describe"]) == ("retriever", 20, {"model": "small"})
    # recall@5 is 1 for both, the reciprocal rank too
    assert data["means"]["all"]["recall@5"] == data["means"]["word"]["mrr"] == 1


def test_the_file_is_one_line_a_query_and_holds_no_text(project: Project) -> None:
    project.golden([query("q1", text="a very private question")])
    project.run("--update-baseline")
    content = project.baselines()["golden.json"]
    assert b"private" not in content
    assert b"\r" not in content
    assert content.endswith(b"}\n")
    assert sum(line.startswith(b'"q1": {') for line in content.splitlines()) == 1


def test_the_same_run_writes_the_same_bytes(accepted: Project) -> None:
    before = accepted.baselines()
    accepted.golden(list(reversed(queries(3))))
    assert accepted.run("--update-baseline").exit == 0
    assert accepted.baselines() == before


def test_old_and_new_means_are_shown_by_kind(project: Project) -> None:
    rows = [query("w1"), query("p1", "phrase")]
    project.golden(rows, metrics=["mrr"], gate={"metrics": ["mrr"]})
    run = project.run("--update-baseline")
    assert "golden.yaml: new baseline, means: baselines/golden.json" in run.text
    project.answer("text of w1", ["D9", "D1"])
    run = project.run("--update-baseline")
    table = [line.split() for line in run.text.partition("baseline means, old -> new")[2].splitlines()[1:5]]
    assert table == [
        ["mrr"],
        ["word", "1.000", "->", "0.500"],
        ["phrase", "1.000", "->", "1.000"],
        ["all", "1.000", "->", "0.750"],
    ]


def test_floors_are_offered_for_small_kinds(accepted: Project) -> None:
    run = accepted.run("--update-baseline")
    assert "      word: {floors: {recall@5: 1, ndcg@10: 1}}" in run.text


def test_an_update_compares_nothing_and_accepts_a_worse_run(accepted: Project) -> None:
    accepted.answer("text of w01", ["D9"])
    run = accepted.run("--update-baseline")
    assert run.exit == 0
    assert run.set()["gates"] == []
    assert rows(accepted)["w01"]["ranked"] == ["D9"]
    assert accepted.run("--retrieval-baseline").status == "pass"


def test_a_damaged_baseline_is_replaced_with_a_reason_alone(accepted: Project) -> None:
    before = accepted.baselines()["golden.json"]
    accepted.write("baselines/golden.json", "<<<<<<< ours\n")
    run = accepted.run("--update-baseline")
    assert run.exit == 4
    assert 'pytest --update-baseline golden.yaml --retrieval-update-anchor="reason"' in run.text
    assert (accepted.baselines(), accepted.asked) == ({"golden.json": b"<<<<<<< ours\n"}, [])
    assert accepted.run("--update-baseline", "--retrieval-update-anchor=lost in a merge").exit == 0
    assert accepted.baselines()["golden.json"] == before
    assert json.loads(accepted.baselines()["golden.anchor.json"])["reasons"] == ["lost in a merge"]


def test_an_anchor_guards_the_replacement_of_a_damaged_baseline(accepted: Project) -> None:
    before = accepted.baselines()["golden.json"]
    accepted.run("--update-baseline", "--retrieval-update-anchor=first")
    accepted.write("baselines/golden.json", "<<<<<<< ours\n")
    assert accepted.run("--update-baseline").exit == 0
    assert accepted.baselines()["golden.json"] == before


def test_no_temporary_file_stays_behind(accepted: Project) -> None:
    accepted.run("--update-baseline")
    assert list(accepted.baselines()) == ["golden.json"]


def test_a_broken_floor_does_not_stop_an_update_but_the_run_is_red(project: Project) -> None:
    project.golden(queries(3), gate={"floors": {"recall@5": 0.9}})
    project.answer("text of w01", ["D9"])
    run = project.run("--update-baseline")
    assert (run.exit, run.status) == (1, "regression")


# -- refusals: the old file stays, byte for byte


@pytest.mark.parametrize(
    "selection",
    [
        ["-k", "w02"],
        ["-k", "w01 or w02"],
        ["-m", "retrieval", "-k", "not w03"],
        ["--deselect", "golden.yaml::word::w01"],
        ["golden.yaml::word::w01"],
        ["--retrieval-kind=word", "-k", "w02"],
    ],
    ids=" ".join,
)
def test_an_update_of_a_selection_is_refused_before_anything_is_asked(
    accepted: Project, selection: list[str]
) -> None:
    before = accepted.baselines()
    run = accepted.run("--update-baseline", *selection)
    assert run.exit == 4
    assert "the baseline is one whole run" in run.text
    assert "of 3 queries are selected" in run.text
    assert "Run: pytest --update-baseline golden.yaml" in run.text
    assert accepted.events == []
    assert accepted.baselines() == before


@pytest.mark.parametrize("selection", [["-k", "nothing"], ["--deselect", "golden.yaml"]], ids=" ".join)
def test_an_update_of_nothing_is_no_success(accepted: Project, selection: list[str]) -> None:
    before = accepted.baselines()
    assert accepted.run("--update-baseline", *selection).exit in (1, 4, 5)
    assert accepted.events == []
    assert accepted.baselines() == before


def test_an_update_without_a_query_beside_other_tests_is_said_and_red(accepted: Project) -> None:
    before = accepted.baselines()
    accepted.write("test_it.py", "def test_it():\n    pass\n")
    run = accepted.run("--update-baseline", "test_it.py")
    assert run.exit == 1
    assert "no baseline was written: no query of a golden set was selected" in run.text
    assert accepted.baselines() == before


def test_an_update_that_only_collects_writes_nothing(accepted: Project) -> None:
    before = accepted.baselines()
    accepted.answer("text of w01", ["D9"])
    assert accepted.run("--update-baseline", "--collect-only").exit == 0
    assert accepted.baselines() == before


def test_an_update_is_refused_when_a_query_failed(accepted: Project) -> None:
    before = accepted.baselines()
    accepted.answer("text of w02", "the index is gone")
    run = accepted.run("--update-baseline")
    assert run.exit == 1
    reason = "1 of 3 queries failed, 'w02' first (TableError: the index is gone)"
    assert f"golden.yaml: baseline not updated: {reason}" in run.text
    assert "FAILED golden.yaml - baseline not updated" in run.text
    assert accepted.baselines() == before


def test_an_update_is_refused_when_a_contract_is_broken(project: Project) -> None:
    project.golden([query("q1", must={"mrr": 1}), query("q2")])
    assert project.run("--update-baseline").exit == 0
    before = project.baselines()
    project.answer("text of q1", ["D9", "D1"])
    run = project.run("--update-baseline")
    assert run.exit == 1
    assert "baseline not updated: 1 of 2 queries failed, 'q1' first (must: mrr is 0.5" in run.text
    assert project.baselines() == before


def test_an_update_is_refused_when_everything_is_empty(accepted: Project) -> None:
    before = accepted.baselines()
    accepted.answers(queries(3), w01=[], w02=[], w03=[])
    run = accepted.run("--update-baseline")
    assert run.exit == 1
    assert "baseline not updated: every query was answered with nothing" in run.text
    assert accepted.baselines() == before


def test_one_empty_answer_is_an_answer(accepted: Project) -> None:
    accepted.answers(queries(3), w01=[])
    assert accepted.run("--update-baseline").exit == 0
    assert rows(accepted)["w01"]["ranked"] == []


def test_a_run_that_stopped_early_writes_nothing(accepted: Project) -> None:
    before = accepted.baselines()
    accepted.answer("text of w01", "broken")
    for option in ("-x", "--maxfail=1"):
        assert accepted.run("--update-baseline", option).exit == 1
        assert accepted.baselines() == before


def test_a_first_update_that_is_refused_leaves_no_file(project: Project) -> None:
    project.golden(queries(3))
    project.answer("text of w02", "broken")
    assert project.run("--update-baseline").exit == 1
    assert project.baselines() == {}


def test_a_golden_set_that_cannot_be_read_writes_nothing(accepted: Project) -> None:
    before = accepted.baselines()
    accepted.write("golden_broken.yaml", "queries:\n  - {id: q1}\n")
    assert accepted.run("--update-baseline").exit == 2
    assert accepted.baselines() == before


def test_one_set_is_refused_and_the_other_one_written(accepted: Project) -> None:
    accepted.golden(queries(3, "phrase"), "golden_more.yaml")
    before = accepted.baselines()
    accepted.answer("text of w02", "broken")
    run = accepted.run("--update-baseline")
    assert run.exit == 1
    assert "golden.yaml: baseline not updated" in run.text
    assert "golden_more.yaml: new baseline" in run.text
    assert accepted.baselines()["golden.json"] == before["golden.json"]
    assert list(rows(accepted, "golden_more.json")) == ["p01", "p02", "p03"]


def test_a_failed_ordinary_test_does_not_stop_an_update(accepted: Project) -> None:
    accepted.write("test_it.py", "def test_it():\n    assert False\n")
    accepted.answer("text of w01", ["D9"])
    assert accepted.run("--update-baseline").exit == 1
    assert rows(accepted)["w01"]["ranked"] == ["D9"]


def test_deselecting_an_ordinary_test_does_not_stop_an_update(accepted: Project) -> None:
    accepted.write("test_it.py", "def test_it():\n    pass\n")
    assert accepted.run("--update-baseline", "-m", "retrieval").exit == 0
