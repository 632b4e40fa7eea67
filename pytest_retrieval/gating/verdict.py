"""What a judgement says: one row per slice, metric and opponent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

UNCHANGED = "unchanged"
PASS = "pass"
IMPROVED = "improved"
SUSPECTED = "suspected"
REGRESSION = "regression"
BELOW_FLOOR = "below floor"
TOO_FEW = "too few queries"
NOT_EVALUATED = "not evaluated"

BASELINE, ANCHOR, FLOOR = "baseline", "anchor", "floor"
"""What a gate is held against."""

VERDICTS = (UNCHANGED, PASS, IMPROVED, SUSPECTED, REGRESSION, BELOW_FLOOR, TOO_FEW, NOT_EVALUATED)


@dataclass(frozen=True, slots=True)
class Verdict:
    """The judgement of one gate.

    ``slice`` is ``{}`` for all queries, ``{"kind": name}``, ``{"kinds": [names]}`` for
    the small kinds together, or ``{field: value}``. ``against`` is ``baseline``,
    ``anchor`` or ``floor``. Scores, differences and margins are in metric points (0 to 1);
    a negative difference is a drop. ``interval`` is the paired bootstrap interval of the
    difference. Numbers that were not computed are None. ``verdict`` is one of
    :data:`VERDICTS`; ``reason`` says why in words, empty where the numbers say it.

    ``p`` is the sign-flip test's in the direction in which the mean lies beyond the margin:
    of "the true drop is no larger than the margin" after a fall, of "the true gain is no
    larger" after a rise, and 1 in between. ``p_adjusted`` is that p as a member of its
    family: falls and rises are two families; a slice with too few queries is in neither, so
    both are equal. ``detectable_drop`` is the smallest true drop that would have been seen
    with 80 % power, None where none would. ``fewest_falls`` is, for small slices, how many of
    the n queries must lose all they have for a regression, the others unchanged and the other
    gates as they are today; None for large ones, and where the loss of everything is not enough.
    ``judged_before`` and ``judged_after`` are the mean shares (0 to 1) of documents with a label
    among those that the metric looks at.
    """

    slice: Mapping[str, object]
    metric: str
    against: str
    verdict: str
    reason: str = ""
    n: int = 0
    better: int | None = None
    worse: int | None = None
    equal: int | None = None
    before: float | None = None
    after: float | None = None
    difference: float | None = None
    interval: tuple[float, float] | None = None
    margin: float | None = None
    floor: float | None = None
    p: float | None = None
    p_adjusted: float | None = None
    detectable_drop: float | None = None
    fewest_falls: int | None = None
    judged_before: float | None = None
    judged_after: float | None = None
