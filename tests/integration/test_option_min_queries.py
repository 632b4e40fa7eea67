from __future__ import annotations

import pytest
from inner_project import Project, Say, queries


@pytest.fixture
def small(project: Project) -> Project:
    """Kinds of 12 and 4 queries."""
    project.golden([*queries(12, "word"), *queries(4, "phrase")])
    assert project.run("--update-baseline").exit == 0
    return project


def phrase(project: Project, *args: str) -> tuple[str, str]:
    gate = project.run("--retrieval-baseline", *args).gate(kind="phrase")
    return gate["verdict"], gate["reason"]


def test_the_default_is_ten(small: Project) -> None:
    assert phrase(small) == ("too few queries", "4 of at least 10")


def test_every_way_of_saying_it(small: Project, say: Say) -> None:
    assert phrase(small, *say("min-queries", 4)) == ("unchanged", "")


def test_flag_over_header_over_ini(small: Project) -> None:
    small.ini("retrieval_min_queries = 5")
    assert phrase(small) == ("too few queries", "4 of at least 5")
    small.golden([*queries(12, "word"), *queries(4, "phrase")], gate={"min_queries": 6})
    assert phrase(small) == ("too few queries", "4 of at least 6")
    assert phrase(small, "--retrieval-min-queries=7") == ("too few queries", "4 of at least 7")


def test_small_kinds_are_judged_together(project: Project) -> None:
    rows = [*queries(4, "word"), *queries(6, "phrase"), *queries(10, "identifier")]
    project.golden(rows)
    assert project.run("--update-baseline").exit == 0
    project.fall(rows[:10])
    run = project.run("--retrieval-baseline")
    assert run.exit == 1
    together = run.gate(kinds=["phrase", "word"])
    assert (together["n"], together["verdict"]) == (10, "regression")
    assert run.gate(kind="word")["verdict"] == "too few queries"
    # a small kind is no failed test of its own, the file is
    assert "FAILED golden.yaml - " in run.text
    assert "FAILED golden.yaml::" not in run.text


@pytest.mark.parametrize("bad", ["0", "-3", "2.5", "ten", ""])
def test_a_value_that_is_no_count_is_refused(small: Project, bad: str) -> None:
    run = small.run("--retrieval-baseline", f"--retrieval-min-queries={bad}")
    assert run.exit == 4
    assert "--retrieval-min-queries" in run.text
    assert "expected a whole number of at least 1" in run.text
    assert small.events == []


def test_a_bad_ini_value_names_its_key(small: Project) -> None:
    small.ini("retrieval_min_queries = many")
    run = small.run()
    assert run.exit == 4
    assert "retrieval_min_queries = 'many': expected a whole number of at least 1" in run.text
