"""What repeated runs tell about a retriever: which answers flip, and how the means move."""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping
from dataclasses import dataclass

from pytest_retrieval.scoring.evaluation import Evaluation

ENOUGH = 3
"""Runs a side that keep false alarms at their level where whole runs shift the means by 0.02."""


@dataclass(frozen=True, slots=True)
class Noise:
    """How the runs of one golden set differ.

    ``flipped`` are the ids of queries whose rankings differ between two runs, ``queries`` how many
    were answered each time. ``means`` maps a metric to the mean of each run. With ``repeats_needed``
    runs a side, two standard errors of their difference stay within the margin.
    """

    runs: int
    queries: int
    flipped: tuple[str, ...]
    means: Mapping[str, tuple[float, ...]]
    repeats_needed: int


def measure_noise(evaluation: Evaluation, margin: float) -> Noise:
    """Compare the two or more runs of an evaluation; ``margin`` in metric points.

    Runs are enough when 2 sd sqrt(2 / runs) <= margin, sd being the largest standard deviation
    of a metric's run means: 1 where no answer flips, at least :data:`ENOUGH` where one does.
    """
    runs = evaluation.runs
    answered = list(evaluation.rankings)
    flipped = [query for query in answered if len({run.rankings[query].documents for run in runs}) > 1]
    means = {
        metric: tuple(run.mean_over(metric, answered) or 0.0 for run in runs) for metric in evaluation.metrics
    }
    spread = max((statistics.stdev(of_runs) for of_runs in means.values()), default=0.0)
    needed = max(ENOUGH, math.ceil(8 * (spread / margin) ** 2)) if margin else ENOUGH
    return Noise(len(runs), len(answered), tuple(flipped), means, needed if flipped else 1)
