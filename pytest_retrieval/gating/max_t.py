"""Step-down max-T over shared sign flips (Westfall and Young 1993).

The signs of a query are flipped in all hypotheses at once, so that gates which move together
(two metrics, a kind and all queries, baseline and anchor) are not paid for twice. The statistic
of a hypothesis is T = -sum(u) / sqrt(sum(u^2)); flips never change its scale.

T is a whole number below 2^53 divided by one square root, so it is the same on every machine.
Statistics closer than :data:`TIE` are equal, and a tie counts as at least as extreme.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from pytest_retrieval.gating.flips import DRAWS, subset_sums
from pytest_retrieval.gating.hypothesis import Hypothesis

TIE = 1e-9
"""Statistics this close are equal; they are at most sqrt(queries)."""

MORE = 10
"""Blocks of draws where one block does not decide clearly."""

_CLEAR = 3  # Monte Carlo standard errors between an adjusted p and the level


def max_t(family: Sequence[Hypothesis], level: float) -> list[float]:
    """The p of each hypothesis as a member of the family, in the family's order.

    p = (1 + hits) / (1 + draws), where a hit is a draw in which any hypothesis that is not more
    extreme by itself reaches the statistic; made monotone, and never below the hypothesis' own
    p. 10,000 draws; ten times as many where an adjusted p lies within three standard errors of
    ``level``. No order of queries or hypotheses has any influence. A single one keeps its own p.
    """
    if len(family) < 2:
        return [hypothesis.p for hypothesis in family]
    ids = sorted({query for hypothesis in family for query in hypothesis.ids})
    place = {query: row for row, query in enumerate(ids)}
    u = np.zeros((len(ids), len(family)), np.int64)
    for column, hypothesis in enumerate(family):
        u[[place[query] for query in hypothesis.ids], column] = hypothesis.u
    scale = np.array([_root_of_squares(hypothesis.u) for hypothesis in family])
    totals = u.sum(axis=0)
    statistics = -totals / scale
    order = np.argsort(-statistics, kind="stable")
    hits, draws = np.zeros(len(family), np.int64), 0
    stepped: list[float] = []
    for block in range(MORE):
        sums = subset_sums(u, ids, block)
        hits += _hits((2 * sums - totals[:, None]) / scale[:, None], statistics, order)
        draws += DRAWS
        stepped = list(_monotone(hits, draws))
        if block == 0 and all(_is_clear(p, level) for p in stepped):
            break
    adjusted = [0.0] * len(family)
    for rank, index in enumerate(order):
        adjusted[index] = max(stepped[rank], family[index].p)
    return adjusted


def _root_of_squares(u: NDArray[np.int64]) -> float:
    """sqrt(sum(u^2)); 1 where all are 0. Python's integers, since squares leave int64."""
    return math.sqrt(sum(value * value for value in u.tolist())) or 1.0


def _hits(
    drawn: NDArray[np.float64], statistics: NDArray[np.float64], order: NDArray[np.intp]
) -> NDArray[np.int64]:
    """For each rank, the draws whose largest statistic among this and the later ranks reaches it."""
    hits = np.zeros(len(order), np.int64)
    largest = np.full(drawn.shape[1], -np.inf)
    for rank in range(len(order) - 1, -1, -1):
        np.maximum(largest, drawn[order[rank]], out=largest)
        hits[rank] = np.count_nonzero(largest >= statistics[order[rank]] - TIE)
    return hits


def _monotone(hits: NDArray[np.int64], draws: int) -> Iterator[float]:
    """The p of each rank, never below one before it."""
    highest = 0.0
    for count in hits.tolist():
        highest = max(highest, (1 + count) / (1 + draws))
        yield highest


def _is_clear(p: float, level: float) -> bool:
    return abs(p - level) > _CLEAR * math.sqrt(level * (1 - level) / DRAWS)
