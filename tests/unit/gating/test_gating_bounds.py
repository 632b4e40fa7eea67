"""Verdicts where queries failed: kept when the same at both bounds."""

from __future__ import annotations

from collections.abc import Mapping

from pytest_retrieval.gating.bounds import judge_within_bounds
from pytest_retrieval.gating.floors import check_floors
from pytest_retrieval.gating.judging import Comparison, judge
from pytest_retrieval.gating.pairing import Paired
from pytest_retrieval.gating.policy import Policy
from pytest_retrieval.gating.verdict import (
    BELOW_FLOOR,
    IMPROVED,
    NOT_EVALUATED,
    PASS,
    REGRESSION,
    TOO_FEW,
    UNCHANGED,
    Verdict,
)
from pytest_retrieval.golden.model import Query

METRIC = "recall@5"
POLICY = Policy((METRIC,), {METRIC: 0.02})
FAILED = None


def _paired(kinds: Mapping[str, list[tuple[float, float | None]]]) -> Paired:
    """(before, after) per query, by kind; an after of None is a query that failed."""
    rows = [
        (Query(f"{kind}{i:02}", "text", {"d": 1}, kind), old, new)
        for kind, scores in kinds.items()
        for i, (old, new) in enumerate(scores)
    ]
    return Paired(
        tuple(query for query, _, _ in rows),
        {METRIC: {query.id: old for query, old, _ in rows}},
        {METRIC: {query.id: new for query, _, new in rows if new is not None}},
        errors=frozenset(query.id for query, _, new in rows if new is None),
    )


def _judged(kinds: Mapping[str, list[tuple[float, float | None]]]) -> dict[str, Verdict]:
    rows = judge_within_bounds((Comparison(_paired(kinds)),), POLICY)
    return {str(next(iter(row.slice.values()), "all")): row for row in rows}


def test_a_regression_stands_whatever_one_failed_query_would_have_brought() -> None:
    row = _judged({"a": [(1, 0)] * 10 + [(1, 1)] * 9 + [(1, FAILED)]})["all"]
    assert row.verdict == REGRESSION
    assert row.reason == "1 of 20 queries failed: a19, which changes nothing"
    # the numbers are those of the failed query scored as before
    assert (row.worse, row.equal, row.n) == (10, 10, 20)


def test_a_verdict_that_hangs_on_the_failed_queries_is_not_evaluated() -> None:
    # eight losses are proven, none are not
    row = _judged({"a": [(1, 1)] * 12 + [(1, FAILED)] * 8})["all"]
    assert row.verdict == NOT_EVALUATED
    assert row.reason == (
        "8 of 20 queries failed: a12, a13, a14, ...; with them scored 0 it would be regression, "
        "as before unchanged"
    )
    assert (row.p, row.before) == (None, None)


def test_two_verdicts_that_both_let_the_build_pass_are_a_pass() -> None:
    row = _judged({"a": [(1, 1)] * 19 + [(1, FAILED)]})["all"]
    assert (row.verdict, row.reason) == (PASS, "1 of 20 queries failed: a19, which changes nothing")
    risen = _judged({"a": [(0, 1)] * 19 + [(1, FAILED)]})["all"]
    assert risen.verdict == IMPROVED


def test_kinds_without_a_failure_are_judged_as_ever() -> None:
    kinds = {"a": [(1, 1)] * 12, "b": [(1, 1)] * 11 + [(1, FAILED)]}
    rows = _judged(kinds)
    assert (rows["a"].verdict, rows["a"].reason) == (UNCHANGED, "")
    assert rows["b"].verdict == PASS
    assert rows["all"].verdict == PASS


def test_a_kind_too_small_stays_too_small() -> None:
    row = _judged({"a": [(1, 1)] * 12, "b": [(1, FAILED)] * 3})["b"]
    assert (row.verdict, row.reason) == (TOO_FEW, "3 of at least 10")


def test_a_failed_query_that_the_baseline_lacks_is_not_compared() -> None:
    paired = _paired({"a": [(1, 1)] * 12})
    new = Query("new", "text", {"d": 1}, "a")
    more = Paired((*paired.queries, new), paired.before, paired.after, errors=frozenset({"new"}))
    (row,) = judge_within_bounds((Comparison(more),), POLICY)
    assert (row.verdict, row.n) == (UNCHANGED, 12)


def test_without_failures_the_bounds_are_the_judgement_itself() -> None:
    paired = _paired({"a": [(1, 0)] * 7 + [(1, 1)] * 9, "b": [(0, 1)] * 12})
    assert judge_within_bounds((Comparison(paired),), POLICY) == judge(paired, POLICY)


def test_floors_hold_or_break_whatever_the_failed_queries_bring() -> None:
    paired = _paired({"a": [(1, 1)] * 8 + [(1, FAILED)] * 2})

    def floor(least: float) -> Verdict:
        policy = Policy((METRIC,), {METRIC: 0.02}, floors={METRIC: least})
        return check_floors(paired.queries, paired.after, paired.errors, (), policy)[0]

    # eight of ten found: the mean lies between 0.8 and 1
    assert floor(0.8).verdict == PASS
    assert floor(0.81).verdict == NOT_EVALUATED
    low = _paired({"a": [(1, 0)] * 8 + [(1, FAILED)] * 2})
    policy = Policy((METRIC,), {METRIC: 0.02}, floors={METRIC: 0.3})
    broken = check_floors(low.queries, low.after, low.errors, (), policy)[0]
    assert broken.verdict == BELOW_FLOOR
    assert broken.reason == "0.2 is below 0.3; 2 of 10 queries failed: a08, a09, which changes nothing"
