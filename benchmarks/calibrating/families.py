"""Sections 5 and 6 for whole builds: many kinds and metrics, one promise."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from calibrating.populations import UNIT, Chance, RealScores, Whole, points
from calibrating.report import Check, Effort, Section, Table, percent
from calibrating.rules import Rule, all_rules, exact_p, second_key
from pytest_retrieval.gating.differences import Differences
from pytest_retrieval.gating.hypothesis import Hypothesis
from pytest_retrieval.gating.judging import judge
from pytest_retrieval.gating.multiplicity import adjust
from pytest_retrieval.gating.pairing import Paired
from pytest_retrieval.gating.policy import Policy
from pytest_retrieval.gating.sign_flip import sign_flip_p
from pytest_retrieval.golden.model import Query

Build = tuple[dict[str, Whole], Whole]
"""metric -> differences of all queries, and the kind of each query"""
Gates = Mapping[tuple[str, str], Differences]
"""(slice, metric) -> differences"""

_TIE = 1e-12


def cut(build: Build, margin: int, name: str) -> Gates:
    """The gates of a build; query ids hold ``name``, so that every build has flips of its own."""
    differences, kinds = build
    gates = {}
    for metric, values in differences.items():
        for kind in (-1, *np.unique(kinds).tolist()):
            rows = np.flatnonzero((kinds == kind) | (kind < 0))
            ids = tuple(f"{name} {row:05}" for row in rows)
            gates["all" if kind < 0 else f"kind {kind}", metric] = Differences(
                ids, values[rows], margin, UNIT
            )
    return gates


def regressions(gates: Gates, correction: str = "max-t", level: float = 0.05) -> set[tuple[str, str]]:
    """The gates that are a regression, as the judgement finds them, each key only where it matters."""
    changed = {name: one for name, one in gates.items() if one.values.any()}
    fallen = [name for name, one in changed.items() if _may_be_proven(one, level)]
    if not fallen:
        return set()
    own = dict.fromkeys(changed, 1.0)
    if correction == "holm":
        own |= {name: _p(changed[name]) for name in fallen}
    else:  # the family's p comes first; a gate's own can only raise it
        own |= dict.fromkeys(fallen, 0.0)
    claims = [Hypothesis(own[name], one.values + one.margin, one.ids) for name, one in changed.items()]
    adjusted = dict(zip(changed, adjust(claims, level, correction), strict=True))
    return {
        name
        for name in fallen
        if adjusted[name] <= level + _TIE
        and _p(changed[name]) <= level + _TIE
        and second_key(changed[name].values, changed[name].margin, level)
    }


def suspected(gates: Gates, level: float = 0.05) -> bool:
    """Whether a build that is not red has a gate whose first key turns by itself: a warning."""
    return not regressions(gates) and any(
        _may_be_proven(one, level) and _p(one) <= level + _TIE for one in gates.values()
    )


def _may_be_proven(one: Differences, level: float) -> bool:
    """Whether the first key may reach the level, cheaply; exactly where there are few distinct values."""
    u = one.values + one.margin
    total = int(u.sum())
    if total >= 0:
        return False
    if len(np.unique(u)) <= 3:
        return exact_p(u) <= level + _TIE
    # Of all flips more than 1 in 20 reach one root of the sum of squares (Oleszkiewicz 1996).
    return total**2 > float((u.astype(np.float64) ** 2).sum())


def _p(one: Differences) -> float:
    return sign_flip_p(one.values + one.margin, one.ids)


def _by_judge(build: Build, margin: float, name: str) -> set[tuple[str, str]]:
    """The same through the package's judgement, from scores."""
    differences, kinds = build
    ids = [f"{name} {row:05}" for row in range(len(kinds))]
    before = {m: dict.fromkeys(ids, 0.5) for m in differences}
    after = {
        m: {q: 0.5 + d / UNIT for q, d in zip(ids, v.tolist(), strict=True)} for m, v in differences.items()
    }
    queries = tuple(Query(q, "", {"d": 1}, f"kind {k}") for q, k in zip(ids, kinds.tolist(), strict=True))
    policy = Policy(tuple(differences), dict.fromkeys(differences, margin))
    rows = judge(Paired(queries, before, after), policy)
    return {(str(r.slice.get("kind", "all")), r.metric) for r in rows if r.verdict == "regression"}


def red_by(rule: Rule, gates: Gates, level: float) -> bool:
    """Whether a rule that knows of no family finds any gate red."""
    return any(bool(rule(one.values[None], one.margin, level)[0]) for one in gates.values())


