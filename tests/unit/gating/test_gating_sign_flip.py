from __future__ import annotations

import math
import random
from itertools import product

import numpy as np
import pytest

from pytest_retrieval.gating.flips import DRAWS
from pytest_retrieval.gating.sign_flip import (
    add_on_a_grid,
    count_subsets,
    draw_subsets,
    sign_flip_p,
)


def _ids(n: int) -> list[str]:
    return [f"q{i}" for i in range(n)]


def _p(u: np.ndarray) -> float:
    return sign_flip_p(np.asarray(u, np.int64), _ids(len(u)))


def _brute_force(u: list[int]) -> float:
    hits = sum(
        sum(x for x, chosen in zip(u, subset, strict=True) if chosen) >= 0
        for subset in product((0, 1), repeat=len(u))
    )
    return hits / 2 ** len(u)


def _both_engines(u: list[int]) -> tuple[float, float]:
    """The engines asked directly, for sizes that both can handle."""
    sizes = np.sort(np.abs(np.array([x for x in u if x], np.int64)))
    gains = sum(x for x in u if x > 0)
    possible = sizes[sizes <= gains]
    factor = 2.0 ** (len(possible) - len(sizes))
    counted = count_subsets(possible, gains)
    assert counted is not None
    return counted * factor, (add_on_a_grid(possible, gains) if len(possible) else 1.0) * factor


def _hit(chance: np.random.Generator, n: int, margin: bool) -> list[int]:
    return [50 * int(d) + margin for d in chance.choice([-1, -1, 0, 0, 1], n)]


