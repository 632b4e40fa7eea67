"""Differences of scores as whole numbers, so that sums of them and their ties are exact.

Scores count to 1e-9. Most are simple fractions (1/3, 4/7): rounded to nine decimals, 1/3 + 1/3
is no longer 2/3, and a test that counts ties would miss one. So a score that is a simple
fraction to nine decimals is taken as that fraction, and all numbers of one gate are put over a
common denominator; where that grows too large, over 1e9.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

UNITS = 10**9
"""Scores closer than 1 / UNITS are the same."""

_SIMPLE = 1_000  # denominators up to this make a fraction simple; chance hits: 1 score in 3,000
_LARGEST_SCALE = 2**36  # sums over 100,000 queries stay below 2**53, exact in float64 too


@dataclass(frozen=True, slots=True, eq=False)
class Differences:
    """Candidate minus baseline for some queries, in whole numbers of 1 / ``scale``.

    ``ids`` are ascending; ``values`` (int64, shape [queries]) is in their order. ``margin`` is
    the accepted drop in the same unit, 0 or more.
    """

    ids: tuple[str, ...]
    values: NDArray[np.int64]
    margin: int
    scale: int

    def points(self, total: int) -> float:
        """A sum over the queries as a mean in metric points, correctly rounded."""
        return total / (len(self.ids) * self.scale)


def take_differences(
    before: Mapping[str, float], after: Mapping[str, float], ids: Iterable[str], margin: float
) -> Differences:
    """The differences of ``ids``, which both sides hold; scores and margin in metric points."""
    ordered = tuple(sorted(ids))
    scores = {side[query] for side in (before, after) for query in ordered}
    scale = _common_scale([margin, *sorted(scores)])
    whole = {number: _whole(number, scale) for number in (margin, *scores)}
    values = [whole[after[query]] - whole[before[query]] for query in ordered]
    return Differences(ordered, np.array(values, dtype=np.int64), whole[margin], scale)


def _common_scale(numbers: Iterable[float]) -> int:
    """The common denominator; UNITS where some have all their decimals, or it grows too large."""
    scale = 1
    for number in numbers:
        scale = math.lcm(scale, _fraction(number).denominator)
        if scale % UNITS == 0 or scale > _LARGEST_SCALE:
            return UNITS
    return scale


def _whole(number: float, scale: int) -> int:
    return round(number * UNITS) if scale == UNITS else int(_fraction(number) * scale)


def _fraction(number: float) -> Fraction:
    """The number to nine decimals, as a simple fraction where one has the same nine decimals."""
    units = round(number * UNITS)
    exact = Fraction(units, UNITS)
    simple = exact.limit_denominator(_SIMPLE)
    return simple if round(simple * UNITS) == units else exact
