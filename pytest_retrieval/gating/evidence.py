"""What the numbers of one gate say: both keys, in the direction in which the mean moved."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pytest_retrieval.gating.bootstrap import resample
from pytest_retrieval.gating.differences import Differences
from pytest_retrieval.gating.hypothesis import Hypothesis
from pytest_retrieval.gating.sign_flip import sign_flip_p

FALL, WITHIN, RISE = -1, 0, 1


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """The tests of some differences against their margin.

    ``direction`` is where the mean lies: :data:`FALL` below -margin, :data:`RISE` above the
    margin, :data:`WITHIN` between. ``p`` is the first key, of :meth:`claim` on that side, and
    1 within the margin. ``interval`` is the paired bootstrap interval of the difference in
    metric points, ``second_key`` whether it lies beyond the margin as a whole, on that side.
    ``bootstrap_p`` is the bootstrap's p of the claim on the side of a fall: the interval lies
    below -margin exactly when it is at most 1 - confidence.
    """

    differences: Differences
    direction: int
    p: float
    interval: tuple[float, float]
    second_key: bool
    bootstrap_p: float

    @property
    def changed(self) -> bool:
        """Whether any query's score differs."""
        return bool(self.differences.values.any())

    def claim(self, side: int) -> Hypothesis:
        """What is to be refuted: the true fall (:data:`RISE`: rise) is no larger than the margin."""
        p = self.p if self.direction == side else 1.0
        return Hypothesis(p, _signed(self.differences, side), self.differences.ids)


def weigh(differences: Differences, confidence: float) -> Evidence:
    """Test one or more differences; the interval's ends are each one-sided at ``confidence``."""
    allowed = len(differences.ids) * differences.margin
    total = int(differences.values.sum())
    direction = FALL if total < -allowed else RISE if total > allowed else WITHIN
    sums = resample(differences.values)
    lower, upper = sums.interval(confidence)
    return Evidence(
        differences=differences,
        direction=direction,
        p=1.0 if direction == WITHIN else sign_flip_p(_signed(differences, direction), differences.ids),
        interval=(differences.points(lower), differences.points(upper)),
        second_key=(direction == FALL and upper < -allowed) or (direction == RISE and lower > allowed),
        bootstrap_p=sums.p(-allowed),
    )


def _signed(differences: Differences, side: int) -> NDArray[np.int64]:
    """Difference plus margin per query; a rise is a fall in the mirror."""
    return (-differences.values if side == RISE else differences.values) + differences.margin
