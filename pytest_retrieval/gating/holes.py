"""Documents nobody has judged: how many are in the top k, and whether a verdict hangs on them.

An unjudged document counts as not relevant. A better retriever brings new ones, so that it can look
worse than it is; the row of such a verdict says so.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from pytest_retrieval.gating.bounds import judge_within_bounds
from pytest_retrieval.gating.judging import Comparison
from pytest_retrieval.gating.pairing import Rankings
from pytest_retrieval.gating.policy import Policy
from pytest_retrieval.gating.slices import cut
from pytest_retrieval.gating.verdict import IMPROVED, REGRESSION, SUSPECTED, Verdict
from pytest_retrieval.golden.model import Query
from pytest_retrieval.scoring.metrics import score_rankings
from pytest_retrieval.scoring.names import parse_metric

_DIGITS = 12
_FALLS = (REGRESSION, SUSPECTED)


def judge_with_holes(comparisons: Sequence[Comparison], policy: Policy) -> tuple[Verdict, ...]:
    """The verdicts of :func:`~pytest_retrieval.gating.bounds.judge_within_bounds`, with their holes.

    Each row gets the mean share of judged documents in the top k (k as in its metric, the whole
    ranking without one) before and after. A fall hangs on holes when it is neither ``regression``
    nor ``suspected`` once the documents that are unjudged and new in the top k count as relevant
    (grade 1); a gain when it is not ``improved`` once those that are unjudged and have left it do.
    Such a row keeps its verdict, and its reason says so. Where queries were asked repeatedly, the
    first run is looked at, and no verdict is questioned.
    """
    verdicts = judge_within_bounds(comparisons, policy)
    if not any(one.paired.before_rankings for one in comparisons):
        return verdicts
    verdicts = _with_shares(verdicts, comparisons, policy)
    if not any(one.paired.before_runs or one.paired.after_runs for one in comparisons):
        verdicts = _questioned(verdicts, comparisons, policy, _FALLS, after_is_filled=True)
        verdicts = _questioned(verdicts, comparisons, policy, (IMPROVED,), after_is_filled=False)
    return verdicts


def _with_shares(
    verdicts: Sequence[Verdict], comparisons: Sequence[Comparison], policy: Policy
) -> tuple[Verdict, ...]:
    """The verdicts with the judged share of both sides."""
    shares: dict[tuple[str, str, str], tuple[float | None, float | None]] = {}
    for comparison in comparisons:
        paired = comparison.paired
        for metric in policy.metrics:
            before = _judged(paired.queries, paired.before_rankings, metric)
            after = _judged(paired.queries, paired.after_rankings, metric)
            for one in cut(paired, policy):
                both = [query for query in one.comparable if query in before and query in after]
                key = comparison.against, metric, str(one.label)
                shares[key] = _mean(before, both), _mean(after, both)
    rows = []
    for row in verdicts:
        before_share, after_share = shares[row.against, row.metric, str(row.slice)]
        rows.append(replace(row, judged_before=before_share, judged_after=after_share))
    return tuple(rows)


def _judged(queries: Sequence[Query], rankings: Rankings, metric: str) -> Mapping[str, float]:
    """The judged share of each ranking that is not empty, within the metric's cut-off."""
    k = parse_metric(metric).k
    asked = [query for query in queries if rankings.get(query.id)]
    # A list shorter than k is not full of holes: only what was returned is looked at.
    lists = [rankings[query.id][:k] for query in asked]
    values = score_rankings(lists, [query.relevant for query in asked], ["judged"])["judged"]
    return dict(zip((query.id for query in asked), values.tolist(), strict=True))


def _mean(shares: Mapping[str, float], ids: Collection[str]) -> float | None:
    return round(math.fsum(shares[query] for query in ids) / len(ids), _DIGITS) if ids else None


def _questioned(
    verdicts: Sequence[Verdict],
    comparisons: Sequence[Comparison],
    policy: Policy,
    words: Collection[str],
    *,
    after_is_filled: bool,
) -> tuple[Verdict, ...]:
    """The verdicts, told where one of ``words`` would not be given if the holes of one side were relevant."""
    if not any(row.verdict in words for row in verdicts):
        return tuple(verdicts)
    filled = [_filled(comparison, policy, after_is_filled) for comparison in comparisons]
    if not any(holes for _, numbers in filled for holes in numbers.values()):
        return tuple(verdicts)
    otherwise = judge_within_bounds([comparison for comparison, _ in filled], policy)
    numbers = {comparison.against: numbers for comparison, numbers in filled}
    members = {
        (comparison.against, str(one.label)): one.queries
        for comparison in comparisons
        for one in cut(comparison.paired, policy)
    }
    what = "new in" if after_is_filled else "gone from"
    rows = []
    for row, instead in zip(verdicts, otherwise, strict=True):
        if row.verdict in words and instead.verdict not in words:
            holes = numbers[row.against][row.metric]
            number = sum(holes[query] for query in members[row.against, str(row.slice)])
            some = "1 unjudged document" if number == 1 else f"{number} unjudged documents"
            doubt = (
                f"would be {instead.verdict} if the {some} {what} the top "
                f"{'was' if number == 1 else 'were'} relevant: judge them, see pytest-retrieval pool"
            )
            row = replace(row, reason="; ".join(filter(None, [row.reason, doubt])))
        rows.append(row)
    return tuple(rows)


def _filled(
    comparison: Comparison, policy: Policy, after_is_filled: bool
) -> tuple[Comparison, Mapping[str, Counter[str]]]:
    """The comparison as if the holes of one side were relevant; for each metric, how many a query has."""
    paired = comparison.paired
    queries = [query for query in paired.queries if query.id in paired.before_rankings]
    before, after = dict(paired.before), dict(paired.after)
    holes: dict[str, Counter[str]] = {metric: Counter() for metric in policy.metrics}
    for metric in policy.metrics:
        k = parse_metric(metric).k
        labels = []
        for query in queries:
            old = paired.before_rankings[query.id][:k]
            new = paired.after_rankings.get(query.id, ())[:k]
            mine, theirs = (new, old) if after_is_filled else (old, new)
            found = [doc for doc in mine if doc not in query.relevant and doc not in set(theirs)]
            holes[metric][query.id] = len(found)
            labels.append({**query.relevant, **dict.fromkeys(found, 1)})
        before[metric] = _scored(paired.before[metric], queries, paired.before_rankings, labels, metric)
        after[metric] = _scored(paired.after[metric], queries, paired.after_rankings, labels, metric)
    return replace(comparison, paired=replace(paired, before=before, after=after)), holes


def _scored(
    scores: Mapping[str, float],
    queries: Sequence[Query],
    rankings: Rankings,
    labels: Sequence[Mapping[str, int]],
    metric: str,
) -> Mapping[str, float]:
    """The scores anew for those queries that had one."""
    had = [place for place, query in enumerate(queries) if query.id in scores]
    values = score_rankings(
        [rankings.get(queries[place].id, ()) for place in had], [labels[place] for place in had], [metric]
    )[metric]
    return {**scores, **{queries[place].id: value for place, value in zip(had, values.tolist(), strict=True)}}
