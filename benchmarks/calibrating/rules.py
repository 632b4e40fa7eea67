"""The rules that are compared: ours, and those that it is measured against.

A rule takes differences (int64 units, shape [builds, n]), a margin in units and a level, and tells
which builds it calls a regression. The package's own functions decide where they are fast enough;
the mass of first keys goes through one matrix product, which :func:`fast_path_error` holds against
them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy import special, stats

from calibrating.populations import UNIT, Chance, Whole
from pytest_retrieval.gating.bootstrap import resample
from pytest_retrieval.gating.sign_flip import sign_flip_p

Red = NDArray[np.bool_]
Rule = Callable[[Whole, int, float], Red]

_ENUMERATED = 12  # up to so many queries all subsets are taken
_TIE = 1e-12
_RESAMPLES = 2_000
_FIXED = round(0.05 * UNIT)


class SignFlips:
    """Random subsets shared by many builds: exact sums, p valid at any number of draws."""

    def __init__(self, chance: Chance, draws: int) -> None:
        self._chance, self._draws = chance, draws
        self._subsets: dict[int, NDArray[np.float32]] = {}

    def p(self, u: Whole) -> NDArray[np.float64]:
        """The first key of each build; 1 where the mean is within the margin."""
        n = u.shape[1]
        p = np.ones(len(u))
        fallen = np.flatnonzero(u.sum(axis=1) < 0)
        subsets = self._of(n)
        for some in np.array_split(fallen, max(1, len(fallen) // 1000)):
            hits = np.count_nonzero(subsets @ u[some].T.astype(np.float32) >= 0, axis=0)
            p[some] = hits / len(subsets) if n <= _ENUMERATED else (1 + hits) / (1 + len(subsets))
        return p

    def _of(self, n: int) -> NDArray[np.float32]:
        if n not in self._subsets:
            if n <= _ENUMERATED:
                drawn = np.arange(2**n)[:, None] >> np.arange(n) & 1
            else:
                drawn = self._chance.integers(0, 2, (self._draws, n), dtype=np.int8)
            self._subsets[n] = drawn.astype(np.float32)
        return self._subsets[n]


def exact_p(u: Whole) -> float:
    """The package's own first key of one build."""
    return _cached_p(np.sort(u).tobytes())


@lru_cache(maxsize=100_000)
def _cached_p(values: bytes) -> float:
    u = np.frombuffer(values, np.int64)
    return sign_flip_p(u, [str(place) for place in range(len(u))])


def second_key(d: Whole, margin: int, level: float) -> bool:
    """The package's own second key of one build."""
    return _cached_upper(np.sort(d).tobytes(), level) < -margin * len(d)


@lru_cache(maxsize=100_000)
def _cached_upper(values: bytes, level: float) -> int:
    return resample(np.frombuffer(values, np.int64)).interval(1 - level)[1]


def both_keys(flips: SignFlips) -> Rule:
    """Our rule for a single gate. Few distinct values are decided by the package alone."""

    def red(d: Whole, margin: int, level: float) -> Red:
        u = d + margin
        if len(np.unique(d)) <= 3:
            p = np.array([exact_p(row) if row.sum() < 0 else 1.0 for row in u])
        else:
            p = flips.p(u)
        return np.array(
            [one <= level + _TIE and second_key(row, margin, level) for one, row in zip(p, d, strict=True)]
        )

    return red


def fast_path_error(flips: SignFlips, d: Whole, margin: int) -> float:
    """The largest deviation of the fast path from the package's p, in standard errors of a draw."""
    u = d + margin
    fast = flips.p(u)
    worst = 0.0
    for row, p in zip(u, fast, strict=True):
        if row.sum() < 0:
            exact = exact_p(row)
            if u.shape[1] <= _ENUMERATED:
                worst = max(worst, abs(p - exact) / 1e-9)
            else:
                error = np.sqrt(exact * (1 - exact) / flips._draws) + 1 / flips._draws
                worst = max(worst, abs(p - exact) / error)
    return worst


def student(d: Whole, margin: int, level: float) -> Red:
    """The paired t-test."""
    n = d.shape[1]
    spread = d.std(axis=1, ddof=1)
    excess = d.mean(axis=1) + margin
    with np.errstate(divide="ignore", invalid="ignore"):
        t = excess * np.sqrt(n) / spread
    return np.where(spread > 0, special.stdtr(n - 1, np.nan_to_num(t)) <= level, excess < 0)


def wilcoxon(d: Whole, margin: int, level: float) -> Red:
    """The signed-rank test by its normal approximation, zeros left out."""
    u = d + margin
    sizes = np.abs(u)
    zeros = np.count_nonzero(sizes == 0, axis=1)[:, None]
    ranks = np.where(sizes > 0, stats.rankdata(sizes, axis=1) - zeros, 0.0)
    gains = np.where(u > 0, ranks, 0.0).sum(axis=1)
    total = ranks.sum(axis=1)
    spread = np.sqrt((ranks**2).sum(axis=1) / 4)
    with np.errstate(divide="ignore", invalid="ignore"):
        z = (gains - total / 2) / spread
    return (spread > 0) & (special.ndtr(np.nan_to_num(z)) <= level)


class Resamples:
    """Percentile and BCa intervals from some thousand drawn resamples."""

    def __init__(self, chance: Chance) -> None:
        self._chance = chance
        self._counts: dict[int, NDArray[np.float32]] = {}

    def _sums(self, d: Whole) -> NDArray[np.float32]:
        n = d.shape[1]
        if n not in self._counts:
            drawn = self._chance.multinomial(n, np.full(n, 1 / n), _RESAMPLES)
            self._counts[n] = drawn.astype(np.float32)
        return d.astype(np.float32) @ self._counts[n].T

    def percentile(self, d: Whole, margin: int, level: float) -> Red:
        """The plain percentile interval's one-sided bound."""
        return (self._sums(d) >= -margin * d.shape[1]).mean(axis=1) <= level

    def bca(self, d: Whole, margin: int, level: float) -> Red:
        """Bias-corrected and accelerated (Efron 1987), scipy's definition of the bias."""
        sums = self._sums(d)
        total = d.sum(axis=1)[:, None]
        below = ((sums < total).mean(axis=1) + (sums <= total).mean(axis=1)) / 2
        bias = special.ndtri(np.clip(below, 1e-4, 1 - 1e-4))
        away = d - d.mean(axis=1)[:, None]
        squares = (away**2).sum(axis=1)
        with np.errstate(divide="ignore", invalid="ignore"):
            bend = np.nan_to_num((away**3).sum(axis=1) / (6 * squares**1.5))
        z = bias + special.ndtri(1 - level)
        share = special.ndtr(bias + z / (1 - bend * z))
        reached = (sums >= -margin * d.shape[1]).mean(axis=1)
        return reached <= 1 - share


def fixed(d: Whole, margin: int, level: float) -> Red:
    """No statistics: a drop of more than five points."""
    return d.sum(axis=1) < -_FIXED * d.shape[1]


def all_rules(chance: Chance, draws: int) -> tuple[dict[str, Rule], SignFlips]:
    """Ours first."""
    flips, resamples = SignFlips(chance, draws), Resamples(chance)
    rules: dict[str, Rule] = {
        "both keys (ours)": both_keys(flips),
        "paired t": student,
        "Wilcoxon": wilcoxon,
        "percentile": resamples.percentile,
        "BCa": resamples.bca,
        "5 points": fixed,
    }
    return rules, flips