class Tally:
    """How many builds each rule makes red."""

    def __init__(self, rules: dict[str, Rule]) -> None:
        self.builds = 0
        self.red: dict[str, int] = {}
        self._rules: dict[str, Callable[[Gates], bool]] = {
            "both keys, max-T (ours)": lambda gates: bool(regressions(gates)),
            "suspected (ours: a warning)": suspected,
            "both keys, Holm": lambda gates: bool(regressions(gates, "holm")),
            "paired t per gate": lambda gates: red_by(rules["paired t"], gates, 0.05),
            "Wilcoxon per gate": lambda gates: red_by(rules["Wilcoxon"], gates, 0.05),
            "percentile per gate": lambda gates: red_by(rules["percentile"], gates, 0.05),
            "BCa per gate": lambda gates: red_by(rules["BCa"], gates, 0.05),
            "5 points in any gate": lambda gates: red_by(rules["5 points"], gates, 0.05),
        }

    def count(self, gates: Gates) -> None:
        self.builds += 1
        for name, rule in self._rules.items():
            self.red[name] = self.red.get(name, 0) + rule(gates)

    @property
    def ours(self) -> int:
        return next(iter(self.red.values()))

    def column(self) -> list[str]:
        return [percent(red / self.builds) for red in self.red.values()]


def _table(title: str, tallies: Mapping[str, Tally]) -> Table:
    names = list(next(iter(tallies.values())).red)
    columns = [tally.column() for tally in tallies.values()]
    rows = [[name, *(column[place] for column in columns)] for place, name in enumerate(names)]
    return Table(title, ["rule", *tallies], rows)


BROKEN_SHARE = 0.5
KINDS = np.repeat([0, 1, 2, 3], [12, 16, 20, 32])
BROKEN = 2


def real_families(effort: Effort, chance: Chance, real: RealScores) -> Section:
    section = Section(
        "5b, 6b Families on real scores: kinds of 12, 16, 20, 32, recall@10 and mrr@10, 10 tests"
    )
    rules, _ = all_rules(chance, 1_000)
    builds = effort.of(120, 1_000)
    tallies = {}
    for margin in (0.0, 0.02):
        tally = tallies[f"A/B swap, margin {margin:g}"] = Tally(rules)
        for place in range(builds):
            tally.count(cut(_swapped(chance, real), points(margin), f"{margin} {place}"))
    null, within = tallies.values()
    section.checks += [
        effort.rate("random A/B swap, margin 0: any red", null.ours, builds, 0.065),
        effort.rate("random A/B swap, margin 0: any red, at least", null.ours, builds, 0.025, at_least=True),
        effort.rate("random A/B swap, margin 0.02: any red", within.ours, builds, 0.03),
    ]
    caught, caught_by_holm, differing = 0, 0, 0
    tilt = _broken_kind(real)
    hits = effort.of(100, 500)
    for place in range(hits):
        build = _swapped(chance, real)
        for metric, values in tilt(chance, int((KINDS == BROKEN).sum())).items():
            build[0][metric][KINDS == BROKEN] = values
        gates = cut(build, 0, f"broken {place}")
        red = regressions(gates)
        caught += any(name == f"kind {BROKEN}" for name, _ in red)
        caught_by_holm += any(name == f"kind {BROKEN}" for name, _ in regressions(gates, "holm"))
        if place < effort.of(5, 40):
            differing += red != _by_judge(build, 0.0, f"broken {place}")
    what = "one kind of 20 lost 0.13 / 0.20: caught"
    section.checks += [
        effort.rate(f"{what}, max-T", caught, hits, 0.70, at_least=True),
        Check("builds on which the bench and the package's judgement differ", differing, 0, percent=False),
    ]
    section.tables += [
        _table("red builds %, nothing really changed", tallies),
        Table(f"{what} %", ["max-T", "Holm"], [[percent(caught / hits), percent(caught_by_holm / hits)]]),
    ]
    return section


def _two_metrics(real: RealScores) -> list[int]:
    return [real.metric("recall@10"), real.metric("mrr@10")]


def _swapped(chance: Chance, real: RealScores) -> Build:
    """Two systems, and for each query a coin that says which of them is the new one."""
    first, second = chance.choice(len(real.scores), 2, replace=False)
    chosen = chance.choice(real.scores.shape[2], len(KINDS), replace=False)
    sign = chance.choice(np.array([-1, 1]), len(KINDS))
    d = (real.scores[second] - real.scores[first])[_two_metrics(real)][:, chosen] * sign
    return {"recall@10": d[0], "mrr@10": d[1]}, KINDS


