"""Floors: minima of a mean that were agreed, which need no baseline and hold for any number of queries."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence

from pytest_retrieval.gating.judging import unanswered
from pytest_retrieval.gating.pairing import Scores
from pytest_retrieval.gating.policy import Policy
from pytest_retrieval.gating.verdict import BELOW_FLOOR, FLOOR, NOT_EVALUATED, PASS, Verdict
from pytest_retrieval.golden.model import Query

_TIE = 1e-9
_DIGITS = 12


def check_floors(
    queries: Sequence[Query],
    scores: Scores,
    errors: Collection[str],
    not_run: Collection[str],
    policy: Policy,
) -> tuple[Verdict, ...]:
    """The verdicts on the policy's floors, which need no baseline: of all queries, then kind by kind.

    ``queries`` is the population without the queries that no document answers. A mean equal to
    its floor to 1e-9 passes. A slice with a query that was not run is not evaluated, nor is one
    with failed queries, unless the verdict is the same with these scored 0 and scored 1;
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
    failed = [query for query in members if query in errors]

    def row(word: str, reason: str = "", mean: float | None = None) -> Verdict:
        return Verdict(label, metric, FLOOR, word, reason, len(scored), after=mean, floor=floor)

    if reason := unanswered(members, (), not_run):
        return row(NOT_EVALUATED, reason)
    if not members:
        return row(NOT_EVALUATED, "no queries")
    if len(scored) + len(failed) < len(members):
        return row(NOT_EVALUATED, f"{metric} was not computed")
    least, most = _mean([*scored, *(0.0 for _ in failed)]), _mean([*scored, *(1.0 for _ in failed)])
    held = least >= floor - _TIE
    if held != (most >= floor - _TIE):
        return row(NOT_EVALUATED, unanswered(members, errors, ()))
    whatever = f"; {unanswered(members, errors, ())}, which changes nothing" if failed else ""
    if held:
        return row(PASS, whatever[2:], None if failed else least)
    return row(BELOW_FLOOR, f"{most:.6g} is below {floor:.6g}{whatever}", None if failed else least)


def _mean(scores: Sequence[float]) -> float:
    return round(math.fsum(scores) / len(scores), _DIGITS)
