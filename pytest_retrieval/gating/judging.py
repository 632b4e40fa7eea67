"""The judgement: every slice and metric tested, the family adjusted, a verdict for each."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from pytest_retrieval.gating.differences import take_differences
from pytest_retrieval.gating.evidence import FALL, RISE, Evidence, weigh
from pytest_retrieval.gating.multiplicity import Hypothesis, adjust, admission
from pytest_retrieval.gating.noise import run_level_p
from pytest_retrieval.gating.pairing import Paired
from pytest_retrieval.gating.policy import Policy
from pytest_retrieval.gating.power import detectable_drop, fewest_falls
from pytest_retrieval.gating.slices import Slice, cut
from pytest_retrieval.gating.verdict import (
    BASELINE,
    IMPROVED,
    NOT_EVALUATED,
    PASS,
    REGRESSION,
    SUSPECTED,
    TOO_FEW,
    UNCHANGED,
    Verdict,
)

_DIGITS = 12  # of means, so that no machine's last bit is kept
_DROP_DIGITS = 6  # of the detectable drop, an estimate
_TIE = 1e-12  # p this close above alpha reaches it: 1 - 0.95 is not 0.05 in binary
_SHOWN_IDS = 3
_SMALL_SLICE = 30  # up to here a row says how many queries must fall
_ONE_NOISY_RUN = "one run a side of a noisy retriever proves nothing: ask repeatedly (retrieval_repeats = 3)"

_Instead = Callable[[Hypothesis, Hypothesis], float]


@dataclass(frozen=True, slots=True)
class Comparison:
    """A candidate and what it is compared with; ``against`` is ``baseline`` or ``anchor``."""

    paired: Paired
    against: str = BASELINE


@dataclass(frozen=True, slots=True, eq=False)
class _Gate:
    """One slice and metric: the evidence on it, or the ``obstacle`` that keeps it from judgement.

    ``compared`` are the ids with a score on both sides. Without any there is no evidence.
    ``run_p`` is the p that knows of the noise of whole runs, 0 where neither side has repeats.
    """

    comparison: Comparison
    slice: Slice
    metric: str
    margin: float
    compared: tuple[str, ...]
    obstacle: str
    evidence: Evidence | None
    run_p: float = 0.0

    @property
    def judged(self) -> Evidence | None:
        """The evidence that a verdict of its own may rest on."""
        return None if self.slice.small else self.evidence


def judge(paired: Paired, policy: Policy, against: str = BASELINE) -> tuple[Verdict, ...]:
    """The verdicts of a single comparison, see :func:`judge_together`."""
    return judge_together((Comparison(paired, against),), policy)


def judge_together(comparisons: Sequence[Comparison], policy: Policy) -> tuple[Verdict, ...]:
    """The verdicts of a candidate against its baseline and, where there is one, its anchor.

    All in one family, comparison by comparison; slices are those of
    :func:`~pytest_retrieval.gating.slices.cut`, each with the policy's metrics in order. A regression
    needs two keys at the level 1 - ``policy.confidence``: the sign-flip test, adjusted for the
    family of all judged gates in which something changed, and the paired bootstrap interval of
    the difference below -margin; where queries were asked repeatedly, also the test that knows of
    the noise of whole runs. Improved is the mirror image with a family of its own. A slice with
    queries that failed is not evaluated, see :func:`~pytest_retrieval.gating.bounds.judge_within_bounds`. The
    result does not depend, to the last bit, on the order of queries.
    """
    gates = [
        _gate(comparison, one, metric, policy)
        for comparison in comparisons
        for one in cut(comparison.paired, policy)
        for metric in policy.metrics
    ]
    level = (1 - policy.confidence) / max(1, _distinct(gates))
    family = [gate.judged.claim(FALL) for gate in gates if gate.judged and gate.judged.changed]
    p_instead = admission(family, policy.correction) if any(map(_tells_falls, gates)) else None
    rows = []
    for gate, p_adjusted in zip(gates, _adjusted(gates, policy), strict=True):
        word, reason = _decide(gate, p_adjusted, policy)
        against, compared = gate.comparison.against, len(gate.compared)
        row = Verdict(gate.slice.label, gate.metric, against, word, reason, compared, margin=gate.margin)
        if gate.evidence:
            row = _with_numbers(row, gate, gate.evidence, p_adjusted)
            row = _with_power(row, gate, level, policy.confidence, p_instead)
        rows.append(row)
    return tuple(rows)


def _distinct(gates: Sequence[_Gate]) -> int:
    """The judged gates; those against an anchor that equals the baseline ask nothing new."""
    claims = set()
    for gate in gates:
        if gate.judged:
            claims.add(
                (str(gate.slice.label), gate.metric, gate.margin, gate.judged.differences.values.tobytes())
            )
    return len(claims)


def _gate(comparison: Comparison, one: Slice, metric: str, policy: Policy) -> _Gate:
    paired = comparison.paired
    margin = policy.margin(metric, one.kind, comparison.against)
    before, after = paired.before.get(metric, {}), paired.after.get(metric, {})
    compared = tuple(query for query in one.comparable if query in before and query in after)
    obstacle = _obstacle(one, metric, paired, compared)
    if obstacle or not compared:
        return _Gate(comparison, one, metric, margin, compared, obstacle, None)
    evidence = weigh(take_differences(before, after, compared, margin), policy.confidence)
    run_p = _run_p(paired, metric, evidence, margin)
    return _Gate(comparison, one, metric, margin, compared, "", evidence, run_p)


def _run_p(paired: Paired, metric: str, evidence: Evidence, margin: float) -> float:
    """The p of the claim on the side where the mean lies, from all runs; 0 where neither side has repeats."""
    ids = evidence.differences.ids
    if len(ids) < 2 or max(len(paired.before_runs), len(paired.after_runs)) < 2:
        return 0.0
    before, after = (
        np.array([[run[metric][query] for query in ids] for run in runs or (averaged,)])
        for runs, averaged in ((paired.before_runs, paired.before), (paired.after_runs, paired.after))
    )
    return (
        run_level_p(after, before, margin)
        if evidence.direction == RISE
        else run_level_p(before, after, margin)
    )


def _obstacle(one: Slice, metric: str, paired: Paired, compared: Collection[str]) -> str:
    """Why the gate must not be judged, empty where it may; a small slice has too few queries at most."""
    if metric in paired.incomparable:
        return paired.incomparable[metric]
    if reason := unanswered(one.queries, paired.errors | paired.failed_before, paired.not_run):
        return reason
    if one.small:
        return ""
    if one.stale:
        lost = _count(one.lost, one.in_baseline, "queries of the baseline are changed or gone")
        return f"{lost}; run pytest --update-baseline"
    if not one.queries:
        return "no queries"
    if not one.comparable:
        return "no baseline for these queries; run pytest --update-baseline"
    return "" if compared else f"no query has {metric} before and after"


def unanswered(members: Collection[str], errors: Collection[str], not_run: Collection[str]) -> str:
    """What is said of a slice with queries that have no score; empty where all have one."""
    for ids, what in ((errors, "queries failed"), (not_run, "queries were not run")):
        if missing := set(members).intersection(ids):
            return _count(missing, len(members), what)
    return ""


def _count(ids: Collection[str], total: int, what: str) -> str:
    """How many of how many, and up to three of their ids."""
    shown = ", ".join(sorted(ids)[:_SHOWN_IDS])
    return f"{len(ids)} of {total} {what}: {shown}{', ...' if len(ids) > _SHOWN_IDS else ''}"


def _adjusted(gates: Sequence[_Gate], policy: Policy) -> list[float]:
    """Each gate's p in its family, its own p outside of any; 1 without evidence."""
    adjusted = [gate.evidence.p if gate.evidence else 1.0 for gate in gates]
    family = [(place, gate.judged) for place, gate in enumerate(gates) if gate.judged and gate.judged.changed]
    for side in (FALL, RISE):
        if not any(evidence.direction == side for _, evidence in family):
            continue
        claims = [evidence.claim(side) for _, evidence in family]
        together = adjust(claims, 1 - policy.confidence, policy.correction)
        for (place, evidence), p in zip(family, together, strict=True):
            if evidence.direction == side:
                adjusted[place] = max(p, gates[place].run_p)
    return adjusted


