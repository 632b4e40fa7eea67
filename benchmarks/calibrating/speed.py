"""Section 10: what the family costs."""

from __future__ import annotations

import time
import tracemalloc

import numpy as np

from calibrating.populations import Chance
from calibrating.report import Check, Effort, Section
from pytest_retrieval.gating.hypothesis import Hypothesis
from pytest_retrieval.gating.multiplicity import adjust

_RARE_LEVEL = 1e-6  # no adjusted p is near: one block of draws


def speed(effort: Effort, chance: Chance) -> Section:
    section = Section("10 Cost: two metrics, all and eight kinds: 18 hypotheses x 10,000 flips, one thread")
    for n, seconds in ((200, 0.05), (10_000, 1.0)):
        family = _family(n, chance)
        best = float("inf")
        for _ in range(3):
            started = time.process_time()
            adjust(family, _RARE_LEVEL, "max-t")
            best = min(best, time.process_time() - started)
        tracemalloc.start()
        adjust(family, _RARE_LEVEL, "max-t")
        peak = tracemalloc.get_traced_memory()[1] / 1e6
        tracemalloc.stop()
        section.checks += [
            Check(f"n={n}: CPU seconds, best of 3", best, seconds, percent=False),
            Check(f"n={n}: peak megabytes", peak, 150, percent=False),
        ]
    return section


def _family(n: int, chance: Chance) -> list[Hypothesis]:
    kinds = np.arange(n) % 8
    family = []
    for _ in range(2):
        u = chance.integers(-(10**9), 10**9, n)
        for kind in range(-1, 8):
            rows = np.flatnonzero((kinds == kind) | (kind < 0))
            family.append(Hypothesis(0.5, u[rows], tuple(f"q{row:05}" for row in rows)))
    return family
