"""Accidental selections: complete kinds are judged, the rest is said to be left out."""

from __future__ import annotations

import pytest
from inner_project import Project, queries, query

WORDS, PHRASES = queries(12, "word"), queries(12, "phrase")


@pytest.fixture
def accepted(project: Project) -> Project:
    project.golden([*WORDS, *PHRASES])
    assert project.run("--update-baseline").exit == 0
    return project


def reported(text: str) -> set[str]:
    """The gates that were reported as tests, by node id."""
    nodes = {
        line.split()[1] for line in text.splitlines() if line.startswith(("PASSED ", "FAILED ", "SKIPPED "))
    }
    return {node for node in nodes if node.count("::") < 2}


@pytest.mark.parametrize(
    "selection", [["-k", "word"], ["golden.yaml::word"], ["--deselect", "golden.yaml::phrase"]]
)
def test_a_complete_kind_is_judged_and_may_be_green(accepted: Project, selection: list[str]) -> None:
    run = accepted.run("--retrieval-baseline", "-rA", *selection)
    assert (run.exit, run.status) == (0, "incomplete")
    assert run.report["complete"] is False
    assert reported(run.text) == {"golden.yaml::word"}
    assert run.gate(kind="word")["verdict"] == "unchanged"


def test_what_was_left_out_is_said(accepted: Project) -> None:
    run = accepted.run("--retrieval-baseline", "golden.yaml::word")
    assert "12 of 24 queries scored, 0 errors, 12 not run" in run.text
    assert run.gate(kind="phrase")["verdict"] == "not evaluated"
    assert run.gate(kind="phrase")["reason"].startswith("12 of 12 queries were not run")
    assert run.gate()["verdict"] == "not evaluated"


def test_a_complete_kind_that_fell_is_red(accepted: Project) -> None:
    accepted.fall(WORDS)
    run = accepted.run("--retrieval-baseline", "-rA", "-k", "word")
    assert (run.exit, run.status) == (1, "regression")
    assert reported(run.text) == {"golden.yaml::word"}
    assert "FAILED golden.yaml::word - recall@5 fell 1.000" in run.text


def test_the_file_is_not_judged(accepted: Project) -> None:
    accepted.fall(PHRASES)
    run = accepted.run("--retrieval-baseline", "-rA", "-k", "word or p01")
    assert run.exit == 0
    assert reported(run.text) == {"golden.yaml::word"}


@pytest.mark.parametrize("selection", [["-k", "w01"], ["golden.yaml::word::w01"], ["-k", "w01 or p01"]])
def test_nothing_judged_is_red(accepted: Project, selection: list[str]) -> None:
    run = accepted.run("--retrieval-baseline", *selection)
    assert (run.exit, run.status) == (1, "incomplete")
    assert "FAILED golden.yaml - not evaluated: " in run.text
    assert "queries were not selected, and no complete kind could be judged" in run.text


def test_a_complete_kind_that_is_too_small_to_judge_is_not_enough(project: Project) -> None:
    project.golden([*WORDS, *queries(3, "phrase")])
    project.run("--update-baseline")
    run = project.run("--retrieval-baseline", "-k", "phrase")
    assert (run.exit, run.status) == (1, "incomplete")
    assert "no complete kind could be judged" in run.text


@pytest.mark.parametrize("selection", [["-k", "test_it"], ["test_it.py"], ["-m", "not retrieval"]])
def test_no_query_selected_at_all_is_said_and_red(accepted: Project, selection: list[str]) -> None:
    accepted.write("test_it.py", "def test_it():\n    pass\n")
    run = accepted.run("--retrieval-baseline", *selection)
    assert (run.exit, run.status) == (1, "incomplete")
    assert "1 passed" in run.text
    assert (
        "not evaluated: --retrieval-baseline was given, and no query of a golden set was selected" in run.text
    )


def test_an_ini_file_that_always_compares_asks_nothing_of_a_run_without_queries(accepted: Project) -> None:
    accepted.ini("retrieval_baseline = true")
    accepted.write("test_it.py", "def test_it():\n    pass\n")
    run = accepted.run("test_it.py")
    assert run.exit == 0
    assert "not evaluated" not in run.text


def test_without_a_gate_a_selection_is_only_measured(accepted: Project) -> None:
    run = accepted.run("-k", "w01")
    assert (run.exit, run.status) == (0, "incomplete")


def test_floors_of_complete_kinds_hold_in_a_selection(project: Project) -> None:
    floors = {"word": {"floors": {"recall@5": 0.5}}, "phrase": {"floors": {"recall@5": 0.5}}}
    project.golden([*WORDS, *PHRASES], gate={"kinds": floors, "floors": {"recall@5": 0.9}})
    project.fall(WORDS)
    run = project.run("-k", "word")
    assert (run.exit, run.status) == (1, "regression")
    assert "FAILED golden.yaml::word - recall@5 0.000, floor 0.5, n 12: below floor" in run.text
    run = project.run("-k", "phrase")
    assert (run.exit, run.status) == (0, "incomplete")


