"""The exact paired bootstrap of a mean: every resample at once instead of some thousand drawn.

The sum of n draws with replacement has the n-fold convolution of the sample's distribution;
on a grid that is the n-th power of its Fourier transform. Percentile intervals are too narrow
in small samples, so the percentile is widened to the width of Student's t (Hesterberg 2015):
a tail alpha becomes PHI(sqrt(n / (n - 1)) t[alpha, n - 1]).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from pytest_retrieval.gating.distributions import student_t_cdf, student_t_quantile

_CELLS = 2**18  # the largest transform of an exact grid: 20 ms
_FILLED = 2**17  # a rounded grid is as fine as this many cells allow ...
_PER_DEVIATION = 100  # ... and at least this fine: the spread is off by 1 in 100,000
_LOG_LEFT_OUT = 30.0  # -ln of the chance that a sum lies outside the cells, each side
_NOISE = 1e-16  # smaller masses are rounding of the transform
_TIE = 1e-12  # shares closer than this are equal


@dataclass(frozen=True, slots=True, eq=False)
class ResampledSums:
    """The distribution of the sum of ``draws`` draws with replacement.

    The sum is ``first + i * step`` with probability ``tail[i] - tail[i + 1]``: ``tail[i]`` is
    the chance of that sum or a larger one. ``lowest`` and ``highest`` are the extreme sums.
    All in the unit of the values.
    """

    draws: int
    first: int
    step: int
    tail: NDArray[np.float64]
    lowest: int
    highest: int

    def share_at_or_above(self, total: int) -> float:
        """The chance of a sum of at least ``total``."""
        index = min(max(-((self.first - total) // self.step), 0), len(self.tail) - 1)
        return float(self.tail[index])

    def interval(self, confidence: float) -> tuple[int, int]:
        """The lower and upper bound of the sum, each one-sided at ``confidence`` (0.5 to 1).

        The upper bound is the smallest sum that at most the (widened) tail exceeds. So it lies
        below a total exactly when :meth:`p` of that total is at most 1 - confidence.
        """
        tail = _widened(1 - confidence, self.draws) + _TIE
        upper = int(np.argmax(self.tail[1:] <= tail))
        lower = int(np.argmax(1 - self.tail[1:] > tail))
        return (
            max(self.first + lower * self.step, self.lowest),
            min(self.first + upper * self.step, self.highest),
        )

    def p(self, total: int) -> float:
        """The one-sided bootstrap p of "the expected sum is ``total`` or more", widened likewise.

        The share of resamples at or above ``total`` as a normal quantile z, then
        T[n - 1](z sqrt((n - 1) / n)); 0 or 1 where no resample says otherwise.
        """
        share = self.share_at_or_above(total)
        if not 0 < share < 1:
            return float(share >= 1)
        z = NormalDist().inv_cdf(share)
        return student_t_cdf(z * math.sqrt((self.draws - 1) / self.draws), self.draws - 1)


def resample(values: NDArray[np.int64]) -> ResampledSums:
    """All resamples of ``values`` (int64, shape [n], n of 1 or more), whatever their order.

    Exact on the greatest common step of the values where the transform stays below 2^18 cells.
    Otherwise each value is split over the two nearest points of a grid through 0, 1/100
    standard deviation wide or finer: that keeps the mean, and unchanged queries are exact. The
    resamples of one and the same sum are then spread over the neighbouring points.
    """
    n, lowest, highest = len(values), int(values.min()), int(values.max())
    spread = float(values.std())
    step = int(np.gcd.reduce(values - lowest)) or 1
    first = lowest
    if _window(n, (highest - lowest) // step, spread / step) > _CELLS:
        step = max(1, int(min(spread / _PER_DEVIATION, (highest - lowest) * n / _FILLED)))
        first = lowest // step * step
    cells, beyond = np.divmod(np.sort(values) - first, step)
    part = beyond / step
    counts = np.bincount(cells, 1 - part, int(cells[-1]) + 2) + np.bincount(cells + 1, part)
    one = counts[: int(np.flatnonzero(counts)[-1]) + 1].astype(np.float64) / n
    start, mass = _convolve(one, n, spread / step)
    tail = np.append(np.cumsum(mass[::-1])[::-1], 0.0)
    tail /= tail[0]
    return ResampledSums(n, n * first + start * step, step, tail, n * lowest, n * highest)


def _window(n: int, highest: int, spread: float) -> int:
    """How many cells hold the sum of ``n`` draws from 0 .. ``highest``, but for e^-30 each side.

    All of them, or what Bernstein's inequality leaves.
    """
    third = highest * _LOG_LEFT_OUT / 3
    reach = third + math.sqrt(third**2 + 2 * n * spread**2 * _LOG_LEFT_OUT)
    return min(n * highest + 1, 2 * math.ceil(reach) + 1)


def _convolve(one: NDArray[np.float64], n: int, spread: float) -> tuple[int, NDArray[np.float64]]:
    """The first cell and the masses of the sum of ``n`` draws from ``one``."""
    highest = len(one) - 1
    window = _window(n, highest, spread)
    length = 1 << (window - 1).bit_length()
    wrapped = np.fft.irfft(_power(np.fft.rfft(one, length), n), length) if length > 1 else np.ones(1)
    mean = n * float(one @ np.arange(len(one)))
    start = max(0, min(round(mean) - window // 2, n * highest + 1 - window))
    mass = wrapped[np.arange(start, start + window) % length]
    return start, np.where(mass > _NOISE, mass, 0.0)


def _power(base: NDArray[np.complex128], exponent: int) -> NDArray[np.complex128]:
    """By squaring: numpy's own power goes through logarithms and loses digits."""
    result = np.ones_like(base)
    while exponent:
        if exponent & 1:
            result = result * base
        exponent >>= 1
        if exponent:
            base = base * base
    return result


def _widened(alpha: float, n: int) -> float:
    if n == 1:
        return 0.0
    return NormalDist().cdf(math.sqrt(n / (n - 1)) * student_t_quantile(alpha, n - 1))
