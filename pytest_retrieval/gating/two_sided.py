"""Two-sided intervals, for those who look at a difference without suspecting a side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pytest_retrieval.gating.bootstrap import resample
from pytest_retrieval.gating.differences import take_differences
from pytest_retrieval.gating.pairing import Paired
from pytest_retrieval.gating.policy import Policy
from pytest_retrieval.gating.slices import cut
from pytest_retrieval.gating.verdict import Verdict


def with_two_sided_intervals(
    verdicts: Sequence[Verdict], paired: Paired, policy: Policy
) -> tuple[Verdict, ...]:
    """The verdicts of one pair with intervals that hold the true difference with ``policy.confidence``.

    A gate asks on one side only, so each end of its interval holds with the confidence by itself;
    here both ends together do, and the interval is the wider one. The words of the verdicts stay.
    None for a single query, which says nothing about the next.
    """
    members = {str(one.label): one.comparable for one in cut(paired, policy)}
    rows = []
    for row in verdicts:
        if row.interval is not None:
            row = replace(row, interval=_interval(row, paired, members[str(row.slice)], policy.confidence))
        rows.append(row)
    return tuple(rows)


def _interval(
    row: Verdict, paired: Paired, members: Sequence[str], confidence: float
) -> tuple[float, float] | None:
    before = paired.before[row.metric]
    # A failed query counts as unchanged, as in the row's other numbers.
    after = {**before, **paired.after[row.metric]}
    asked = [query for query in members if query in before and query in after]
    compared = [query for query in asked if query in paired.after[row.metric] or query in paired.errors]
    if len(compared) < 2:
        return None
    differences = take_differences(before, after, compared, 0.0)
    lower, upper = resample(differences.values).interval((1 + confidence) / 2)
    return differences.points(lower), differences.points(upper)
