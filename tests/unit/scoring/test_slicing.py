from __future__ import annotations

import pytest

from pytest_retrieval import GoldenSet, Query, by_slice, evaluate
from pytest_retrieval.scoring.evaluation import average

GOLDEN = GoldenSet(
    (
        Query("q1", "one", {"D1": 1}, metadata={"year": 2023}),
        Query("q2", "two words", {"D1": 1}, metadata={"year": 2024}, tags=("a", "b")),
        Query("q3", "broken", {"D1": 1}, metadata={"year": 2025}),
    )
)


def search(text: str) -> list[str]:
    if text == "broken":
        raise RuntimeError("no")
    return ["D9", "D1"] if " " in text else ["D1"]


def test_each_value_has_the_means_of_its_queries() -> None:
    parts = by_slice(evaluate(search, GOLDEN, metrics=["mrr"]), lambda query: query.metadata["year"])
    assert {name: part.mean("mrr") for name, part in parts.items()} == {
        "2023": 1.0,
        "2024": 0.5,
        "2025": None,
    }
    assert [list(part.rankings) + list(part.errors) for part in parts.values()] == [["q1"], ["q2"], ["q3"]]


def test_the_value_may_be_anything_that_a_function_says_of_a_query() -> None:
    parts = by_slice(evaluate(search, GOLDEN, metrics=["mrr"]), lambda query: len(query.text.split()) > 1)
    assert {name: len(part.golden) for name, part in parts.items()} == {"False": 2, "True": 1}


def test_a_query_may_be_in_several_slices_or_in_none() -> None:
    parts = by_slice(evaluate(search, GOLDEN, metrics=["mrr"]), lambda query: query.tags)
    assert {name: part.means() for name, part in parts.items()} == {"a": {"mrr": 0.5}, "b": {"mrr": 0.5}}
    assert by_slice(evaluate(search, GOLDEN, metrics=["mrr"]), lambda query: None) == {}


def test_runs_of_repeated_questions_are_cut_alike() -> None:
    one = evaluate(lambda text: ["D1"], GOLDEN, metrics=["mrr"])
    two = evaluate(lambda text: ["D9", "D1"], GOLDEN, metrics=["mrr"])
    part = by_slice(average([one, two]), lambda query: query.id)["q2"]
    assert part.mean("mrr") == pytest.approx(0.75)
    assert [run.mean("mrr") for run in part.runs] == [1.0, 0.5]
