"""What pytest's own ways of choosing tests do with queries."""

from __future__ import annotations

import pytest
from inner_project import Project, queries, query

TEST_FILE = """
def test_ordinary():
    pass
"""


@pytest.fixture
def mixed(project: Project) -> Project:
    project.golden([*queries(3, "word"), *queries(3, "phrase")])
    project.write("test_ordinary.py", TEST_FILE)
    return project


def test_k_selects_queries_by_id(mixed: Project) -> None:
    assert mixed.run("-k", "w02 or p03").exit == 0
    assert sorted(mixed.asked) == ["text of p03", "text of w02"]


def test_k_selects_a_kind_by_name(mixed: Project) -> None:
    assert mixed.run("-k", "phrase").exit == 0
    assert sorted(mixed.asked) == ["text of p01", "text of p02", "text of p03"]


def test_the_marker_selects_queries_and_nothing_else(mixed: Project) -> None:
    run = mixed.run("-m", "retrieval", "--strict-markers")
    assert run.exit == 0
    assert "6 passed, 1 deselected" in run.text


def test_the_marker_keeps_queries_out(mixed: Project) -> None:
    run = mixed.run("-m", "not retrieval")
    assert run.exit == 0
    assert mixed.events == []
    assert "retrieval" not in run.text.partition("collected")[2]


def test_the_marker_is_listed(mixed: Project) -> None:
    assert "@pytest.mark.retrieval: " in mixed.run("--markers").text


def test_deselect_takes_a_query_or_a_kind_out(mixed: Project) -> None:
    assert mixed.run("--deselect", "golden.yaml::word", "--deselect", "golden.yaml::phrase::p01").exit == 0
    assert sorted(mixed.asked) == ["text of p02", "text of p03"]


def test_x_stops_at_the_first_failing_query(mixed: Project) -> None:
    mixed.answer("text of w02", "broken")
    run = mixed.run("-x", "golden.yaml")
    assert run.exit == 1
    assert mixed.asked == ["text of w01", "text of w02"]


def test_lf_runs_a_failed_query_again(mixed: Project) -> None:
    mixed.answer("text of w02", "broken")
    assert mixed.run(cache=True).exit == 1
    assert mixed.run("--lf", cache=True).exit == 1
    assert mixed.asked == ["text of w02"]


def test_ff_runs_a_failed_query_first(mixed: Project) -> None:
    mixed.answer("text of p02", "broken")
    mixed.run(cache=True)
    mixed.run("--ff", cache=True)
    assert mixed.asked[0] == "text of p02"
    assert len(mixed.asked) == 6


@pytest.fixture
def regressed(project: Project) -> Project:
    """Twelve words that all fell, twelve phrases that did not, and a failed ordinary test."""
    rows = [*queries(12, "word"), *queries(12, "phrase")]
    project.golden(rows)
    assert project.run("--update-baseline").exit == 0
    project.fall(queries(12, "word"))
    project.write("test_passing.py", TEST_FILE)
    return project


def words(project: Project) -> list[str]:
    return [text for text in project.asked if text.startswith("text of w")]


def test_lf_runs_a_regressed_kind_again(regressed: Project) -> None:
    first = regressed.run("--retrieval-baseline", cache=True)
    assert first.exit == 1
    assert "FAILED golden.yaml::word - recall@5 fell 1.000" in first.text
    again = regressed.run("--lf", "--retrieval-baseline", cache=True)
    assert again.exit == 1
    assert len(words(regressed)) == 12
    assert "FAILED golden.yaml::word - recall@5 fell 1.000" in again.text


def test_lf_runs_a_regressed_kind_again_beside_a_failed_test(regressed: Project) -> None:
    regressed.write("test_failing.py", "def test_failing():\n    assert False\n")
    assert regressed.run("--retrieval-baseline", cache=True).exit == 1
    again = regressed.run("--lf", "--retrieval-baseline", cache=True)
    assert "FAILED golden.yaml::word - recall@5 fell 1.000" in again.text
    assert "FAILED test_failing.py::test_failing" in again.text
    assert len(words(regressed)) == 12


def test_lf_forgets_a_kind_that_recovered(regressed: Project) -> None:
    regressed.run("--retrieval-baseline", cache=True)
    regressed.answers(queries(12, "word"))
    assert regressed.run("--lf", "--retrieval-baseline", cache=True).exit == 0
    # The file's own failure stood for both kinds; the other one is still to be looked at.
    assert regressed.run("--lf", "--retrieval-baseline", cache=True).exit == 0
    assert words(regressed) == []
    assert "no previously failed tests" in regressed.run("--lf", "--retrieval-baseline", cache=True).text


def test_a_failed_query_of_one_kind_does_not_hide_a_regressed_kind_from_lf(regressed: Project) -> None:
    regressed.answer("text of p05", "broken")
    regressed.run("--retrieval-baseline", cache=True)
    regressed.run("--lf", "--retrieval-baseline", cache=True)
    assert len(words(regressed)) == 12
    assert "text of p05" in regressed.asked


def test_a_query_selected_alone_is_measured_and_the_rest_not_reported(project: Project) -> None:
    project.golden([query("q1"), query("q2")])
    run = project.run("golden.yaml::word::q1")
    assert (run.exit, run.status) == (0, "incomplete")
    assert run.query("q2")["outcome"] == "not run"
