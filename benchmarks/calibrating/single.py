"""Sections 3, 4, 6 and 7 for a single gate: false alarms, real boundaries, power, the smallest drop."""

from __future__ import annotations

from collections.abc import Callable
from math import comb

import numpy as np

from calibrating.populations import (
    SYMMETRIC,
    UNIT,
    Chance,
    Draw,
    RealScores,
    Whole,
    lossy_hits,
    points,
    real_pairs,
    shifted_graded,
    tilted,
    weighted,
)
from calibrating.report import Check, Effort, Section, Table, percent
from calibrating.rules import Rule, SignFlips, all_rules, fast_path_error
from pytest_retrieval.gating.power import seen_spread, smallest_drop

SIZES = (4, 6, 8, 10, 15, 20, 50, 200)
FAST_PATH_ERRORS = 5.0


def false_alarms(effort: Effort, chance: Chance) -> Section:
    section = Section("3 False alarms of a single gate, no true change, margin 0")
    rules, flips = all_rules(chance, effort.of(2_000, 10_000))
    builds = effort.of(400, 4_000)
    worst = {(rule, level, n): 0.0 for rule in rules for level in (0.05, 0.01) for n in SIZES}
    deviation = 0.0
    for draw in SYMMETRIC.values():
        for n in SIZES:
            d = draw(chance, builds, n)
            deviation = max(deviation, fast_path_error(flips, d[: effort.of(3, 20)], 0))
            for name, rule in rules.items():
                for level in (0.05, 0.01):
                    rate = float(rule(d, 0, level).mean())
                    worst[name, level, n] = max(worst[name, level, n], rate)
    ours = next(iter(rules))
    for level, limit in ((0.05, 0.06), (0.01, 0.015)):
        most = max(worst[ours, level, n] for n in SIZES)
        say = f"worst of {len(SYMMETRIC) * len(SIZES)} cells of {builds} builds at {level * 100:.0f} %"
        section.checks.append(effort.rate(say, most * builds, builds, limit))
        rows = [[name, *(percent(worst[name, level, n]) for n in SIZES)] for name in rules]
        title = (
            f"false alarms %, nominal {level * 100:.0f} %, worst of {len(SYMMETRIC)} symmetric populations"
        )
        section.tables.append(Table(title, ["rule", *(f"n={n}" for n in SIZES)], rows))
    section.checks.append(_fast_path(deviation))
    _given_changes(section, rules)
    return section


def _fast_path(deviation: float) -> Check:
    say = "the bench's fast path against the package's p, in standard errors"
    return Check(say, deviation, FAST_PATH_ERRORS, percent=False)


def _given_changes(section: Section, rules: dict[str, Rule]) -> None:
    """n = 50, exactly k queries change by +1 or -1: no simulation, every number of wins is tried."""
    ks = range(1, 11)
    rates: dict[str, list[float]] = {name: [] for name in rules}
    for k in ks:
        d = np.array([[UNIT] * wins + [-UNIT] * (k - wins) + [0] * (50 - k) for wins in range(k + 1)])
        ways = np.array([comb(k, wins) / 2**k for wins in range(k + 1)])
        for name, rule in rules.items():
            rates[name].append(float(ways[rule(d, 0, 0.05)].sum()))
    most = max(next(iter(rates.values())))
    section.checks.append(Check("given k = 1..10 changed of 50, worst k, exact", most, 0.036))
    rows = [[name, *map(percent, values)] for name, values in rates.items()]
    section.tables.append(
        Table("false alarms %, n=50, given that k queries changed", ["rule", *(f"k={k}" for k in ks)], rows)
    )


def real_boundaries(effort: Effort, chance: Chance, real: RealScores) -> Section:
    section = Section("4 Real populations (Cranfield, 33 systems), true mean exactly on the margin")
    rules, flips = all_rules(chance, effort.of(1_000, 4_000))
    sizes = (10, 50) if effort.quick else (6, 10, 20, 50, 200)
    builds = effort.of(150, 1_000)
    ours = next(iter(rules))
    deviation = 0.0
    for margin, count in ((0.0, effort.of(24, 240)), (0.03, effort.of(16, 140))):
        populations = []
        for values in real_pairs(real, 3 * count, chance):
            weights = tilted(values, -margin)
            if weights is not None and len(populations) < count:
                populations.append((values, weights))
        rates = {name: np.zeros((len(sizes), len(populations))) for name in rules}
        for column, (values, weights) in enumerate(populations):
            for row, n in enumerate(sizes):
                d = weighted(values, weights)(chance, builds, n)
                if column < effort.of(3, 10):
                    deviation = max(deviation, fast_path_error(flips, d[:5], points(margin)))
                for name, rule in rules.items():
                    rates[name][row, column] = rule(d, points(margin), 0.05).mean()
        for row, n in enumerate(sizes):
            say = f"n={n}, margin {margin:g}, {len(populations)} populations"
            one = rates[ours][row]
            section.checks += [
                effort.rate(f"{say}: mean", one.mean() * builds * len(one), builds * len(one), 0.053),
                effort.rate(f"{say}: 95th percentile", np.quantile(one, 0.95) * builds, builds, 0.085),
            ]
        table = [
            [name, *(f"{percent(r.mean())} / {percent(float(np.quantile(r, 0.95)))}" for r in rates[name])]
            for name in rules
        ]
        head = ["rule", *(f"n={n}" for n in sizes)]
        title = f"false alarms %, mean / 95th percentile over populations, margin {margin:g}"
        section.tables.append(Table(title, head, table))
    section.checks.append(_fast_path(deviation))
    return section


