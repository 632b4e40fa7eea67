from __future__ import annotations

from pytest_retrieval.golden.checks.finding import Finding, examples
from pytest_retrieval.golden.checks.labels import repeated_questions, small_kinds
from pytest_retrieval.golden.model import GoldenSet, Query


def golden(*queries: Query) -> GoldenSet:
    return GoldenSet(queries)


def test_a_repeated_question_with_other_labels_is_a_problem() -> None:
    found = list(
        repeated_questions(
            golden(
                Query("a", "What is  new?", {"d": 2}, line=1),
                Query("b", "what is new?", {"d": 1}, line=2),
                Query("c", "old", {"d": 1}, line=3),
            )
        )
    )
    assert found == [
        Finding(
            "repeated-questions",
            True,
            "1 questions are asked more than once with different labels: a = b",
            2,
        )
    ]


def test_a_repeated_question_with_the_same_labels_is_a_note() -> None:
    found = list(repeated_questions(golden(Query("a", "x", {"d": 1, "e": 0}), Query("b", "X", {"d": 1}))))
    assert [(one.problem, one.line) for one in found] == [(False, None)]
    assert "with the same labels, which counts them twice: a = b" in found[0].message


def test_questions_of_different_users_are_different_questions() -> None:
    same = Query("a", "x", {"d": 1}, params={"user": "u"}), Query("b", "x", {"e": 1}, params={"user": "v"})
    assert not list(repeated_questions(golden(*same)))


def test_kinds_too_small_to_be_judged_alone() -> None:
    queries = [Query(f"a{n}", str(n), {"d": 1}, kind="many") for n in range(3)]
    queries += [Query("b", "b", {"d": 1}, kind="few"), Query("c", "c", {}, kind="few", answerable=False)]
    (found,) = small_kinds(golden(*queries), 3)
    assert found.message.startswith("1 of 2 kinds have fewer than 3 questions")
    assert found.message.endswith("few (1)")
    assert not list(small_kinds(golden(*queries), 1))
    (alone,) = small_kinds(golden(*queries[:3]), 10)
    assert alone.message == "3 questions are fewer than 10"


def test_only_a_few_examples_are_named() -> None:
    assert examples([str(n) for n in range(7)], 7) == "0; 1; 2; 3; 4; and 2 more"
    assert examples(["a"], 1) == "a"
