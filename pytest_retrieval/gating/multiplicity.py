"""Many gates, one promise: the chance of any false alarm among them stays at the level."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pytest_retrieval.gating.hypothesis import Hypothesis
from pytest_retrieval.gating.max_t import draw, max_t
from pytest_retrieval.gating.policy import HOLM

__all__ = ["Hypothesis", "adjust", "admission", "holm"]


def adjust(family: Sequence[Hypothesis], level: float, correction: str) -> list[float]:
    """The p of each hypothesis as a member of the family, in the family's order.

    Rejecting where this is at most ``level`` keeps the chance of any false rejection at it.
    ``correction`` is one of :data:`~pytest_retrieval.gating.policy.CORRECTIONS`. The same claim
    is taken once, however often it comes: while the anchor equals the baseline, where two
    metrics move alike, or where only one kind moved and the margin is 0. (Flips keep equal
    claims equal, so which ones are is no news about the signs.)
    """
    essences = [hypothesis.essence() for hypothesis in family]
    first = {essence: place for place, essence in reversed(list(enumerate(essences)))}
    distinct = sorted(first.values())
    claims = [family[place] for place in distinct]
    together = holm([claim.p for claim in claims]) if correction == HOLM else max_t(claims, level)
    p_of = dict(zip(distinct, together, strict=True))
    return [p_of[first[essence]] for essence in essences]


def admission(family: Sequence[Hypothesis], correction: str) -> Callable[[Hypothesis, Hypothesis], float]:
    """What p a claim would have in the family in the place of one of its members.

    The function takes the member, which need not be in the family, and the claim. Members that
    say the same as the one replaced go with it.
    """
    essences = [hypothesis.essence() for hypothesis in family]
    drawn = draw(family) if family and correction != HOLM else None

    def p_of(member: Hypothesis, claim: Hypothesis) -> float:
        own = member.essence()
        rivals = {essence: place for place, essence in enumerate(essences) if essence != own}.values()
        if drawn is None:
            return holm([*(family[place].p for place in rivals), claim.p])[-1]
        return drawn.p_of_another(claim, sorted(rivals))

    return p_of


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's step-down adjusted p values (Holm 1979), in the order given, each at most 1."""
    adjusted = [0.0] * len(p_values)
    highest = 0.0
    for rank, index in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[index]))
        adjusted[index] = highest
    return adjusted