def within_the_margin(effort: Effort, chance: Chance) -> Section:
    section = Section("5a Half of the margin really lost (margin 0.03, graded, 50 % change)")
    rules, _ = all_rules(chance, effort.of(2_000, 10_000))
    builds = effort.of(500, 4_000)
    rows: dict[str, list[str]] = {name: [name] for name in rules}
    for n in (20, 50, 200):
        d = shifted_graded(0.015, 0.5, 0.15)(chance, builds, n)
        for place, (name, rule) in enumerate(rules.items()):
            red = int(rule(d, points(0.03), 0.05).sum())
            rows[name].append(percent(red / builds))
            if not place:
                section.checks.append(effort.rate(f"n={n}, red", red, builds, 0.03))
    section.tables.append(Table("red builds %", ["rule", "n=20", "n=50", "n=200"], list(rows.values())))
    return section


def single_power(effort: Effort, chance: Chance) -> Section:
    section = Section("6a Power of a single gate, 5 %, margin 0")
    rules, _ = all_rules(chance, effort.of(2_000, 10_000))
    builds = effort.of(500, 4_000)
    cells: list[tuple[str, Draw, int, float]] = [
        ("hit, 25 % lost, 5 % churn", lossy_hits(0.25, 0.05), 20, 0.48),
        ("hit, 25 % lost, 5 % churn", lossy_hits(0.25, 0.05), 50, 0.94),
        ("graded -0.10, 60 % change", shifted_graded(0.1, 0.6, 0.19), 20, 0.78),
        ("every query -0.1, sd 0.1", shifted_graded(0.1, 1.0, 0.1), 10, 0.86),
    ]
    rows: dict[str, list[str]] = {name: [name] for name in rules}
    for what, draw, n, limit in cells:
        d = draw(chance, builds, n)
        for place, (name, rule) in enumerate(rules.items()):
            red = int(rule(d, 0, 0.05).sum())
            rows[name].append(percent(red / builds))
            if not place:
                section.checks.append(effort.rate(f"{what}, n={n}", red, builds, limit, at_least=True))
    head = ["rule", *(f"{what.split(',')[0]} n={n}" for what, _, n, _ in cells)]
    section.tables.append(Table("red builds % (percentile, BCa: level not held)", head, list(rows.values())))
    return section


def smallest_drops(effort: Effort, chance: Chance) -> Section:
    section = Section("7 The smallest drop that is seen with 80 % power, margin 0.02")
    flips = SignFlips(chance, effort.of(2_000, 10_000))
    builds = effort.of(500, 3_000)
    sizes = (10, 20, 200) if effort.quick else (10, 15, 20, 50, 100, 200)
    rows = []
    for name, draw in {"hit, 10 % change": lossy_hits(0.0, 0.1), **SYMMETRIC}.items():
        if name not in _TYPICAL:
            continue
        null = draw(chance, 1, 20_000)[0]
        # A query loses what a typical one has.
        spread = seen_spread([_TYPICAL[name]] * len(null), null / UNIT + _TYPICAL[name])
        cells = [name]
        for n in sizes:
            expected = smallest_drop(n, spread, 0.02, 0.05)
            assert expected is not None
            simulated = _eighty_percent(lambda drop, null=null: _tilt(null, drop), n, builds, flips, chance)
            off = abs(expected / simulated - 1)
            slack = 0.04 if effort.quick else 0.0
            section.checks.append(Check(f"{name}, n={n}: formula off by", off, 0.12, tolerance=slack))
            cells.append(f"{simulated:.3f} / {expected:.3f}")
        rows.append(cells)
    cells = ["hit, 10 % come and go besides the loss (no limit)"]
    for n in sizes:
        simulated = _eighty_percent(lambda drop: lossy_hits(drop, 0.1), n, builds, flips, chance)
        cells.append(f"{simulated:.3f}")
    title = "simulated / formula; a drop tilts the changes that were seen towards losses"
    section.tables.append(Table(title, ["", *(f"n={n}" for n in sizes)], [*rows, cells]))
    return section


_TYPICAL = {
    "hit, 10 % change": 1.0,
    "rr, 30 % change": 0.5,
    "graded, 30 % change": 0.5,
    "graded, all change": 0.5,
}


def _tilt(null: Whole, drop: float) -> Draw:
    weights = tilted(null, -drop)
    assert weights is not None
    return weighted(null, weights)


def _eighty_percent(
    fallen: Callable[[float], Draw], n: int, builds: int, flips: SignFlips, chance: Chance
) -> float:
    """The drop that the first key sees in four of five builds, by halving."""
    low, high = 0.02, 0.7
    for _ in range(9):
        middle = (low + high) / 2
        d = fallen(middle)(chance, builds, n)
        power = float((flips.p(d + points(0.02)) <= 0.05).mean())
        low, high = (low, middle) if power >= 0.8 else (middle, high)
    return (low + high) / 2
