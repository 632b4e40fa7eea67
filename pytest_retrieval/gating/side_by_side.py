"""Two retrievers of one run over the same queries: a measurement, not a gate."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from pytest_retrieval.gating.bootstrap import resample
from pytest_retrieval.gating.differences import take_differences


@dataclass(frozen=True, slots=True)
class SideBySide:
    """How the second one's scores (0 to 1) differ from the first one's over ``n`` queries.

    ``before`` and ``after`` are the means, ``interval`` that of their difference, two-sided; None
    for a single query, which says nothing about the next.
    """

    n: int
    better: int
    worse: int
    equal: int
    before: float
    after: float
    difference: float
    interval: tuple[float, float] | None


def side_by_side(
    first: Mapping[str, float], second: Mapping[str, float], ids: Collection[str], confidence: float
) -> SideBySide:
    """Compare the scores of ``ids`` (one or more), which both hold.

    The interval is the exact paired bootstrap one, widened for small samples (Hesterberg 2015);
    ``confidence`` (0.5 to 1) is that of the interval as a whole.
    """
    differences = take_differences(first, second, ids, 0.0)
    values, n = differences.values, len(differences.ids)
    interval = None
    if n > 1:
        lower, upper = resample(values).interval((1 + confidence) / 2)
        interval = differences.points(lower), differences.points(upper)
    better, worse = int((values > 0).sum()), int((values < 0).sum())
    return SideBySide(
        n,
        better,
        worse,
        n - better - worse,
        math.fsum(first[query] for query in ids) / n,
        math.fsum(second[query] for query in ids) / n,
        differences.points(int(values.sum())),
        interval,
    )
