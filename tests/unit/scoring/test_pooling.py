from __future__ import annotations

from pytest_retrieval.golden.model import GoldenSet, Query
from pytest_retrieval.scoring.pooling import Hole, find_holes, pool_of

GOLDEN = GoldenSet(
    (
        Query("q2", "two", {"a": 1, "d": 0}),
        Query("q1", "one", {"c": 2}),
        Query("q3", "none", {}, answerable=False),
    )
)
RANKINGS = [
    {"q1": ("b", "a", "c"), "q2": ("z", "a"), "q3": ("x",)},
    {"q1": ("c", "a"), "q2": ("d", "b", "e"), "q9": ("y",)},
]


def test_a_pool_is_the_union_of_the_tops() -> None:
    assert pool_of("q1", RANKINGS, 2) == {"a", "b", "c"}
    assert pool_of("q1", RANKINGS, 1) == {"b", "c"}
    assert pool_of("q7", RANKINGS, 1) == set()


def test_holes_are_in_the_order_of_the_queries_and_sorted_within_each() -> None:
    expected = (Hole("q2", "b"), Hole("q2", "z"), Hole("q1", "a"), Hole("q1", "b"))
    assert find_holes(GOLDEN, RANKINGS, 2) == expected
    assert find_holes(GOLDEN, RANKINGS[::-1], 2) == expected


def test_a_grade_of_0_is_a_judgement() -> None:
    assert Hole("q2", "d") not in find_holes(GOLDEN, RANKINGS, 3)


def test_queries_that_no_document_answers_have_no_holes() -> None:
    assert not [hole for hole in find_holes(GOLDEN, RANKINGS, 3) if hole.query == "q3"]
