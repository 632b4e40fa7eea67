"""Sections 8 and 9: runs that differ by themselves, and drops that are accepted one by one."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from calibrating.families import regressions
from calibrating.populations import UNIT, Chance, RealScores, Whole
from calibrating.report import Check, Effort, Section, Table, percent
from calibrating.rules import SignFlips
from pytest_retrieval.gating.differences import Differences
from pytest_retrieval.gating.noise import run_level_p

LEVEL = 0.05
Real = NDArray[np.float64]


def noise(effort: Effort, chance: Chance, real: RealScores | None) -> Section:
    section = Section("8 Noisy retrievers: n=50, noise of queries sd 0.1, no true change, 5 %")
    flips = SignFlips(chance, effort.of(2_000, 10_000))
    builds = effort.of(500, 4_000)
    rows = []
    for runs in ((1, 1), (2, 2), (3, 3), (5, 5), (5, 1), (10, 3)):
        cells = [f"{runs[0]} x {runs[1]}"]
        for spread in (0.0, 0.01, 0.02, 0.04):
            pairs = [_noisy_pair(chance, runs, spread) for _ in range(builds)]
            queries, both = _red(flips, pairs)
            cells.append(f"{percent(queries / builds)} / {percent(both / builds)}")
            if runs == (3, 3) and spread == 0.02:
                section.checks += [
                    effort.rate("3 x 3 runs, run sd 0.02: red by both", both, builds, 0.07),
                    effort.rate("the same by the query test alone (must show)", queries, builds, 0.11, True),
                ]
        rows.append(cells)
    head = ["runs", *(f"run sd {spread:g}" for spread in (0, 0.01, 0.02, 0.04))]
    section.tables.append(
        Table("false alarms %, query test on run means / with the run-level key", head, rows)
    )
    if real is not None:
        pairs = [_real_pair(chance, real) for _ in range(builds)]
        queries, both = _red(flips, pairs)
        what = "real: hybrid on Cranfield, each run without a random 5 % of the documents, recall@10, 3 x 3"
        section.checks.append(effort.rate(f"{what}: red by both", both, builds, 0.07))
        row = [what, percent(queries / builds), percent(both / builds)]
        section.tables.append(Table("false alarms %", ["", "query test", "with the run-level key"], [row]))
    return section


def _noisy_pair(chance: Chance, runs: tuple[int, int], spread: float) -> tuple[Real, Real]:
    truth = chance.uniform(0.3, 0.7, 50)
    first, second = (
        truth + chance.normal(0, 0.1, (count, 50)) + chance.normal(0, spread, (count, 1)) for count in runs
    )
    return first, second


def _real_pair(chance: Chance, real: RealScores) -> tuple[Real, Real]:
    chosen = chance.choice(len(real.noisy), 6, replace=False)
    runs = real.noisy[chosen, 0] / UNIT
    return runs[:3], runs[3:]


def _red(flips: SignFlips, pairs: list[tuple[Real, Real]]) -> tuple[int, int]:
    """Builds that the sign-flip test of the run means calls red, and those that both keys do."""
    means = np.array([after.mean(axis=0) - before.mean(axis=0) for before, after in pairs])
    p = flips.p(np.rint(means * UNIT).astype(np.int64))
    both = [
        one <= LEVEL and (len(before) + len(after) < 3 or run_level_p(before, after, 0.0) <= LEVEL)
        for one, (before, after) in zip(p, pairs, strict=True)
    ]
    return int((p <= LEVEL).sum()), sum(both)


BUILDS = 30
_CHURN, _START = 0.01, 0.85
_MARGIN = round(0.02 * UNIT)


def drift(effort: Effort, chance: Chance) -> Section:
    """Every build is accepted; the last one and the first are compared with in one family."""
    section = Section("9 Drift: 30 builds, hit rate from 0.85, 1 % churn a build, margin 0.02")
    null, falling = effort.of(150, 1_000), effort.of(100, 1_000)
    rows = []
    for n in (60, 200):
        cells = [f"n={n}"]
        for lost in (0.0, 0.01, 0.02):
            if effort.quick and (n, lost) not in ((60, 0.01), (200, 0.0)):
                cells += ["-", "-"]
                continue
            histories = null if not lost else falling
            with_anchor = [_stopped_at(chance, n, lost, True, f"{n} {lost} {i}") for i in range(histories)]
            alone = [_stopped_at(chance, n, lost, False, f"{n} {lost} {i} alone") for i in range(histories)]
            stopped = sum(at is not None for at in with_anchor)
            unanchored = sum(at is not None for at in alone)
            points = float(np.median([BUILDS if at is None else at for at in with_anchor])) * lost
            cells += [f"{percent(stopped / histories)} / {percent(unanchored / histories)}", percent(points)]
            if not lost and n == 200:
                section.checks.append(
                    effort.rate("nothing changes, n=200: ever red", stopped, histories, 0.06)
                )
            if lost == 0.01 and n == 60:
                section.checks += [
                    effort.rate("1 point a build, n=60: stopped", stopped, histories, 0.95, at_least=True),
                    Check("1 point a build, n=60: median points lost", points * 100, 15, percent=False),
                    effort.rate("the same without the anchor: stopped", unanchored, histories, 0.10),
                ]
        rows.append(cells)
    head = ["", *(h for lost in ("0", "1", "2") for h in (f"{lost} a build: stopped %", "lost"))]
    section.tables.append(Table("stopped with / without anchor; median points lost with it", head, rows))
    return section


def _stopped_at(chance: Chance, n: int, lost: float, anchored: bool, name: str) -> int | None:
    """The build at which a history of accepted builds is stopped, None where it never is."""
    anchor = last = (chance.random(n) < _START).astype(np.int64)
    ids = tuple(f"{name} {row:04}" for row in range(n))
    for build in range(1, BUILDS + 1):
        now = _next(chance, last, lost)
        gates = {("all", "last"): _against(last, now, ids)}
        if anchored:
            gates["all", "anchor"] = _against(anchor, now, ids)
        if regressions(gates):
            return build
        last = now
    return None


def _against(old: Whole, new: Whole, ids: tuple[str, ...]) -> Differences:
    return Differences(ids, (new - old) * UNIT, _MARGIN, UNIT)


def _next(chance: Chance, hits: Whole, lost: float) -> Whole:
    """One build on: a share of all queries is really lost, and as many come as go."""
    share = max(float(hits.mean()), 1 / len(hits))
    fate = chance.random(len(hits))
    falls = (hits == 1) & (fate < (_CHURN / 2 + lost) / share)
    rises = (hits == 0) & (fate < _CHURN / 2 / max(1 - share, 1 / len(hits)))
    return np.where(falls, 0, np.where(rises, 1, hits))
