"""What a gate can see: the smallest drop, the fewest losses, the queries that a drop needs."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pytest_retrieval.gating.differences import take_differences
from pytest_retrieval.gating.distributions import binomial_tail, student_t_quantile
from pytest_retrieval.gating.evidence import FALL, weigh
from pytest_retrieval.gating.hypothesis import Hypothesis
from pytest_retrieval.gating.policy import Policy

POWER = 0.8

MOST_QUERIES = 1_000_000
"""No plan asks for more queries than this."""

_RARE = 1e-9  # weight of the loss that is always possible, beside weights that sum to 1
_HALVINGS = 60
_TIE = 1e-12
_GRID = 1_000  # steps of a score where only its spread matters


@dataclass(frozen=True, slots=True, eq=False)
class Spread:
    """How much the scores of a slice change from build to build.

    ``sizes`` (float64, ascending, 0 to 1) are absolute differences and ``weights`` their shares
    of the queries, which sum to 1; an unchanged query has size 0. ``everything`` is what a query
    can lose (0 to 1).
    """

    sizes: NDArray[np.float64]
    weights: NDArray[np.float64]
    everything: float

    @property
    def loss(self) -> float:
        """The mean size of a change; where nothing changes, a query loses all it has."""
        changed = self.sizes > 0
        share = math.fsum(self.weights[changed])
        return math.fsum((self.sizes * self.weights)[changed]) / share if share else self.everything


def seen_spread(before: Sequence[float], after: Sequence[float]) -> Spread:
    """The spread between two runs; the scores are those of the same queries, one or more."""
    sizes, counts = np.unique(np.abs(np.subtract(after, before)), return_counts=True)
    return Spread(sizes, counts / len(before), _everything(before))


def expected_spread(scores: Sequence[float], changed: float) -> Spread:
    """The spread to be expected when a share ``changed`` (0 to 1) of the queries changes.

    A query that changes gets the score of another one, so that the sizes are those of the
    differences between the queries' ``scores`` in one run. Where all scores are alike it loses all
    it has, and where there are none, all there is: the widest spread.
    """
    everything = _everything(scores) if len(scores) else 1.0
    counts = np.bincount(np.rint(np.multiply(scores, _GRID)).astype(np.int64), minlength=_GRID + 1)
    pairs = np.correlate(counts, counts, "full")[_GRID + 1 :].astype(np.float64)
    if not pairs.any():
        return Spread(np.array([0.0, everything]), np.array([1 - changed, changed]), everything)
    sizes = np.flatnonzero(pairs) + 1
    weights = pairs[sizes - 1] / pairs.sum() * changed
    return Spread(np.append(0.0, sizes / _GRID), np.append(1 - changed, weights), everything)


def _everything(scores: Sequence[float]) -> float:
    """The mean of the scores above 0: what a query can lose. 1 for hit-like metrics."""
    some = [score for score in scores if score > 0]
    return math.fsum(some) / len(some) if some else 0.0


def fewest_losses(alpha: float) -> int:
    """How many queries must at least get worse for the sign-flip test to reach ``alpha``: 2^-k <= alpha."""
    return math.ceil(-math.log2(alpha) - 1e-9)


def can_never_fail(queries: int, policy: Policy) -> bool:
    """Whether no comparison of so many queries can end in a regression, however bad the run.

    So it is with fewer queries than the sign-flip test needs losses (five at 95 %), since the
    largest slice holds them all, and where the margins allow the loss of everything. Other gates
    cannot stand in the way: one whose scores stay the same is in no family. Floors are another
    matter.
    """
    kinds = (margin for kind in policy.kinds.values() for margin in kind.margins.values())
    return queries < fewest_losses(1 - policy.confidence) or min((*policy.margins.values(), *kinds)) >= 1


def fewest_falls(
    scores: Mapping[str, float],
    margin: float,
    confidence: float,
    adjusted: Callable[[Hypothesis], float],
) -> int | None:
    """How many queries must lose all they have, the others unchanged, for a regression.

    ``scores`` maps the slice's query ids to their scores before; all who have something are taken
    to have the same, their mean. Both keys are computed; ``adjusted`` gives the first one's p in
    the family. None where the loss of everything is not enough.
    """
    loss = _everything(list(scores.values()))
    full = dict.fromkeys(scores, loss)
    losers = sorted(query for query, score in scores.items() if score > 0)
    alpha = 1 - confidence
    for falls in range(fewest_losses(alpha), len(losers) + 1):
        after = {**full, **dict.fromkeys(losers[:falls], 0.0)}
        evidence = weigh(take_differences(full, after, scores, margin), confidence)
        alone = evidence.second_key and evidence.p <= alpha + _TIE
        if alone and adjusted(evidence.claim(FALL)) <= alpha + _TIE:
            return falls
    return None


def detectable_drop(
    before: Sequence[float], after: Sequence[float], margin: float, alpha: float
) -> float | None:
    """The smallest true drop that a gate would have seen, by the spread between two runs.

    ``before`` and ``after`` are the scores of the same queries. See :func:`smallest_drop`.
    """
    return smallest_drop(len(before), seen_spread(before, after), margin, alpha)


def smallest_drop(n: int, spread: Spread, margin: float, alpha: float) -> float | None:
    """The smallest true drop of the mean (0 to 1) seen with 80 % power at the level ``alpha``.

    ``n`` is the number of queries, ``alpha`` the level of one gate (the family's divided by its
    size). The larger of two bounds:

    - margin + (t[1 - alpha, n - 1] + t[0.8, n - 1]) s / sqrt(n): the mean must stand out.
      s is the standard deviation of the differences *at that drop*: the sizes of the spread,
      each as likely to be a gain as a loss, tilted exponentially until their mean is the drop.
      For hit-like metrics that is s^2 = c + D - D^2 with the share c of paired gains and losses.
    - q l: enough queries must get worse. With k = ceil(log2(1 / alpha)), q solves
      P(Binomial(n, q) >= k) = 0.8, and l is the mean size of a change.

    Where nothing changed, a query is imagined to lose all it has: the mean of the scores above
    0, which is 1 for hit-like metrics. None where no drop can be seen: fewer queries than k, or
    nothing above the margin to lose. 1 where only the loss of everything might be.
    """
    k = fewest_losses(alpha)
    if n < max(k, 2) or max(spread.everything, spread.sizes[-1]) <= margin:
        return None
    multiple = (student_t_quantile(1 - alpha, n - 1) + student_t_quantile(POWER, n - 1)) / math.sqrt(n)
    needed = _share_of_losses(n, k) * spread.loss
    return min(1.0, max(_standing_out(spread, margin, multiple), needed))


def queries_needed(drop: float, spread: Spread, margin: float, alpha: float) -> int | None:
    """The smallest number of queries whose :func:`smallest_drop` is ``drop`` (0 to 1) or less.

    None where the drop lies within the margin, exceeds what there is to lose, or needs more than
    :data:`MOST_QUERIES`.
    """

    def seen(n: int) -> bool:
        smallest = smallest_drop(n, spread, margin, alpha)
        return smallest is not None and smallest <= drop

    if drop <= margin or not seen(MOST_QUERIES):
        return None
    low, high = 1, 16
    while not seen(high):
        low, high = high, min(2 * high, MOST_QUERIES)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if seen(middle) else (middle, high)
    return high


def _share_of_losses(n: int, k: int) -> float:
    """The q with P(Binomial(n, q) >= k) = POWER."""
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if binomial_tail(k, n, middle) >= POWER else (middle, high)
    return high


def _standing_out(spread: Spread, margin: float, multiple: float) -> float:
    """The drop D with D = margin + multiple * s(D)."""
    # A loss of everything stays possible however rarely seen, so that every drop can be reached.
    size = np.append(spread.sizes, spread.everything)
    weight = np.append(spread.weights, _RARE)
    largest = float(size.max())

    def drop_and_spread(tilt: float) -> tuple[float, float]:
        losses = weight * np.exp(tilt * (size - largest))
        gains = weight * np.exp(-tilt * (size + largest))
        total = float((losses + gains).sum())
        drop = float((size * (losses - gains)).sum()) / total
        return drop, math.sqrt(max(float((size**2 * (losses + gains)).sum()) / total - drop**2, 0.0))

    def seen(tilt: float) -> bool:
        drop, deviation = drop_and_spread(tilt)
        return drop >= margin + multiple * deviation

    high = 1 / largest
    while not seen(high) and high < 1e9:
        high *= 2
    low = 0.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if seen(middle) else (middle, high)
    return drop_and_spread(high)[0]