def _reciprocal_rank(chance: np.random.Generator, n: int, margin: bool) -> list[int]:
    scores = [0] + [12600 // rank for rank in range(1, 11)]
    return [int(after - before) + 252 * margin for before, after in chance.choice(scores, (n, 2))]


def _graded(chance: np.random.Generator, n: int, margin: bool) -> list[int]:
    return [int(d) + 20_000_000 * margin for d in chance.normal(-0.05, 0.3, n) * 1e9]


DATA = {"hit": _hit, "rr": _reciprocal_rank, "graded": _graded}


@pytest.mark.parametrize("n", [12, 50, 200])
@pytest.mark.parametrize("k", range(1, 13))
def test_k_equal_losses_among_ties_have_p_two_to_the_minus_k(n: int, k: int):
    assert _p([-1] * k + [0] * (n - k)) == pytest.approx(2.0**-k, abs=1e-12)
    assert _p([-333_333_333] * k + [0] * (n - k)) == pytest.approx(2.0**-k, abs=1e-12)


@pytest.mark.parametrize("margin", [False, True])
@pytest.mark.parametrize("kind", DATA)
@pytest.mark.parametrize("n", [1, 2, 5, 9, 12])
def test_both_engines_agree_with_brute_force_including_ties_at_zero(kind: str, n: int, margin: bool):
    chance = np.random.default_rng(n)
    for _ in range(4):
        u = DATA[kind](chance, n, margin)
        expected = _brute_force(u)
        assert _p(u) == pytest.approx(expected, abs=1e-12)
        counted, added = _both_engines(u)
        assert counted == pytest.approx(expected, abs=1e-12)
        assert added == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("kind", DATA)
def test_both_engines_agree_with_brute_force_at_16_queries(kind: str):
    u = DATA[kind](np.random.default_rng(16), 16, True)
    sums = np.zeros(1, np.int64)
    for value in u:
        sums = np.concatenate([sums, sums + value])
    expected = float((sums >= 0).mean())
    assert _p(u) == pytest.approx(expected, abs=1e-12)
    assert _both_engines(u) == (pytest.approx(expected, abs=1e-12), pytest.approx(expected, abs=1e-12))


def test_small_whole_numbers_full_of_ties_agree_with_brute_force():
    chance = random.Random(1)
    for _ in range(120):
        u = [chance.randint(-4, 4) for _ in range(chance.randint(1, 9))]
        expected = pytest.approx(_brute_force(u), abs=1e-12)
        assert _p(u) == expected
        assert _both_engines(u) == (expected, expected)


@pytest.mark.parametrize("n", [40, 100, 400])
@pytest.mark.parametrize("kind", DATA)
def test_p_lies_within_four_standard_errors_of_a_simulation(kind: str, n: int):
    rounds = 60_000
    chance = np.random.default_rng(n)
    for margin in (False, True):
        u = np.array(DATA[kind](chance, n, margin))
        u = -u if u.sum() > 0 else u
        hits = sum(int((chance.integers(0, 2, (10_000, n)) @ u >= 0).sum()) for _ in range(rounds // 10_000))
        p = _p(u)
        assert abs(hits / rounds - p) <= 4 * math.sqrt(max(p * (1 - p), 1e-5) / rounds)


def test_the_rounded_grid_stays_within_a_thousandth_of_the_count():
    chance = np.random.default_rng(3)
    for _ in range(5):
        distinct = np.sort(chance.integers(10_000_000, 500_000_000, 4))
        # 4 sizes of 50 queries each can still be counted, and have no common step.
        sizes = np.repeat(distinct, 50)
        gains = int(sizes.sum() * 0.43)
        counted = count_subsets(sizes, gains)
        assert counted is not None
        assert 0 <= add_on_a_grid(sizes, gains) - counted < 1e-3


def test_hit_like_differences_of_any_number_of_queries_are_counted():
    # 5,000 unchanged queries are worth 0.02 each and 110 losses 0.98 each: beyond 2,000 queries.
    u = np.array([1] * 5_000 + [-49] * 110)
    normal = 0.5 * math.erfc((390 / 2) / math.sqrt((5_000 + 110 * 49**2) / 4) / math.sqrt(2))
    assert _p(u) == pytest.approx(normal, abs=0.01)
    assert _p(u) == _p(u[::-1])


def test_drawn_subsets_agree_with_the_normal_approximation_above_two_thousand_queries():
    chance = np.random.default_rng(0)
    u = np.rint(chance.normal(-0.006, 0.3, 3_000) * 1e9).astype(np.int64)
    z = -u.sum() / math.sqrt(float((u.astype(float) ** 2).sum()))
    expected = 0.5 * math.erfc(z / math.sqrt(2))
    assert _p(u) == pytest.approx(expected, abs=4 * math.sqrt(expected * (1 - expected) / DRAWS))


def test_the_drawn_p_is_never_zero():
    assert draw_subsets(np.full(40, -1, np.int64), _ids(40)) == 1 / (1 + DRAWS)


@pytest.mark.parametrize("n", [30, 300, 2_500])
def test_the_order_of_queries_does_not_change_a_bit(n: int):
    chance = np.random.default_rng(n)
    u, ids = np.rint(chance.normal(-0.03, 0.3, n) * 1e9).astype(np.int64), np.array(_ids(n))
    first = sign_flip_p(u, list(ids))
    for _ in range(3):
        order = chance.permutation(n)
        assert sign_flip_p(u[order], list(ids[order])) == first


def test_queries_without_a_difference_do_not_count():
    assert _p([-3, 1, -2]) == _p([0, -3, 0, 1, -2, 0])


def test_no_query_or_no_difference_is_no_evidence():
    assert _p([]) == 1
    assert _p([0, 0]) == 1


def test_fewer_than_five_losses_never_reach_five_percent():
    for losses in range(5):
        for wins in range(4):
            assert _p([-50] * losses + [40] * wins + [0] * 90) > 0.05


def test_scipys_permutation_test_gives_the_same_p():
    stats = pytest.importorskip("scipy.stats")
    chance = np.random.default_rng(11)
    u = np.rint(chance.normal(-0.1, 0.3, 12) * 1e9)
    peer = stats.permutation_test(
        (u,), np.sum, permutation_type="samples", alternative="less", n_resamples=np.inf
    )
    # The peer flips signs: a sum of flipped signs at most the observed one is our subset of at least 0.
    assert _p(u) == pytest.approx(peer.pvalue, abs=1e-12)
