"""Whether the questions that were tuned on score better than those kept aside, beyond luck."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace

from pytest_retrieval.golden.model import Query
from pytest_retrieval.golden.splitting import DEV, TEST

_SCALE = 10**9  # scores become whole numbers, so that sums are exact
_EXACT_WORK = 200_000  # additions: about 0.1 s
_DRAWS = 9_999


@dataclass(frozen=True, slots=True)
class Overfitting:
    """A metric on which dev is significantly above test; ``p`` is adjusted for the metrics looked at."""

    metric: str
    dev: float
    test: float
    n_dev: int
    n_test: int
    p: float


def find_overfitting(
    queries: Sequence[Query],
    scores: Mapping[str, Mapping[str, float]],
    metrics: Sequence[str],
    error: float = 0.05,
) -> tuple[Overfitting, ...]:
    """The metrics whose mean over the split ``dev`` is above that over ``test`` by more than luck.

    ``scores`` is metric -> query id -> score; queries without a score count on neither side. The
    queries are shuffled between the splits within their kind, so that a split with easier kinds is
    no proof. Holm's procedure keeps the chance of any false word at ``error``.
    """
    found = []
    for metric in metrics:
        held = scores.get(metric, {})
        sides = {
            split: [query for query in queries if query.split == split and query.id in held]
            for split in (DEV, TEST)
        }
        dev, test = sides[DEV], sides[TEST]
        if not dev or not test:
            continue
        p = permutation_p(
            [(query.kind, held[query.id]) for query in dev], [(query.kind, held[query.id]) for query in test]
        )
        found.append(Overfitting(metric, _mean(dev, held), _mean(test, held), len(dev), len(test), p))
    told: list[Overfitting] = []
    adjusted = 0.0
    for place, one in enumerate(sorted(found, key=lambda one: one.p)):
        adjusted = max(adjusted, min(1.0, one.p * (len(found) - place)))
        if adjusted <= error and one.dev > one.test:
            told.append(replace(one, p=adjusted))
    return tuple(sorted(told, key=lambda one: metrics.index(one.metric)))


def _mean(queries: Sequence[Query], scores: Mapping[str, float]) -> float:
    return math.fsum(scores[query.id] for query in queries) / len(queries)


def permutation_p(first: Sequence[tuple[Hashable, float]], second: Sequence[tuple[Hashable, float]]) -> float:
    """How often a shuffle within the strata gives the first sample a sum as large as it has, or larger.

    Both samples are (stratum, score) pairs. The one-sided two-sample permutation test (Fisher 1935,
    Pitman 1937), stratified. Exact where the sums are few enough to be counted; else 9,999 shuffles of
    a fixed seed and (1 + hits) / (1 + shuffles), which keeps the level. The order of the pairs does not
    matter.
    """
    strata: dict[Hashable, tuple[list[int], list[int]]] = {}
    for side, sample in enumerate((first, second)):
        for stratum, score in sample:
            strata.setdefault(stratum, ([], []))[side].append(round(score * _SCALE))
    # A stratum that is all on one side has nothing to shuffle.
    shuffled = [(len(one), sorted(one + two)) for one, two in strata.values() if one and two]
    shuffled.sort()
    observed = sum(sum(one) for one, two in strata.values() if one and two)
    counted = _count_sums(shuffled)
    if counted is not None:
        above = sum(ways for total, ways in counted.items() if total >= observed)
        return above / sum(counted.values())
    return _draw(shuffled, observed)


def _count_sums(strata: Sequence[tuple[int, list[int]]]) -> Counter[int] | None:
    """In how many ways the drawn scores have each sum; None where that is too much to count."""
    totals: Counter[int] = Counter({0: 1})
    work = 0
    for drawn, scores in strata:
        # sums of each number of drawn scores, from those seen so far
        sums: list[Counter[int]] = [Counter() for _ in range(drawn + 1)]
        sums[0][0] = 1
        for score in scores:
            work += sum(map(len, sums))
            if work > _EXACT_WORK:
                return None
            for number in range(drawn, 0, -1):
                for total, ways in sums[number - 1].items():
                    sums[number][total + score] += ways
        work += len(totals) * len(sums[drawn])
        if work > _EXACT_WORK:
            return None
        joined: Counter[int] = Counter()
        for total, ways in totals.items():
            for more, times in sums[drawn].items():
                joined[total + more] += ways * times
        totals = joined
    return totals


def _draw(strata: Sequence[tuple[int, list[int]]], observed: int) -> float:
    # random.random() gives the same numbers on every machine and version, sample() need not.
    source = random.Random(0)
    hits = 0
    for _ in range(_DRAWS):
        total = 0
        for drawn, scores in strata:
            left = scores.copy()
            for place in range(drawn):
                chosen = place + int(source.random() * (len(left) - place))
                left[place], left[chosen] = left[chosen], left[place]
            total += sum(left[:drawn])
        hits += total >= observed
    return (1 + hits) / (1 + _DRAWS)
