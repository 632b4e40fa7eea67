"""The anchor beside the baseline: one family, margins of its own, duplicates paid for once."""

from __future__ import annotations

from dataclasses import replace

from pytest_retrieval.gating.judging import Comparison, judge, judge_together
from pytest_retrieval.gating.pairing import Paired
from pytest_retrieval.gating.policy import KindPolicy, Policy
from pytest_retrieval.gating.verdict import ANCHOR, PASS, REGRESSION, UNCHANGED, Verdict
from pytest_retrieval.golden.model import Query

METRIC = "hit_rate@5"
POLICY = Policy((METRIC,), {METRIC: 0.0})


def _paired(before: list[float], after: list[float]) -> Paired:
    queries = tuple(Query(f"q{i:02}", "text", {"d": 1}) for i in range(len(before)))
    ids = [query.id for query in queries]
    return Paired(
        queries, {METRIC: dict(zip(ids, before, strict=True))}, {METRIC: dict(zip(ids, after, strict=True))}
    )


def _both(baseline: Paired, anchor: Paired, policy: Policy = POLICY) -> dict[str, Verdict]:
    rows = judge_together((Comparison(baseline), Comparison(anchor, ANCHOR)), policy)
    return {row.against: row for row in rows}


def test_while_the_anchor_equals_the_baseline_nothing_costs_more() -> None:
    paired = _paired([1.0] * 12, [0.0] * 6 + [1.0] * 6)
    alone = judge(paired, POLICY)[0]
    rows = _both(paired, paired)
    # six losses alone: 2^-6
    assert alone.p_adjusted == rows["baseline"].p_adjusted == rows["anchor"].p_adjusted == 2.0**-6
    assert rows["baseline"] == alone
    assert rows["anchor"] == replace(alone, against=ANCHOR)


def test_small_accepted_drops_that_added_up_are_a_regression_against_the_anchor_alone() -> None:
    after = [0.0] * 8 + [1.0] * 12
    baseline, anchor = _paired([0.0] * 7 + [1.0] * 13, after), _paired([1.0] * 20, after)
    rows = _both(baseline, anchor)
    assert (rows["baseline"].verdict, rows["anchor"].verdict) == (PASS, REGRESSION)
    assert rows["anchor"].difference == -0.4


def test_the_anchor_has_margins_of_its_own() -> None:
    policy = replace(
        POLICY, anchor_margins={METRIC: 0.25}, kinds={"k": KindPolicy({METRIC: 0.1}, {}, {METRIC: 0.5})}
    )
    assert policy.margin(METRIC, None, ANCHOR) == 0.25
    assert policy.margin(METRIC, "other", ANCHOR) == 0.25
    assert policy.margin(METRIC, "k", ANCHOR) == 0.5
    assert (policy.margin(METRIC, "k"), policy.margin(METRIC)) == (0.1, 0.0)
    after = [0.0] * 5 + [1.0] * 15
    rows = _both(_paired([1.0] * 20, after), _paired([1.0] * 20, after), policy)
    assert (rows["baseline"].verdict, rows["anchor"].verdict) == (REGRESSION, PASS)


def test_without_margins_of_its_own_the_anchor_has_the_margins() -> None:
    policy = Policy((METRIC,), {METRIC: 0.03}, kinds={"k": KindPolicy({METRIC: 0.1})})
    assert (policy.margin(METRIC, "k", ANCHOR), policy.margin(METRIC, None, ANCHOR)) == (0.1, 0.03)


def test_a_run_like_its_anchor_is_unchanged() -> None:
    rows = _both(_paired([0.0] * 12, [1.0] * 12), _paired([1.0] * 12, [1.0] * 12))
    assert rows["anchor"].verdict == UNCHANGED
