"""Runs that differ from run to run: a test that knows what all queries of one run share.

Noise that is independent from query to query needs no care, it only costs power. What a whole run
shares (an index built anew, the state of a model server) moves all queries at once, and no number
of queries reveals it; only repeated runs do.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from pytest_retrieval.gating.distributions import student_t_cdf

Runs = NDArray[np.float64]


def run_level_p(before: Runs, after: Runs, margin: float) -> float:
    """The one-sided p of "the true drop is no larger than the margin", given repeated runs.

    ``before`` and ``after`` (float64, shape [runs, queries], scores from 0 to 1) hold the same two
    or more queries in the same order, and one side at least two runs. With d the difference of
    each query's means over the runs, the variance of its mean is

        v = var(d) / n + vr (1 / runs before + 1 / runs after),

    vr being what a run adds to all its queries: the variance of the run means within a side,
    pooled over both, less what the noise of single queries explains of it, and never below 0. The
    degrees of freedom are Satterthwaite's (1946). For one run a side use the sign-flip test.

    Raises ValueError where no side has two runs, or the queries are too few or not the same.
    """
    if before.shape[1] != after.shape[1] or before.shape[1] < 2:
        raise ValueError(f"expected two or more queries on both sides, found {before.shape[1:]}")
    runs_before, runs_after, n = len(before), len(after), before.shape[1]
    repeats = runs_before + runs_after - 2
    if repeats < 1:
        raise ValueError("expected two or more runs on a side, found one on each")
    d = after.mean(axis=0) - before.mean(axis=0)
    between, residual = 0.0, 0.0
    for side in (before, after):
        of_runs = side.mean(axis=1) - side.mean()
        between += float((of_runs**2).sum()) / repeats
        left_over = side - side.mean(axis=0) - of_runs[:, None]
        residual += float((left_over**2).sum()) / (repeats * (n - 1))
    share = 1 / runs_before + 1 / runs_after
    of_queries = float(d.var(ddof=1)) / n
    of_runs_alone = max(between - residual / n, 0.0) * share
    variance = of_queries + of_runs_alone
    excess = float(d.mean()) + margin
    if variance < 1e-24:
        return float(excess >= 0)
    # Each part of the variance with its own degrees of freedom; where runs add nothing, n - 1.
    parts = of_queries**2 / (n - 1)
    if of_runs_alone:
        parts += (between * share) ** 2 / repeats + (residual / n * share) ** 2 / (repeats * (n - 1))
    return student_t_cdf(excess / math.sqrt(variance), variance**2 / parts)
