from __future__ import annotations

import hashlib
import math
import random
from collections.abc import Sequence
from itertools import product

import numpy as np
import pytest

from pytest_retrieval.gating.flips import DRAWS, subset_sums
from pytest_retrieval.gating.hypothesis import Hypothesis
from pytest_retrieval.gating.max_t import MORE, max_t
from pytest_retrieval.gating.sign_flip import sign_flip_p

LEVEL = 0.05
NAMES = tuple(f"q{i:02}" for i in range(12))


def _claim(u: Sequence[int], ids: Sequence[str] = NAMES) -> Hypothesis:
    values = np.array(u, np.int64)
    names = tuple(ids[: len(u)])
    return Hypothesis(sign_flip_p(values, names), values, names)


def _family(seed: int) -> list[Hypothesis]:
    """Two metrics of twelve queries, all of them and two kinds of six."""
    chance = np.random.default_rng(seed)
    family = []
    for metric in (chance.integers(-6, 4, 12), chance.integers(-60, 40, 12)):
        family += [_claim(metric), _claim(metric[:6]), _claim(metric[6:], NAMES[6:])]
    return family


def _statistic(u: Sequence[int]) -> float:
    return -sum(u) / math.sqrt(sum(x * x for x in u))


def _by_enumeration(family: Sequence[Hypothesis]) -> list[float]:
    """Step-down max-T over all 2^12 flips, in plain Python."""
    members = [dict(zip(h.ids, h.u.tolist(), strict=True)) for h in family]
    observed = [_statistic(list(m.values())) for m in members]
    order = sorted(range(len(family)), key=lambda j: -observed[j])
    hits = [0] * len(family)
    for signs in product((1, -1), repeat=len(NAMES)):
        sign = dict(zip(NAMES, signs, strict=True))
        drawn = [_statistic([sign[q] * x for q, x in m.items()]) for m in members]
        for rank, j in enumerate(order):
            hits[rank] += max(drawn[i] for i in order[rank:]) >= observed[j] - 1e-9
    p = [0.0] * len(family)
    highest = 0.0
    for rank, j in enumerate(order):
        highest = max(highest, hits[rank] / 2 ** len(NAMES))
        p[j] = max(highest, family[j].p)
    return p


@pytest.mark.parametrize("seed", range(3))
def test_the_drawn_p_is_that_of_all_flips(seed: int):
    family = _family(seed)
    for drawn, exact in zip(max_t(family, LEVEL), _by_enumeration(family), strict=True):
        assert drawn == pytest.approx(exact, abs=4 * math.sqrt(exact * (1 - exact) / DRAWS) + 1e-4)


@pytest.mark.parametrize("seed", range(5))
def test_no_order_of_queries_or_hypotheses_changes_a_bit(seed: int):
    family, chance = _family(seed), random.Random(seed)
    first = max_t(family, LEVEL)
    for _ in range(3):
        places = chance.sample(range(len(family)), len(family))
        shuffled = []
        for place in places:
            rows = chance.sample(range(len(family[place].ids)), len(family[place].ids))
            u, ids = family[place].u[rows], tuple(family[place].ids[row] for row in rows)
            shuffled.append(Hypothesis(family[place].p, u, ids))
        assert max_t(shuffled, LEVEL) == [first[place] for place in places]


@pytest.mark.parametrize("seed", range(5))
def test_no_p_falls_below_its_own_or_below_one_with_a_larger_statistic(seed: int):
    family = _family(seed)
    adjusted = max_t(family, LEVEL)
    assert all(p >= h.p for p, h in zip(adjusted, family, strict=True))
    ordered = sorted(range(len(family)), key=lambda j: -_statistic(family[j].u.tolist()))
    drawn = [adjusted[j] for j in ordered if adjusted[j] > family[j].p]
    assert drawn == sorted(drawn)


def test_the_same_claim_twice_costs_nothing():
    family = _family(1)
    assert max_t([*family, family[0]], LEVEL) == [*max_t(family, LEVEL), max_t(family, LEVEL)[0]]


def test_a_single_hypothesis_keeps_its_exact_p():
    assert max_t([_claim([-3, -2, -2, -1, 1])], LEVEL) == [_claim([-3, -2, -2, -1, 1]).p]
    assert max_t([], LEVEL) == []


def test_differences_that_are_all_equal_to_the_margin_prove_nothing():
    claims = [_claim([0, 0, 0]), _claim([-1, -1, -1])]
    assert max_t(claims, LEVEL)[0] == 1.0


def _denominator(p: float) -> int:
    return next(draws for draws in (DRAWS, MORE * DRAWS) if abs(p * (1 + draws) % 1 - 0.5) > 0.4999)


def test_ten_times_the_draws_are_taken_where_a_p_is_close_to_the_level():
    family = [_claim([-1] * 6), _claim([-1] * 5 + [2] * 3 + [0, 0, 0, -1])]
    clear = max_t(family, 0.2)[1]
    assert _denominator(clear) == DRAWS
    assert _denominator(max_t(family, clear)[1]) == MORE * DRAWS


def test_a_query_is_drawn_by_its_id_alone():
    ids = ["b", "a", "caf\u00e9"]
    sums = subset_sums(np.array([[1, 0], [10, 5], [100, 7]], np.int64), ids, block=3)
    for draw in (0, 1, 7, 4242, DRAWS - 1):
        chosen = []
        for query in ids:
            seed = b"pytest-retrieval sign flips\x003\x00" + query.encode()
            byte = hashlib.shake_256(seed).digest(DRAWS // 8)[draw // 8]
            chosen.append(byte >> (7 - draw % 8) & 1)
        assert sums[0, draw] == chosen[0] + 10 * chosen[1] + 100 * chosen[2]
        assert sums[1, draw] == 5 * chosen[1] + 7 * chosen[2]


def test_sums_of_large_differences_are_exact():
    # float32 keeps 24 bits: a loss of 1 beside 10^9 would be lost, and the tie with it.
    large = [10**9, -(10**9), -1]
    sums = subset_sums(np.array([[x] for x in large], np.int64), NAMES[:3])
    assert {int(total) for total in sums[0]} == {0, 10**9, -(10**9), -1, 10**9 - 1, -(10**9) - 1}