def _decide(gate: _Gate, p_adjusted: float, policy: Policy) -> tuple[str, str]:
    """The verdict and its reason."""
    evidence = gate.evidence
    if gate.obstacle:
        return NOT_EVALUATED, gate.obstacle
    if evidence is None or gate.slice.small:
        return TOO_FEW, f"{len(gate.compared)} of at least {policy.min_queries}"
    if not evidence.changed:
        return UNCHANGED, ""
    alpha = 1 - policy.confidence + _TIE
    if evidence.second_key and p_adjusted <= alpha:
        if gate.comparison.paired.one_noisy_run:
            return (SUSPECTED if evidence.direction == FALL else PASS), _ONE_NOISY_RUN
        return (REGRESSION if evidence.direction == FALL else IMPROVED), ""
    if evidence.direction == FALL and evidence.p <= alpha:
        return SUSPECTED, "; ".join(_missing_keys(gate, evidence, p_adjusted, alpha))
    return PASS, ""


def _missing_keys(gate: _Gate, evidence: Evidence, p_adjusted: float, alpha: float) -> Iterator[str]:
    """What keeps a fall from being a regression."""
    if gate.run_p > alpha:
        yield f"the runs of one side differ among themselves by as much (p {gate.run_p:.3g})"
    elif p_adjusted > alpha:
        yield f"p is {evidence.p:.3g} alone but {p_adjusted:.3g} among all gates"
    if not evidence.second_key:
        upper = evidence.interval[1]
        yield f"the bootstrap interval reaches up to {upper:.3g} (p {evidence.bootstrap_p:.3g})"