def _broken_kind(real: RealScores) -> Callable[[Chance, int], dict[str, Whole]]:
    """Draws queries of two real systems that on average lose 0.13 of recall and 0.20 of mrr."""
    wanted = np.array([-0.13, -0.20])
    pairs = [(a, b) for a in range(len(real.scores)) for b in range(len(real.scores)) if a != b]
    both = {pair: (real.scores[pair[1]] - real.scores[pair[0]])[_two_metrics(real)] / UNIT for pair in pairs}
    d = min(both.values(), key=lambda values: float(np.abs(values.mean(axis=1) - wanted).sum()))
    tilt = np.zeros(2)
    for _ in range(100):
        weights = np.exp(tilt @ d)
        weights /= weights.sum()
        off = d @ weights - wanted
        spread = (d * weights) @ d.T - np.outer(d @ weights, d @ weights)
        tilt -= np.linalg.solve(spread, off)

    def draw(chance: Chance, n: int) -> dict[str, Whole]:
        rows = chance.choice(d.shape[1], n, p=weights)
        chosen = np.rint(d[:, rows] * UNIT).astype(np.int64)
        return {"recall@10": chosen[0], "mrr@10": chosen[1]}

    return draw


def twenty_kinds(effort: Effort, chance: Chance) -> Section:
    """Recall in tenths, 20 kinds of 10; the candidate is the baseline plus noise of sd 0.15."""
    section = Section("5c Twenty kinds of ten queries, recall in tenths, noise of sd 0.15")
    rules, _ = all_rules(chance, 1_000)
    builds = 60
    kinds = np.repeat(np.arange(20), 10)
    tallies = {}
    for margin in (0.0, 0.02):
        tally = tallies[f"margin {margin:g}"] = Tally(rules)
        named = 0
        for place in range(builds):
            d = _tenths(chance, len(kinds))
            tally.count(cut(({"recall": d}, kinds), points(margin), f"calm {margin} {place}"))
            worse = np.where(kinds == 7, d - points(0.3), d)
            gates = cut(({"recall": worse}, kinds), points(margin), f"broken {margin} {place}")
            named += ("kind 7", "recall") in regressions(gates)
        say = f"margin {margin:g}"
        section.checks += [
            Check(f"{say}, no change: red builds of 60", tally.ours, 8, percent=False),
            Check(f"{say}, one kind down 0.3: red of 60 that name it", named, 48, True, percent=False),
        ]
    section.tables.append(_table("red builds %, nothing really changed", tallies))
    return section


def _tenths(chance: Chance, n: int) -> Whole:
    return np.rint(chance.normal(0, 1.5, n)).astype(np.int64) * points(0.1)


def swapped_fortunes(effort: Effort, chance: Chance) -> Section:
    """Hits: one kind of four loses what another one wins, so that the mean stays the same."""
    section = Section("5d One kind of four broken while another improves by as much (hit rate, 10 % churn)")
    builds = effort.of(100, 600)
    rows = []
    for n, least in ((60, 0.60), (200, 0.99)):
        kinds = np.repeat(np.arange(4), n // 4)
        red, caught = 0, 0
        for place in range(builds):
            churn = UNIT * chance.choice(np.array([-1, 0, 1]), n, p=[0.05, 0.9, 0.05])
            red += bool(regressions(cut(({"hit": churn}, kinds), points(0.02), f"{n} calm {place}")))
            fate = chance.random(n) < BROKEN_SHARE
            d = np.where(fate & (kinds == 0), -UNIT, np.where(fate & (kinds == 1), UNIT, churn))
            gates = cut(({"hit": d}, kinds), points(0.02), f"{n} broken {place}")
            caught += ("kind 0", "hit") in regressions(gates)
        section.checks += [
            effort.rate(f"{n} queries, nothing changed: red", red, builds, 0.05),
            effort.rate(f"{n} queries: the broken kind caught", caught, builds, least, at_least=True),
        ]
        rows.append([f"{n} queries", percent(red / builds), percent(caught / builds)])
    title = f"red %; the kind loses {BROKEN_SHARE:g} of its answers, the other one wins as many"
    section.tables.append(Table(title, ["", "nothing changed", "caught"], rows))
    return section
