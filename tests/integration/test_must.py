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
    assert "there max_score and empty can be asked for, not hit_rate@3" in run.text


SCORING = """
import pytest


@pytest.fixture(scope="session")
def retriever():
    answers = {"text of none": [], "text of low": [("D1", 0.2), ("D2", 0.1)], "text of high": [("D1", 7.5)]}
    return lambda text, k: answers.get(text, ["D1"])
"""


def nobody_knows(query_id: str, **must: object) -> dict[str, object]:
    return query(query_id, relevant=[], answerable=False, must=must)


def test_a_search_may_refuse_by_returning_nothing(project: Project) -> None:
    project.golden([nobody_knows("none", empty=True), nobody_knows("low", empty=True), query("q1")])
    project.write("conftest.py", SCORING)
    run = project.run()
    assert (run.exit, run.status) == (1, "failed")
    assert run.query("none")["must_failed"] == []
    assert run.query("low")["must_failed"] == ["2 documents were returned, must be none"]
    assert "FAILED golden.yaml::word::low" in run.text


def test_a_search_may_refuse_by_low_scores(project: Project) -> None:
    rows = [nobody_knows(name, max_score=0.2) for name in ("none", "low", "high")]
    project.golden([*rows, query("q1")])
    project.write("conftest.py", SCORING)
    run = project.run()
    assert [run.query(name)["must_failed"] for name in ("none", "low", "high")] == [
        [],
        [],
        ["the best score is 7.5, must be at most 0.2"],
    ]
    assert [run.query(name)["top_score"] for name in ("none", "low", "high")] == [None, 0.2, 7.5]
    assert run.set()["unanswerable"] == {
        "n": 3, "asked": 3, "empty": 1, "must": 3, "broken": 1, "top_scores": [0.2, 7.5],
    }  # fmt: skip
    assert "  3 without an answer, in no mean: 1 of 3 answered with nothing, best scores 0.2" in run.text


def test_scores_reach_the_contract_from_workers_too(project: Project) -> None:
    pytest.importorskip("xdist")
    project.golden([nobody_knows("high", max_score=0.2), query("q1")])
    project.write("conftest.py", SCORING)
    run = project.run("-p", "xdist.plugin", "-n", "1")
    assert run.query("high")["must_failed"] == ["the best score is 7.5, must be at most 0.2"]


def test_without_scores_a_largest_score_is_no_pass(project: Project) -> None:
    project.golden([nobody_knows("q2", max_score=100), query("q1")])
    project.answer("text of q2", ["D1"])
    run = project.run()
    assert run.exit == 1
    assert run.query("q2")["must_failed"] == [
        "max_score cannot be judged: no hit has a score; return (id, score) pairs"
    ]


def test_questions_without_an_answer_are_counted_apart_and_in_no_mean(project: Project) -> None:
    project.golden([query("q1"), query("q2", relevant=[], answerable=False)])
    run = project.run()
    assert run.set()["means"][0]["n"] == 1
    assert (run.query("q1")["answerable"], run.query("q2")["answerable"]) == (True, False)
    assert run.set()["unanswerable"]["n"] == 1
    project.golden([query("q1")])
    assert project.run().set()["unanswerable"] is None


@pytest.mark.parametrize("must", [{"max_score": 0.5}, {"empty": True}])
def test_a_refusal_cannot_be_asked_where_there_is_an_answer(
    project: Project, must: dict[str, object]
) -> None:
    project.golden([query("q1", must=must)])
    run = project.run()
    assert run.exit == 2
    name = next(iter(must))
    assert f"golden.yaml:2: query 'q1': must: {name} is for questions that no document answers" in run.text


@pytest.mark.parametrize(
    ("must", "message"),
    [
        ({"empty": False}, "must: empty can only be true"),
        ({"empty": 1}, "must: empty must be true or false"),
        ({"max_score": "0.5"}, "must: max_score must be a number"),
        ({"max_score": None}, "must: max_score must be a number"),
    ],
)
def test_a_refusal_that_cannot_be_meant_is_an_error_of_the_file(
    project: Project, must: dict[str, object], message: str
) -> None:
    project.golden([query("q1"), query("q2", relevant=[], answerable=False, must=must)])
    run = project.run()
    assert run.exit == 2
    assert f"golden.yaml:3: {message}" in run.text


def test_a_largest_score_may_be_below_zero_or_above_one(project: Project) -> None:
    project.golden([query("q1"), nobody_knows("q2", max_score=-1.5), nobody_knows("q3", max_score=25)])
    assert project.run().exit == 0
