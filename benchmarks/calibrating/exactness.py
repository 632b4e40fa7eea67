"""Sections 1 and 2: closed forms, Monte Carlo, and what must not change a number."""

from __future__ import annotations

import random

import numpy as np

from calibrating.populations import SYMMETRIC, UNIT, Chance, RealScores, Whole, points
from calibrating.report import Check, Effort, Section
from pytest_retrieval.gating.bootstrap import resample
from pytest_retrieval.gating.judging import judge
from pytest_retrieval.gating.pairing import Paired
from pytest_retrieval.gating.policy import Policy
from pytest_retrieval.gating.sign_flip import sign_flip_p
from pytest_retrieval.golden.model import Query

CLOSED = 1e-9


def exactness(effort: Effort, chance: Chance) -> Section:
    section = Section("1 Exactness")
    rounds = effort.of(40_000, 200_000)
    flip_error, bootstrap_error = 0.0, 0.0
    for n in (12, 50, 200):
        for k in range(1, 13):
            d = np.array([-UNIT] * k + [0] * (n - k))
            flip_error = max(flip_error, abs(sign_flip_p(d, _ids(n)) - 2.0**-k))
            share = resample(d).share_at_or_above(0)
            bootstrap_error = max(bootstrap_error, abs(share - (1 - k / n) ** n))
    say = "k = 1..12 losses of 1 among n = 12, 50, 200"
    section.checks += [
        Check(f"sign-flip p - 2^-k, {say}", flip_error, CLOSED, percent=False),
        Check(f"bootstrap p - (1 - k/n)^n, {say}", bootstrap_error, CLOSED, percent=False),
    ]
    for name in ("hit, 20 % change", "rr, 30 % change", "graded, all change"):
        worst_flip, worst_bootstrap = 0.0, 0.0
        for n in (6, 60, 400) if effort.quick else (6, 15, 30, 60, 200, 400):
            for margin in (0, points(0.02)):
                d = SYMMETRIC[name](chance, 1, n)[0] - points(0.02)
                worst_flip = max(worst_flip, _flip_error(d + margin, rounds, chance))
                worst_bootstrap = max(worst_bootstrap, _bootstrap_error(d, margin, rounds, chance))
        say = f"from {rounds} rounds, {name}, in standard errors"
        section.checks += [
            Check(f"sign-flip {say}", worst_flip, 4.0, percent=False),
            Check(f"bootstrap {say}", worst_bootstrap, 4.0, percent=False),
        ]
    return section


def _ids(n: int) -> list[str]:
    return [f"q{place}" for place in range(n)]


def _flip_error(u: Whole, rounds: int, chance: Chance) -> float:
    hits = 0
    for _ in range(rounds // 10_000):
        subsets = np.unpackbits(chance.integers(0, 256, (10_000, (len(u) + 7) // 8), np.uint8), axis=1)
        hits += np.count_nonzero(subsets[:, : len(u)].astype(np.float32) @ u.astype(np.float32) >= 0)
    return _errors(sign_flip_p(u, _ids(len(u))), hits, rounds)


def _bootstrap_error(d: Whole, margin: int, rounds: int, chance: Chance) -> float:
    hits = sum(
        np.count_nonzero(chance.choice(d, (10_000, len(d))).sum(axis=1) >= -margin * len(d))
        for _ in range(rounds // 10_000)
    )
    return _errors(resample(d).share_at_or_above(-margin * len(d)), hits, rounds)


def _errors(exact: float, hits: int, rounds: int) -> float:
    """How far a count is from the exact share, in its standard errors."""
    return float(abs(exact - hits / rounds) / max(np.sqrt(exact * (1 - exact) / rounds), 1 / rounds))


def sameness(effort: Effort, chance: Chance, real: RealScores | None) -> Section:
    """Unchanged builds, the order of rows, a metric that is only reported."""
    section = Section("2 Sameness")
    shuffle = random.Random(1)
    red, changed, differing = 0, 0, 0
    rounds = effort.of(5, 30)
    for _ in range(rounds):
        paired = _paired(chance, real)
        policy = Policy(("mrr@10",), {"mrr@10": 0.0})
        same = Paired(paired.queries, paired.before, paired.before)
        red += sum(row.verdict != "unchanged" for row in judge(same, policy) if row.n >= policy.min_queries)
        first = judge(paired, policy)
        more = {**paired.after, "hit_rate@5": dict.fromkeys(paired.after["mrr@10"], 0.0)}
        again = Paired(
            tuple(shuffle.sample(paired.queries, len(paired.queries))),
            {**paired.before, "hit_rate@5": dict.fromkeys(paired.after["mrr@10"], 1.0)},
            {
                name: dict(shuffle.sample(sorted(scores.items()), len(scores)))
                for name, scores in more.items()
            },
        )
        changed += repr(judge(again, policy)) != repr(first)
        differing += repr(judge(paired, policy)) != repr(first)
    section.checks += [
        Check(f"unchanged builds that are not unchanged, of {rounds}", red, 0, percent=False),
        Check("other numbers with other row order and a report-only metric", changed, 0, percent=False),
        Check("other numbers in a second run", differing, 0, percent=False),
    ]
    return section


def _paired(chance: Chance, real: RealScores | None) -> Paired:
    if real is None:
        before, after = chance.random((2, 225))
    else:
        first, second = chance.choice(len(real.scores), 2, replace=False)
        before, after = (real.scores[s, real.metric("mrr@10")] / UNIT for s in (first, second))
    ids = [f"q{place:03}" for place in range(len(before))]
    queries = tuple(Query(query, "", {"d": 1}, f"kind {place % 4}") for place, query in enumerate(ids))
    return Paired(
        queries,
        {"mrr@10": dict(zip(ids, before.tolist(), strict=True))},
        {"mrr@10": dict(zip(ids, after.tolist(), strict=True))},
    )
