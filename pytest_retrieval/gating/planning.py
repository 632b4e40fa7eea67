"""What a golden set will be able to see, before anything changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pytest_retrieval.gating.pairing import Paired, Scores
from pytest_retrieval.gating.policy import Policy
from pytest_retrieval.gating.power import expected_spread, fewest_falls, queries_needed, smallest_drop
from pytest_retrieval.gating.slices import Slice, cut
from pytest_retrieval.golden.model import Query


@dataclass(frozen=True, slots=True)
class Outlook:
    """What the gate of one slice and metric can see (drops in metric points).

    ``sees`` is the smallest true drop seen with 80 % power, ``falls`` how many queries must lose
    all they have; both None where the slice is not judged by itself or the loss of everything
    would not be enough. ``needed`` is the number of queries that see the drop in question, None
    where none does.
    """

    slice: Slice
    metric: str
    sees: float | None
    falls: int | None
    needed: int | None


def family_size(queries: Sequence[Query], policy: Policy) -> int:
    """How many gates share the error, when something changes in all of them."""
    return len(policy.metrics) * max(1, sum(not one.small for one in _slices(queries, policy)))


def look_ahead(
    queries: Sequence[Query], known: Scores, policy: Policy, drop: float, changed: float
) -> tuple[Outlook, ...]:
    """The outlooks of every slice, metric by metric.

    ``queries`` are those that some document answers. ``known`` holds the scores of one run, of
    as many queries as there are; see :func:`~pytest_retrieval.gating.power.expected_spread` for
    what they and the share ``changed`` (0 to 1) are for. Each gate is given the family's error
    divided by its size, which is a little pessimistic under max-T.
    """
    gates = family_size(queries, policy)
    return tuple(
        _outlook(one, metric, known, policy, gates, drop, changed)
        for metric in policy.metrics
        for one in _slices(queries, policy)
    )


def _slices(queries: Sequence[Query], policy: Policy) -> tuple[Slice, ...]:
    """The slices once every query is in the baseline."""
    held = {"": {query.id: 1.0 for query in queries}}
    return cut(Paired(tuple(queries), held, held), policy)


def _outlook(
    one: Slice, metric: str, known: Scores, policy: Policy, gates: int, drop: float, changed: float
) -> Outlook:
    level = (1 - policy.confidence) / gates
    margin = policy.margin(metric, one.kind)
    scores = [known[metric][query] for query in one.queries if query in known.get(metric, {})]
    spread = expected_spread(scores, changed)
    needed = queries_needed(drop, spread, margin, level)
    if needed is not None and one.label:
        needed = max(needed, policy.min_queries)
    if one.small:
        return Outlook(one, metric, None, None, needed)
    # A query of unknown score is taken for one that has all there is to lose on average.
    full = dict.fromkeys(one.queries, spread.everything)
    full |= {query: known[metric][query] for query in one.queries if query in known.get(metric, {})}
    return Outlook(
        slice=one,
        metric=metric,
        sees=smallest_drop(len(one.queries), spread, margin, level),
        falls=fewest_falls(full, margin, policy.confidence, lambda claim: claim.p * gates),
        needed=needed,
    )
