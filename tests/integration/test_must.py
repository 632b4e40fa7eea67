from __future__ import annotations

import pytest
from inner_project import Project, query


@pytest.fixture
def strict(project: Project) -> Project:
    """One query that must have its document among the first three, and one that need not."""
    project.golden([query("q1", must={"hit_rate@3": 1}), query("q2")])
    return project


def test_a_contract_that_holds_passes(strict: Project) -> None:
    strict.answer("text of q1", ["D8", "D9", "D1"])
    run = strict.run()
    assert (run.exit, run.status) == (0, "measured")
    assert run.query("q1")["must_failed"] == []


def test_a_broken_contract_fails_its_own_query(strict: Project) -> None:
    strict.answer("text of q1", ["D7", "D8", "D9", "D1"])
    run = strict.run()
    assert (run.exit, run.status) == (1, "failed")
    assert "FAILED golden.yaml::word::q1" in run.text
    assert "hit_rate@3 is 0, must be at least 1" in run.text
    assert "golden.yaml:2: query 'q1'" in run.text
    assert "expected D1" in run.text
    assert "got      D7, D8, D9, D1" in run.text
    assert "Traceback" not in run.text
    assert "BrokenMust" not in run.text


def test_a_broken_contract_is_scored_like_any_answer(strict: Project) -> None:
    strict.answer("text of q1", ["D7", "D8", "D9", "D1"])
    run = strict.run()
    assert run.query("q1")["outcome"] == "scored"
    assert run.query("q1")["scores"]["mrr"] == 0.25
    assert run.query("q1")["must_failed"] == ["hit_rate@3 is 0, must be at least 1"]
    assert run.set()["means"][0]["n"] == 2


def test_a_contract_holds_at_its_number_exactly(project: Project) -> None:
    # one of three relevant documents in the first five: recall 1/3
    project.golden([query("q1", relevant=["D1", "D2", "D3"], must={"recall@5": 0.333333})])
    project.answer("text of q1", ["D1"])
    assert project.run().exit == 0
    project.golden([query("q1", relevant=["D1", "D2", "D3"], must={"recall@5": 0.34})])
    project.answer("text of q1", ["D1"])
    assert project.run().exit == 1


def test_a_broken_contract_beside_a_judged_set_fails_the_run(strict: Project) -> None:
    assert strict.run("--update-baseline").exit == 0
    strict.golden([query("q1", must={"mrr": 0.6}), query("q2")])
    strict.answer("text of q1", ["D9", "D1"])
    run = strict.run("--retrieval-baseline", "--retrieval-margin=0.9")
    assert (run.exit, run.status) == (1, "failed")


def test_a_contract_deepens_the_search(project: Project) -> None:
    project.golden([query("q1", must={"hit_rate@50": 1})])
    assert project.run().set()["depth"] == 50


def test_a_contract_over_an_unknown_metric_is_an_error_of_the_file(project: Project) -> None:
    project.golden([query("q1", must={"recal@3": 1})])
    run = project.run()
    assert run.exit == 2
    assert "golden.yaml:2: query 'q1': must: unknown metric 'recal@3'" in run.text
    assert project.events == []


def test_a_contract_over_a_question_without_an_answer_is_an_error_of_the_file(project: Project) -> None:
    project.golden([query("q1", relevant=[], answerable=False, must={"hit_rate@3": 1}), query("q2")])
    run = project.run()
    assert run.exit == 2
    assert "golden.yaml:2: query 'q1' has a must, but no document answers it" in run.text
