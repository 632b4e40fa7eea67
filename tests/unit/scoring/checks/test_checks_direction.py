from __future__ import annotations

import pytest
from scipy.stats import binomtest

from pytest_retrieval.golden.documents import Document
from pytest_retrieval.golden.model import GoldenSet, Query
from pytest_retrieval.scoring.checks.direction import concordance, grade_direction, sign_test

DOCUMENTS = {
    "best": Document("best", "", "how a pump is primed and started", "c.jsonl"),
    "some": Document("some", "", "a pump on a shelf", "c.jsonl"),
    "none": Document("none", "", "lunch menus", "c.jsonl"),
}


def golden(best: int, some: int, count: int = 8) -> GoldenSet:
    labels = {"best": best, "some": some}
    return GoldenSet(tuple(Query(f"q{n}", "how is a pump started", labels) for n in range(count)))


@pytest.mark.parametrize(("heads", "tails"), [(0, 0), (5, 0), (7, 3), (3, 7), (109, 61), (61, 109)])
def test_the_sign_test_is_that_of_scipy(heads: int, tails: int) -> None:
    expected = binomtest(heads, heads + tails, alternative="greater").pvalue if heads + tails else 1.0
    assert sign_test(heads, tails) == pytest.approx(expected)


def test_grades_that_go_against_the_words_are_upside_down() -> None:
    (found,) = grade_direction(golden(best=1, some=2), DOCUMENTS, [])
    assert found.problem
    assert (
        "the words that questions and documents share speaks for lower grades in 8 questions" in found.message
    )
    assert not list(grade_direction(golden(best=2, some=1), DOCUMENTS, []))


def test_grades_that_go_against_a_ranking_are_upside_down() -> None:
    ranking = {f"q{n}": ["best", "none"] for n in range(8)}
    (found,) = grade_direction(golden(best=0, some=2), {}, [ranking])
    assert (
        "the order of a ranking speaks for lower grades in 8 questions, for higher ones in 0" in found.message
    )
    assert not list(grade_direction(golden(best=2, some=0), {}, [ranking]))


def test_a_few_questions_prove_nothing() -> None:
    # six against none is 1/64, more than 1 in 100; seven is 1/128
    assert not list(grade_direction(golden(best=1, some=2, count=6), DOCUMENTS, []))
    assert list(grade_direction(golden(best=1, some=2, count=7), DOCUMENTS, []))


def test_a_single_grade_has_no_direction() -> None:
    assert not list(grade_direction(golden(best=1, some=1), DOCUMENTS, []))


def test_pairs_are_counted_per_question() -> None:
    queries = GoldenSet(
        (
            Query("up", "x", {"a": 2, "b": 1, "c": 0}),
            Query("down", "x", {"a": 0, "b": 1, "c": 2}),
            Query("even", "x", {"a": 1, "b": 0, "c": 1}),
            Query("unseen", "x", {"y": 1, "z": 0}),
        )
    )
    values = {"a": 3.0, "b": 2.0, "c": 1.0}
    assert concordance(queries, lambda query, name: values.get(name)) == (1, 1)