def test_a_partial_run_leaves_the_failures_of_other_kinds_in_memory(accepted: Project) -> None:
    accepted.fall(WORDS)
    assert accepted.run("--retrieval-baseline", cache=True).exit == 1
    assert accepted.run("--retrieval-baseline", "golden.yaml::phrase", cache=True).exit == 0
    accepted.run("--lf", "--retrieval-baseline", cache=True)
    assert "text of w01" in accepted.asked


def test_one_complete_set_beside_a_partial_one(project: Project) -> None:
    project.golden(WORDS)
    project.golden(PHRASES, "golden_more.yaml")
    project.run("--update-baseline")
    run = project.run("--retrieval-baseline", "golden.yaml", "golden_more.yaml::phrase::p01")
    assert (run.exit, run.status) == (1, "incomplete")
    assert run.gate()["verdict"] == "unchanged"
    assert "FAILED golden_more.yaml - not evaluated" in run.text


def test_a_golden_set_that_was_not_selected_at_all_is_no_part_of_the_run(project: Project) -> None:
    project.golden(WORDS)
    project.golden(PHRASES, "golden_more.yaml")
    project.run("--update-baseline")
    run = project.run("--retrieval-baseline", "golden.yaml")
    assert (run.exit, run.status) == (0, "pass")
    assert [one["golden"] for one in run.report["sets"]] == ["golden.yaml"]


def test_a_query_added_since_does_not_make_a_run_partial(accepted: Project) -> None:
    accepted.golden([*WORDS, *PHRASES, query("x1", "word")])
    run = accepted.run("--retrieval-baseline")
    assert (run.exit, run.status, run.report["complete"]) == (0, "pass", True)


@pytest.fixture
def two_sets(accepted: Project) -> Project:
    accepted.golden(queries(12, "sentence"), "golden_b.yaml")
    assert accepted.run("--update-baseline", "golden_b.yaml").exit == 0
    return accepted


@pytest.mark.parametrize("apart", [False, True])
@pytest.mark.parametrize("selection", [["-k", "word or phrase"], ["--deselect", "golden_b.yaml"]])
def test_a_golden_set_that_is_left_out_whole_is_said(
    two_sets: Project, selection: list[str], apart: bool
) -> None:
    start = two_sets.run_apart if apart else two_sets.run
    run = start("--retrieval-baseline", *selection, *(["-n", "2"] if apart else []))
    assert (run.exit, run.status) == (0, "incomplete")
    assert (run.report["complete"], run.report["left_out"]) == (False, ["golden_b.yaml"])
    assert (
        "golden_b.yaml: not asked and not judged, the selection left out all of it; "
        "run: pytest golden_b.yaml --retrieval-baseline" in run.text
    )


def test_a_golden_set_that_did_not_fail_last_time_is_said(two_sets: Project) -> None:
    two_sets.fall(WORDS)
    assert two_sets.run("--retrieval-baseline", cache=True).exit == 1
    two_sets.answers(WORDS)
    run = two_sets.run("--retrieval-baseline", "--lf", cache=True)
    assert (run.exit, run.status) == (0, "incomplete")
    assert run.report["left_out"] == ["golden_b.yaml"]
    assert "golden_b.yaml: not asked and not judged" in run.text


def test_a_golden_set_outside_the_declared_population_is_not_left_out(two_sets: Project) -> None:
    run = two_sets.run("--retrieval-baseline", "--retrieval-kind=word")
    assert (run.exit, run.status, run.report["left_out"]) == (0, "pass", [])
    assert "left out" not in run.text


def test_an_update_says_whose_baseline_it_did_not_write(two_sets: Project) -> None:
    before = two_sets.baselines()["golden_b.json"]
    run = two_sets.run("--update-baseline", "-k", "word or phrase")
    assert (run.exit, run.report["left_out"]) == (0, ["golden_b.yaml"])
    assert "golden_b.yaml: not asked and not judged" in run.text
    assert two_sets.baselines()["golden_b.json"] == before


@pytest.mark.parametrize("selection", [["-k", "two"], ["golden.yaml::two"], ["-k", "two", "-n", "2"]])
def test_a_retriever_that_is_left_out_whole_is_said(project: Project, selection: list[str]) -> None:
    project.list_retrievers("one", "two")
    project.golden(WORDS, retriever=["one", "two"])
    assert project.run("--update-baseline").exit == 0
    project.write("baselines/golden.one.json", "{")
    start = project.run_apart if "-n" in selection else project.run
    run = start("--retrieval-baseline", *selection)
    assert (run.exit, run.status) == (0, "incomplete")
    assert run.report["left_out"] == ["golden.yaml::one"]
    assert "golden.yaml::one: not asked and not judged" in run.text


def test_the_reports_for_people_name_what_was_left_out(two_sets: Project) -> None:
    pytest.importorskip("jinja2", reason="jinja2 is not installed")
    names = ("report.md", "report.html")
    two_sets.run("-k", "word", *(f"--retrieval-report={name}" for name in names))
    markdown, page = ((two_sets.path / name).read_text("utf-8") for name in names)
    assert "Not asked and not judged: <code>golden&#95;b.yaml</code>." in markdown
    assert "Not asked and not judged: <bdi>golden_b.yaml</bdi>" in page
