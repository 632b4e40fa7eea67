"""Builds without and with a true change: synthetic ones, and real scores tilted to a known truth.

Differences are whole numbers of 1 / UNIT: halves to tenths and the margins are exact on that grid,
and sums over 1,000 queries are exact even in float32.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

UNIT = 12_600
SCORES = Path(__file__).resolve().parents[2] / "../shared/data/cranfield_scores/scores.npz"

Whole = NDArray[np.int64]
Chance = np.random.Generator
Draw = Callable[[Chance, int, int], Whole]
"""(chance, builds, n) -> differences, int64, shape [builds, n]"""


def points(value: float) -> int:
    """Metric points in units of the grid."""
    return round(value * UNIT)


def _some(changed: float, sizes: Callable[[Chance, tuple[int, int]], Whole]) -> Draw:
    """A share of the queries changes, by sizes whose distribution is symmetric about 0."""

    def draw(chance: Chance, builds: int, n: int) -> Whole:
        shape = (builds, n)
        return np.where(chance.random(shape) < changed, sizes(chance, shape), 0)

    return draw


def _hits(chance: Chance, shape: tuple[int, int]) -> Whole:
    return UNIT * chance.choice(np.array([-1, 1]), shape)


def _ranks(chance: Chance, shape: tuple[int, int]) -> Whole:
    scores = np.array([0, *(UNIT // rank for rank in range(1, 11))])
    return chance.choice(scores, shape) - chance.choice(scores, shape)


def _graded(spread: float) -> Callable[[Chance, tuple[int, int]], Whole]:
    return lambda chance, shape: np.rint(np.clip(chance.normal(0, spread, shape), -1, 1) * UNIT).astype(
        np.int64
    )


SYMMETRIC: dict[str, Draw] = {
    "hit, 5 % change": _some(0.05, _hits),
    "hit, 20 % change": _some(0.2, _hits),
    "hit, 60 % change": _some(0.6, _hits),
    "rr, 30 % change": _some(0.3, _ranks),
    "rr, all change": _some(1.0, _ranks),
    "graded, 30 % change": _some(0.3, _graded(0.2)),
    "graded, all change": _some(1.0, _graded(0.15)),
}


def lossy_hits(losses: float, churn: float) -> Draw:
    """Hits of which a share is lost, besides a share that comes and goes."""

    def draw(chance: Chance, builds: int, n: int) -> Whole:
        fate = chance.random((builds, n))
        lost, won = fate < losses + churn / 2, fate > 1 - churn / 2
        return UNIT * (won.astype(np.int64) - lost)

    return draw


def shifted_graded(drop: float, changed: float, spread: float) -> Draw:
    """Graded scores of which a share changes, so that the mean falls by ``drop``."""

    def draw(chance: Chance, builds: int, n: int) -> Whole:
        moved = np.rint(chance.normal(-drop / changed, spread, (builds, n)) * UNIT).astype(np.int64)
        return np.where(chance.random((builds, n)) < changed, moved, 0)

    return draw


def tilted(values: Whole, mean: float) -> NDArray[np.float64] | None:
    """The weights of ``values`` (in units) that give them this mean, in metric points.

    Exponential tilting keeps ties, steps and skew; None where no weights on the values reach it.
    """
    scores = values / UNIT
    if not scores.min() < mean < scores.max():
        return None
    low, high = -1.0, 1.0

    def weights(tilt: float) -> NDArray[np.float64]:
        logs = tilt * scores
        raw = np.exp(logs - logs.max())
        return raw / raw.sum()

    while weights(low) @ scores > mean:
        low *= 2
    while weights(high) @ scores < mean:
        high *= 2
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if weights(middle) @ scores < mean else (low, middle)
    return weights((low + high) / 2)


def weighted(values: Whole, weights: NDArray[np.float64]) -> Draw:
    """Queries drawn with replacement from real ones."""
    return lambda chance, builds, n: chance.choice(values, (builds, n), p=weights)


@dataclass(frozen=True)
class RealScores:
    """Per-query scores of real systems, in units (int64, shape [systems, metrics, queries]).

    ``noisy`` (int64, shape [runs, 2, queries]) holds runs of one system that differ by what each
    lost of the index.
    """

    scores: Whole
    metrics: tuple[str, ...]
    noisy: Whole

    def metric(self, name: str) -> int:
        return self.metrics.index(name)


def real_scores() -> RealScores | None:
    """The scores beside the repository, None where they are not there."""
    if not SCORES.exists():
        return None
    data = np.load(SCORES, allow_pickle=False)

    def units(values: NDArray[np.float32]) -> Whole:
        return np.rint(values.astype(np.float64) * UNIT).astype(np.int64)

    names = tuple(str(name) for name in data["metrics"])
    return RealScores(units(data["scores"]), names, units(data["noise_index"]))


def real_pairs(real: RealScores, count: int, chance: Chance) -> list[Whole]:
    """Differences between pairs of systems in which at least ten queries changed."""
    systems, metrics, _ = real.scores.shape
    pairs: list[Whole] = []
    while len(pairs) < count:
        first, second = chance.choice(systems, 2, replace=False)
        metric = chance.integers(metrics)
        values = real.scores[second, metric] - real.scores[first, metric]
        if np.count_nonzero(values) >= 10:
            pairs.append(values)
    return pairs
