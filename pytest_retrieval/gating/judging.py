"""The judgement: every slice and metric tested, the family adjusted, a verdict for each."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from pytest_retrieval.gating.differences import take_differences
from pytest_retrieval.gating.evidence import FALL, RISE, Evidence, weigh
from pytest_retrieval.gating.multiplicity import Hypothesis, adjust, admission
from pytest_retrieval.gating.pairing import Paired, Scores
from pytest_retrieval.gating.policy import Policy
from pytest_retrieval.gating.power import detectable_drop, fewest_falls
from pytest_retrieval.gating.slices import Slice, cut
from pytest_retrieval.gating.verdict import (
    BELOW_FLOOR,
    IMPROVED,
    NOT_EVALUATED,
    PASS,
    REGRESSION,
    SUSPECTED,
    TOO_FEW,
    UNCHANGED,
    Verdict,
)
from pytest_retrieval.golden.model import Query

_DIGITS = 12  # of means, so that no machine's last bit is kept
_DROP_DIGITS = 6  # of the detectable drop, an estimate
_TIE = 1e-12  # p this close above alpha reaches it: 1 - 0.95 is not 0.05 in binary
_FLOOR_TIE = 1e-9
_SHOWN_IDS = 3
_SMALL_SLICE = 30  # up to here a row says how many queries must fall

_Instead = Callable[[Hypothesis, Hypothesis], float]


@dataclass(frozen=True, slots=True, eq=False)
class _Gate:
    """One slice and metric: the evidence on it, or the ``obstacle`` that keeps it from judgement.

    ``compared`` are the ids with a score on both sides. Without any there is no evidence.
    """

    slice: Slice
    metric: str
    margin: float
    compared: tuple[str, ...]
    obstacle: str
    evidence: Evidence | None

    @property
    def judged(self) -> Evidence | None:
        """The evidence that a verdict of its own may rest on."""
        return None if self.slice.small else self.evidence


def judge(paired: Paired, policy: Policy, against: str = "baseline") -> tuple[Verdict, ...]:
    """The verdicts of a comparison: slice by slice, each with the policy's metrics in order.

    Slices are those of :func:`~pytest_retrieval.gating.slices.cut`. A regression needs two
    keys at the level 1 - ``policy.confidence``: the sign-flip test, adjusted for the family
    of all judged gates in which something changed, and the paired bootstrap interval of the
    difference below -margin. Improved is the mirror image with a family of its own. The
    result does not depend, to the last bit, on the order of queries.
    """
    gates = [_gate(one, metric, paired, policy) for one in cut(paired, policy) for metric in policy.metrics]
    level = (1 - policy.confidence) / max(1, sum(gate.judged is not None for gate in gates))
    family = [gate.judged.claim(FALL) for gate in gates if gate.judged and gate.judged.changed]
    p_instead = admission(family, policy.correction) if any(map(_tells_falls, gates)) else None
    rows = []
    for gate, p_adjusted in zip(gates, _adjusted(gates, policy), strict=True):
        word, reason = _decide(gate, p_adjusted, policy)
        row = Verdict(
            gate.slice.label, gate.metric, against, word, reason, len(gate.compared), margin=gate.margin
        )
        if gate.evidence:
            row = _with_numbers(row, gate.evidence, p_adjusted, paired)
            row = _with_power(row, gate, paired, level, policy.confidence, p_instead)
        rows.append(row)
    return tuple(rows)


def _gate(one: Slice, metric: str, paired: Paired, policy: Policy) -> _Gate:
    margin = policy.margin(metric, one.kind)
    before, after = paired.before.get(metric, {}), paired.after.get(metric, {})
    compared = tuple(query for query in one.comparable if query in before and query in after)
    obstacle = _obstacle(one, metric, paired, compared)
    if obstacle or not compared:
        return _Gate(one, metric, margin, compared, obstacle, None)
    differences = take_differences(before, after, compared, margin)
    return _Gate(one, metric, margin, compared, "", weigh(differences, policy.confidence))


def _obstacle(one: Slice, metric: str, paired: Paired, compared: Collection[str]) -> str:
    """Why the gate must not be judged, empty where it may; a small slice has too few queries at most."""
    if metric in paired.incomparable:
        return paired.incomparable[metric]
    if reason := _unanswered(one.queries, paired.errors, paired.not_run):
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


def _unanswered(members: Collection[str], errors: Collection[str], not_run: Collection[str]) -> str:
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
                adjusted[place] = p
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
        return (REGRESSION if evidence.direction == FALL else IMPROVED), ""
    if evidence.direction == FALL and evidence.p <= alpha:
        return SUSPECTED, "; ".join(_missing_keys(evidence, p_adjusted, alpha))
    return PASS, ""


def _missing_keys(evidence: Evidence, p_adjusted: float, alpha: float) -> Iterator[str]:
    """What keeps a fall from being a regression."""
    if p_adjusted > alpha:
        yield f"p is {evidence.p:.3g} alone but {p_adjusted:.3g} among all gates"
    if not evidence.second_key:
        upper = evidence.interval[1]
        yield f"the bootstrap interval reaches up to {upper:.3g} (p {evidence.bootstrap_p:.3g})"


def _with_numbers(row: Verdict, evidence: Evidence, p_adjusted: float, paired: Paired) -> Verdict:
    differences = evidence.differences
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
    row: Verdict, gate: _Gate, paired: Paired, level: float, confidence: float, p_instead: _Instead | None
) -> Verdict:
    """What the gate could have seen; ``level`` is its share of the error, ``p_instead`` today's family."""
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


def check_floors(
    queries: Sequence[Query],
    scores: Scores,
    errors: Collection[str],
    not_run: Collection[str],
    policy: Policy,
) -> tuple[Verdict, ...]:
    """The verdicts on the policy's floors, which need no baseline: of all queries, then kind by kind.

    ``queries`` is the population without the queries that no document answers. A mean equal to
    its floor to 1e-9 passes. A slice with a query that failed or was not run is not evaluated;
    a kind that the population lacks has no row.
    """
    groups: list[tuple[dict[str, object], list[str], Mapping[str, float]]]
    groups = [({}, [query.id for query in queries], policy.floors)]
    for kind in sorted({query.kind for query in queries}.intersection(policy.kinds)):
        members = [query.id for query in queries if query.kind == kind]
        groups.append(({"kind": kind}, members, policy.kinds[kind].floors))
    return tuple(
        _floor_verdict(label, metric, floor, members, scores.get(metric, {}), errors, not_run)
        for label, members, floors in groups
        for metric, floor in floors.items()
    )


def _floor_verdict(
    label: Mapping[str, object],
    metric: str,
    floor: float,
    members: Sequence[str],
    scores: Mapping[str, float],
    errors: Collection[str],
    not_run: Collection[str],
) -> Verdict:
    scored = [scores[query] for query in members if query in scores]
    if reason := _unanswered(members, errors, not_run):
        return Verdict(label, metric, "floor", NOT_EVALUATED, reason, len(scored), floor=floor)
    if not scored or len(scored) < len(members):
        reason = f"{metric} was not computed" if members else "no queries"
        return Verdict(label, metric, "floor", NOT_EVALUATED, reason, len(scored), floor=floor)
    mean = _mean(scored)
    held = mean >= floor - _FLOOR_TIE
    reason = "" if held else f"{mean:.6g} is below {floor:.6g}"
    word = PASS if held else BELOW_FLOOR
    return Verdict(label, metric, "floor", word, reason, len(scored), after=mean, floor=floor)
