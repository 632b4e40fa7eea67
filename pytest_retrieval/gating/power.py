"""The smallest true drop that a gate would have seen."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pytest_retrieval.gating.distributions import binomial_tail, student_t_quantile

POWER = 0.8

_RARE = 1e-9  # weight of the loss that is always possible, beside queries of weight 1
_HALVINGS = 60


def fewest_losses(alpha: float) -> int:
    """How many queries must at least get worse for the sign-flip test to reach ``alpha``: 2^-k <= alpha."""
    return math.ceil(-math.log2(alpha) - 1e-9)


def detectable_drop(
    before: Sequence[float], after: Sequence[float], margin: float, alpha: float
) -> float | None:
    """The smallest true drop of the mean (0 to 1) seen with 80 % power at the level ``alpha``.

    ``before`` and ``after`` are the scores of the same queries; ``alpha`` is the level of one
    gate (the family's divided by its size). The larger of two bounds:

    - margin + (t[1 - alpha, n - 1] + t[0.8, n - 1]) s / sqrt(n): the mean must stand out.
      s is the standard deviation of the differences *at that drop*: the sizes that were seen,
      each as likely to be a gain as a loss, tilted exponentially until their mean is the drop.
      For hit-like metrics that is s^2 = c + D - D^2 with the share c of paired gains and losses.
    - q l: enough queries must get worse. With k = ceil(log2(1 / alpha)), q solves
      P(Binomial(n, q) >= k) = 0.8, and l is the mean size of the changes seen.

    Where nothing changed, a query is imagined to lose all it has: the mean of the scores above
    0, which is 1 for hit-like metrics. None where no drop can be seen: fewer queries than k, or
    nothing above the margin to lose. 1 where only the loss of everything might be.
    """
    n, k = len(before), fewest_losses(alpha)
    scores = [score for score in before if score > 0]
    sizes = np.sort(np.abs(np.subtract(after, before)))
    changed = sizes[sizes > 0]
    everything = math.fsum(scores) / len(scores) if scores else 0.0
    if n < max(k, 2) or max(everything, sizes[-1]) <= margin:
        return None
    multiple = (student_t_quantile(1 - alpha, n - 1) + student_t_quantile(POWER, n - 1)) / math.sqrt(n)
    loss = math.fsum(changed) / len(changed) if len(changed) else everything
    needed = _share_of_losses(n, k) * loss
    return min(1.0, max(_standing_out(sizes, everything, margin, multiple), needed))


def _share_of_losses(n: int, k: int) -> float:
    """The q with P(Binomial(n, q) >= k) = POWER."""
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if binomial_tail(k, n, middle) >= POWER else (middle, high)
    return high


def _standing_out(sizes: NDArray[np.float64], everything: float, margin: float, multiple: float) -> float:
    """The drop D with D = margin + multiple * s(D)."""
    # A loss of everything stays possible however rarely seen, so that every drop can be reached.
    size, count = np.unique(np.append(sizes, everything), return_counts=True)
    weight = count.astype(np.float64)
    weight[np.searchsorted(size, everything)] += _RARE - 1

    def drop_and_spread(tilt: float) -> tuple[float, float]:
        losses = weight * np.exp(tilt * (size - size[-1]))
        gains = weight * np.exp(-tilt * (size + size[-1]))
        total = float((losses + gains).sum())
        drop = float((size * (losses - gains)).sum()) / total
        return drop, math.sqrt(max(float((size**2 * (losses + gains)).sum()) / total - drop**2, 0.0))

    def seen(tilt: float) -> bool:
        drop, spread = drop_and_spread(tilt)
        return drop >= margin + multiple * spread

    high = 1 / float(size[-1])
    while not seen(high) and high < 1e9:
        high *= 2
    low = 0.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if seen(middle) else (middle, high)
    return drop_and_spread(high)[0]
