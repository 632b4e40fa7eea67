"""Queries that failed: a verdict holds where it is the same whatever they would have brought."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from pytest_retrieval.gating.judging import Comparison, judge_together, unanswered
from pytest_retrieval.gating.pairing import Paired, Scores
from pytest_retrieval.gating.policy import Policy
from pytest_retrieval.gating.slices import cut
from pytest_retrieval.gating.verdict import IMPROVED, NOT_EVALUATED, PASS, TOO_FEW, UNCHANGED, Verdict

_FINE = (UNCHANGED, PASS, IMPROVED)


def judge_within_bounds(comparisons: Sequence[Comparison], policy: Policy) -> tuple[Verdict, ...]:
    """The verdicts of :func:`~pytest_retrieval.gating.judging.judge_together`, also where queries failed.

    Failed queries are scored 0, the worst there is, and then as before. A verdict that is the same
    both ways is kept, with the numbers of the second; two that both let the build pass are a
    ``pass``; any other gate is ``not evaluated``. A failed query that the other side does not hold
    is not compared, so nothing depends on it.
    """
    failed = frozenset().union(*(comparison.paired.errors for comparison in comparisons))
    if not failed:
        return judge_together(comparisons, policy)
    worst = [replace(one, paired=_scored(one.paired, _nothing(one.paired.before))) for one in comparisons]
    as_before = [replace(one, paired=_scored(one.paired, one.paired.before)) for one in comparisons]
    members = [
        one.queries
        for comparison in as_before
        for one in cut(comparison.paired, policy)
        for _ in policy.metrics
    ]
    rows = zip(judge_together(worst, policy), judge_together(as_before, policy), members, strict=True)
    return tuple(_agreed(low, high, unanswered(ids, failed, ())) for low, high, ids in rows)


def _nothing(before: Scores) -> Scores:
    return {metric: dict.fromkeys(scores, 0.0) for metric, scores in before.items()}


def _scored(paired: Paired, instead: Scores) -> Paired:
    """The pair as if its failed queries had these scores in every run."""

    def complete(run: Scores) -> Scores:
        return {
            metric: {**scores, **_chosen(instead.get(metric, {}), paired.errors)}
            for metric, scores in run.items()
        }

    return replace(
        paired,
        after=complete(paired.after),
        after_runs=tuple(map(complete, paired.after_runs)),
        errors=frozenset(),
    )


def _chosen(scores: Mapping[str, float], ids: Collection[str]) -> Mapping[str, float]:
    return {query: scores[query] for query in ids if query in scores}


def _agreed(low: Verdict, high: Verdict, failed: str) -> Verdict:
    """One verdict from both bounds; ``failed`` says which queries of the slice failed, if any."""
    whatever = f"{failed}, which changes nothing" if failed else ""
    if low.verdict == high.verdict:
        told = "" if high.verdict in (NOT_EVALUATED, TOO_FEW) else whatever
        return replace(high, reason="; ".join(filter(None, [high.reason, told])))
    if low.verdict in _FINE and high.verdict in _FINE:
        return replace(high, verdict=PASS, reason=whatever)
    failed = failed or "queries of other slices failed"
    reason = f"{failed}; with them scored 0 it would be {low.verdict}, as before {high.verdict}"
    return Verdict(high.slice, high.metric, high.against, NOT_EVALUATED, reason, high.n, margin=high.margin)
