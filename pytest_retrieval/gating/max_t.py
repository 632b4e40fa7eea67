"""Step-down max-T over shared sign flips (Westfall and Young 1993).

The signs of a query are flipped in all hypotheses at once, so that gates which move together
(two metrics, a kind and all queries, baseline and anchor) are not paid for twice. The statistic
of a hypothesis is T = -sum(u) / sqrt(sum(u^2)); flips never change its scale.

T is a whole number below 2^53 divided by one square root, so it is the same on every machine.
Statistics closer than :data:`TIE` are equal, and a tie counts as at least as extreme.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pytest_retrieval.gating.flips import DRAWS, subset_sums
from pytest_retrieval.gating.hypothesis import Hypothesis

TIE = 1e-9
"""Statistics this close are equal; they are at most sqrt(queries)."""

MORE = 10
"""Blocks of draws where one block does not decide clearly."""

_CLEAR = 3  # Monte Carlo standard errors between an adjusted p and the level


@dataclass(frozen=True, slots=True, eq=False)
class DrawnFamily:
    """The statistics of a family (float64, shape [hypotheses]) and those of a block of flips.

    ``drawn`` has shape [hypotheses, DRAWS].
    """

    statistics: NDArray[np.float64]
    drawn: NDArray[np.float64]

    def hits(self) -> NDArray[np.int64]:
        """For each hypothesis the draws in which it or one with a smaller statistic reaches its own."""
        hits = np.zeros(len(self.statistics), np.int64)
        largest = np.full(self.drawn.shape[1], -np.inf)
        for index in self.order()[::-1]:
            np.maximum(largest, self.drawn[index], out=largest)
            hits[index] = np.count_nonzero(largest >= self.statistics[index] - TIE)
        return hits

    def order(self) -> NDArray[np.intp]:
        """The hypotheses from the largest statistic to the smallest."""
        return np.argsort(-self.statistics, kind="stable")

    def stepped_down(self, hits: NDArray[np.int64], draws: int) -> NDArray[np.float64]:
        """The p of each hypothesis, never below that of one with a larger statistic."""
        p, order = np.empty(len(hits)), self.order()
        p[order] = np.maximum.accumulate((1 + hits[order]) / (1 + draws))
        return p

    def p_of_another(self, claim: Hypothesis, among: Sequence[int]) -> float:
        """The p that ``claim`` would have in a family with those hypotheses, from one block of draws."""
        another = draw([claim])
        rivals = list(among)
        family = DrawnFamily(
            np.append(self.statistics[rivals], another.statistics),
            np.concatenate([self.drawn[rivals], another.drawn]),
        )
        return max(float(family.stepped_down(family.hits(), DRAWS)[-1]), claim.p) if rivals else claim.p


def draw(family: Sequence[Hypothesis], block: int = 0) -> DrawnFamily:
    """Flip the signs of all queries of a family of one or more, in every hypothesis at once."""
    ids = sorted({query for hypothesis in family for query in hypothesis.ids})
    place = {query: row for row, query in enumerate(ids)}
    u = np.zeros((len(ids), len(family)), np.int64)
    for column, hypothesis in enumerate(family):
        u[[place[query] for query in hypothesis.ids], column] = hypothesis.u
    scale = np.array([_root_of_squares(hypothesis.u) for hypothesis in family])
    totals = u.sum(axis=0)
    sums = subset_sums(u, ids, block)
    return DrawnFamily(-totals / scale, (2 * sums - totals[:, None]) / scale[:, None])


def max_t(family: Sequence[Hypothesis], level: float) -> list[float]:
    """The p of each hypothesis as a member of the family, in the family's order.

    p = (1 + hits) / (1 + draws), where a hit is a draw in which any hypothesis that is not more
    extreme by itself reaches the statistic; made monotone, and never below the hypothesis' own
    p. 10,000 draws; ten times as many where an adjusted p lies within three standard errors of
    ``level``. No order of queries or hypotheses has any influence. A single one keeps its own p.
    """
    if len(family) < 2:
        return [hypothesis.p for hypothesis in family]
    drawn = draw(family)
    hits = drawn.hits()
    p = drawn.stepped_down(hits, DRAWS)
    if not (np.abs(p - level) > _CLEAR * math.sqrt(level * (1 - level) / DRAWS)).all():
        hits += sum(draw(family, block).hits() for block in range(1, MORE))
        p = drawn.stepped_down(hits, MORE * DRAWS)
    return [max(alone, hypothesis.p) for alone, hypothesis in zip(p.tolist(), family, strict=True)]


def _root_of_squares(u: NDArray[np.int64]) -> float:
    """sqrt(sum(u^2)); 1 where all are 0. Python's integers, since squares leave int64."""
    return math.sqrt(sum(value * value for value in u.tolist())) or 1.0
