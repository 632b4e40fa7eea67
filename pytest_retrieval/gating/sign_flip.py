"""The exact one-sided sign-flip test.

If the sign of every difference were decided by a fair coin, how often would the sum be as
large as 0 or larger? In other words: of all subsets of the queries, which share has a sum of
at least 0? (Fisher 1935; read as random halves of the queries, Hartigan 1969.)

Swapping "in" and "out" for every gain shows that this share is the chance that a random subset
of the *sizes* |u| sums to no more than the sum of the gains. Three engines find it, the first
that can: counting subsets, adding size after size on a grid, drawing.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pytest_retrieval.gating.flips import DRAWS, subset_sums

Whole = NDArray[np.int64]
Real = NDArray[np.float64]

GRID_QUERIES = 2_000
"""Up to this many changed queries the test is computed, above it is drawn."""

_SUMS = 2**17  # subset sums in memory for each half of the queries
_EXACT_WORK = 2**26  # additions: 0.05 s
_ROUNDED_WORK = 2**25


def sign_flip_p(u: Whole, ids: Sequence[str]) -> float:
    """The share of all subsets S of the queries with sum(u over S) >= 0, the empty set included.

    ``u`` (int64, shape [queries]) is the difference plus the margin per query, in any unit;
    ``ids`` are the queries' ids, which seed the draws of the third engine. The result lies
    between 2^-n and 1 and does not depend on the order of the queries. It is exact (but for
    the last bits of float64) up to 34 changed queries, for any number of them with few
    distinct sizes, and up to 2,000 where the sizes have a common step that is not too fine.
    Otherwise :func:`add_on_a_grid` tells the error; above 2,000 it is drawn,
    p = (1 + hits) / (1 + draws).
    """
    changed = u != 0
    sizes = np.sort(np.abs(u[changed]))
    gains = int(u[u > 0].sum())
    # A size above the sum of the gains is in none of the counted subsets: a factor 1/2 each.
    possible = sizes[sizes <= gains]
    share = count_subsets(possible, gains)
    if share is None and len(possible) <= GRID_QUERIES:
        share = add_on_a_grid(possible, gains)
    if share is None:
        return draw_subsets(u[changed], [query for query, keep in zip(ids, changed, strict=True) if keep])
    return math.ldexp(share, len(possible) - len(sizes))


def count_subsets(sizes: Whole, limit: int) -> float | None:
    """The share of subsets of ``sizes`` (ascending) with a sum of at most ``limit``, counted.

    Equal sizes are taken together (their number in a subset is binomial), and the subsets of
    one half of the groups are looked up against those of the other. None when a half has more
    than 2^17 combinations.
    """
    distinct, counts = np.unique(sizes, return_counts=True)
    halves: tuple[list[int], list[int]] = ([], [])
    combinations = [1, 1]
    for group in np.argsort(-counts, kind="stable"):
        side = int(combinations[1] < combinations[0])
        halves[side].append(int(group))
        combinations[side] *= int(counts[group]) + 1
    if max(combinations) > _SUMS:
        return None
    left, left_weights = _subset_sums(distinct[halves[0]], counts[halves[0]])
    right, right_weights = _subset_sums(distinct[halves[1]], counts[halves[1]])
    order = np.argsort(left, kind="stable")
    at_most = np.concatenate([[0.0], np.cumsum(left_weights[order])])
    fitting = np.searchsorted(left[order], limit - right, side="right")
    return math.fsum(right_weights * at_most[fitting])


def _subset_sums(sizes: Whole, counts: Whole) -> tuple[Whole, Real]:
    """Every combination's sum and probability, for ``counts`` coins of each size."""
    sums, weights = np.zeros(1, np.int64), np.ones(1)
    for size, count in zip(sizes, counts, strict=True):
        chosen = np.arange(count + 1)
        sums = np.add.outer(sums, size * chosen).ravel()
        weights = np.multiply.outer(weights, _coin_weights(int(count))).ravel()
    return sums, weights


def _coin_weights(coins: int) -> Real:
    """The chance of 0, 1, ... heads among ``coins`` fair coins, each correctly rounded."""
    ways, all_ways, weights = 1, 1 << coins, np.empty(coins + 1)
    for heads in range(coins + 1):
        weights[heads] = ways / all_ways
        ways = ways * (coins - heads) // (heads + 1)
    return weights


def add_on_a_grid(sizes: Whole, limit: int) -> float:
    """The share of subsets of 1 to 2,000 ``sizes`` (ascending) with a sum of at most ``limit``.

    Starts with one empty subset and adds the sizes one after the other, each in or out. On the
    sizes' greatest common step this is exact. Where that step is too fine for it, every size
    is rounded to a grid of about 2^25 / n steps, and a subset's sum is estimated from its
    rounded sum by the least-squares line over all subsets. What the line leaves over has
    standard deviation t; subsets up to ``limit`` + 2 t are counted, so that those equal to
    ``limit`` are. The share is then too large by about the chance of a sum within 2 t above
    ``limit``: less than 0.001 from 100 sizes on.
    """
    step = int(np.gcd.reduce(sizes))
    if len(sizes) * (limit // step + 1) <= _EXACT_WORK:
        return _add_up((sizes // step).tolist(), limit // step)
    grid = limit / (_ROUNDED_WORK // len(sizes))
    rounded = np.rint(sizes / grid)
    slope = float(sizes @ rounded) / float(rounded @ rounded)
    left_over = sizes - slope * rounded
    highest = limit - math.fsum(left_over) / 2 + 2 * math.sqrt(math.fsum(left_over**2)) / 2
    return _add_up(rounded.astype(np.int64).tolist(), math.floor(highest / slope))


def _add_up(steps: Sequence[int], limit: int) -> float:
    """The share of subsets of ``steps`` (ascending) with a sum of at most ``limit``."""
    # Numbers of subsets times 2^-1000: up to 2,000 steps they neither overflow nor vanish.
    subsets = np.zeros(limit + 1)
    subsets[0] = math.ldexp(1.0, -1000)
    highest = 0
    for step in steps:
        highest = min(highest + step, limit)
        subsets[step : highest + 1] += subsets[: max(highest + 1 - step, 0)]
    # A running sum: its order, and so its last bit, is the same on every machine.
    return math.ldexp(float(np.cumsum(subsets)[-1]), 1000 - len(steps))


def draw_subsets(u: Whole, ids: Sequence[str]) -> float:
    """The share of drawn subsets with a sum of at least 0, the whole sample counted as one more."""
    return (1 + int((subset_sums(u[:, None], ids) >= 0).sum())) / (1 + DRAWS)