def _with_numbers(row: Verdict, gate: _Gate, evidence: Evidence, p_adjusted: float) -> Verdict:
    differences, paired = evidence.differences, gate.comparison.paired
    before = [paired.before[row.metric][query] for query in differences.ids]
    after = [paired.after[row.metric][query] for query in differences.ids]
    return replace(
        row,
        better=int((differences.values > 0).sum()),
        worse=int((differences.values < 0).sum()),
        equal=int((differences.values == 0).sum()),
        before=_mean(before),
        after=_mean(after),
        difference=differences.points(int(differences.values.sum())),
        interval=evidence.interval,
        p=evidence.p,
        p_adjusted=p_adjusted,
    )


def _tells_falls(gate: _Gate) -> bool:
    """Whether a row says how many queries must fall."""
    return gate.judged is not None and len(gate.compared) <= _SMALL_SLICE


def _with_power(
    row: Verdict, gate: _Gate, level: float, confidence: float, p_instead: _Instead | None
) -> Verdict:
    """What the gate could have seen; ``level`` is its share of the error, ``p_instead`` today's family."""
    paired = gate.comparison.paired
    before = {query: paired.before[row.metric][query] for query in gate.compared}
    after = [paired.after[row.metric][query] for query in gate.compared]
    drop = detectable_drop(list(before.values()), after, gate.margin, level)
    falls = None
    if gate.judged and p_instead and _tells_falls(gate):
        own = gate.judged.claim(FALL)
        falls = fewest_falls(before, gate.margin, confidence, lambda claim: p_instead(own, claim))
    return replace(
        row, detectable_drop=None if drop is None else round(drop, _DROP_DIGITS), fewest_falls=falls
    )


def _mean(scores: Sequence[float]) -> float:
    return round(math.fsum(scores) / len(scores), _DIGITS)
