from __future__ import annotations

from collections.abc import Mapping

from pytest_retrieval.reporting.movers import (
    biggest,
    came_and_went,
    deepest_cut,
    judgement,
    movers,
    turnover,
)
from pytest_retrieval.reporting.result import QueryResult, SetResult


def a_query(
    name: str,
    before: Mapping[str, float] | None,
    after: Mapping[str, float] | None,
    old: tuple[str, ...] = (),
    now: tuple[str, ...] = (),
) -> QueryResult:
    return QueryResult(
        name,
        f"text of {name}",
        "word",
        1,
        "hash",
        "scored",
        scores=after,
        baseline=before,
        baseline_ranked=old,
        ranked=now,
        relevant={"D1": 2, "D2": 0},
    )


def a_set(*queries: QueryResult, metrics: tuple[str, ...] = ("recall@2", "mrr@3")) -> SetResult:
    return SetResult(
        "golden.yaml", "after", "before", True, {}, 20, None, {}, metrics, metrics, queries, means=()
    )


def test_losses_come_first_and_each_query_stands_with_the_metric_that_moved_most() -> None:
    found = movers(
        a_set(
            a_query("up", {"recall@2": 0, "mrr@3": 0}, {"recall@2": 1, "mrr@3": 0.5}),
            a_query("same", {"recall@2": 1, "mrr@3": 1}, {"recall@2": 1, "mrr@3": 1}),
            a_query("slip", {"recall@2": 1, "mrr@3": 1}, {"recall@2": 1, "mrr@3": 0.5}),
            a_query("down", {"recall@2": 1, "mrr@3": 0.5}, {"recall@2": 0, "mrr@3": 0}),
        )
    )
    assert [(one.query.id, one.metric, one.change) for one in found] == [
        ("down", "recall@2", -1),
        ("slip", "mrr@3", -0.5),
        ("up", "recall@2", 1),
    ]


def test_a_query_without_a_score_on_one_side_does_not_move() -> None:
    assert movers(a_set(a_query("new", None, {"mrr@3": 1}), a_query("failed", {"mrr@3": 1}, None))) == []


def test_the_biggest_are_taken_from_both_ends_and_ties_go_by_id() -> None:
    rows = [a_query(name, {"mrr@3": 0}, {"mrr@3": score}) for name, score in (("b", 1), ("a", 1), ("c", 0.5))]
    losses, gains = biggest(movers(a_set(*rows)), 2)
    assert losses == []
    assert [one.query.id for one in gains] == ["a", "b"]


def test_documents_come_and_go_within_the_cut() -> None:
    query = a_query("q", {}, {}, old=("D1", "D2", "D3"), now=("D4", "D1", "D2"))
    assert came_and_went(query, 2) == (("D4",), ("D2",))
    assert came_and_went(query, None) == (("D4",), ("D3",))


def test_the_deepest_cut_is_none_where_a_metric_looks_at_whole_rankings() -> None:
    assert deepest_cut(["recall@5", "ndcg@10"]) == 10
    assert deepest_cut(["recall@5", "mrr"]) is None


def test_a_document_without_a_label_is_unjudged_and_grade_0_is_not_relevant() -> None:
    labels = {"D1": 2, "D2": 0, "D3": -1}
    assert [judgement(one, labels) for one in ("D1", "D2", "D3", "D4")] == [
        "relevant",
        "not relevant",
        "not relevant",
        "unjudged",
    ]


def test_what_came_and_went_is_counted_over_the_compared_queries_as_deep_as_the_metrics_look() -> None:
    one = a_query("a", {"mrr@3": 1}, {"mrr@3": 0}, old=("D1", "D2", "D8"), now=("D9", "D2", "D7", "D1"))
    other = a_query("b", None, {"mrr@3": 0}, old=("D1",), now=("D9",))
    found = turnover(a_set(one, other))
    assert (found.k, found.queries) == (3, 1)
    assert found.new == {"unjudged": 2}
    assert found.lost == {"relevant": 1, "unjudged": 1}
