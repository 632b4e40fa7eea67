"""How sure a single run's means are: intervals that need no baseline."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist

import numpy as np

from pytest_retrieval.gating.bootstrap import resample

_GRID = 2_520  # halves to tenths are whole numbers of it


def mean_interval(scores: Sequence[float], confidence: float) -> tuple[float, float] | None:
    """The two-sided bootstrap interval of the mean of some queries' scores (0 to 1).

    ``confidence`` (0.5 to 1) is that of the interval as a whole. All resamples at once, widened
    for small samples (Hesterberg 2015); scores are rounded to 1/2520, which halves to tenths are
    whole numbers of. None for fewer than two queries: one says nothing about the next.
    """
    if len(scores) < 2:
        return None
    values = np.rint(np.multiply(scores, _GRID)).astype(np.int64)
    lower, upper = resample(values).interval((1 + confidence) / 2)
    return lower / (_GRID * len(scores)), upper / (_GRID * len(scores))


def share_interval(hits: int, n: int, confidence: float) -> tuple[float, float] | None:
    """The two-sided interval of a share of ``hits`` among ``n`` queries (Wilson 1927); None for n = 0.

    Unlike the bootstrap it does not shrink to a point where all or none are hits.
    """
    if not n:
        return None
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    centre = (hits + z * z / 2) / (n + z * z)
    reach = z / (n + z * z) * math.sqrt(hits * (n - hits) / n + z * z / 4)
    return (centre - reach if hits else 0.0), (centre + reach if hits < n else 1.0)
