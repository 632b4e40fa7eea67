from __future__ import annotations

import math
import random
from collections.abc import Iterator
from itertools import product

import numpy as np
import pytest

from pytest_retrieval.gating.bootstrap import resample


def _whole(values: object) -> np.ndarray:
    return np.asarray(values, np.int64)


@pytest.mark.parametrize("n", [12, 50, 200])
@pytest.mark.parametrize("k", range(1, 13))
def test_k_losses_among_ties_have_the_share_of_resamples_without_any(n: int, k: int):
    sums = resample(_whole([-1] * k + [0] * (n - k)))
    assert sums.share_at_or_above(0) == pytest.approx((1 - k / n) ** n, abs=1e-9)


@pytest.mark.parametrize("values", [[-3, 1, 0], [5, -2, -2, 7], [1, 2, 4, -9, 0], [3, -1, -1, 0, 2, -2]])
def test_the_distribution_is_that_of_every_resample_in_turn(values: list[int]):
    totals = [sum(draws) for draws in product(values, repeat=len(values))]
    sums = resample(_whole(values))
    for threshold in range(min(totals) - 1, max(totals) + 2):
        expected = sum(total >= threshold for total in totals) / len(totals)
        assert sums.share_at_or_above(threshold) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("n", [6, 20, 100, 400])
@pytest.mark.parametrize("kind", ["hit", "thirds", "graded"])
def test_the_share_lies_within_four_standard_errors_of_drawn_resamples(kind: str, n: int):
    chance, rounds = np.random.default_rng(n), 40_000
    values = {
        "hit": lambda: chance.choice([-50, 0, 50], n, p=[0.2, 0.7, 0.1]),
        "thirds": lambda: chance.choice([-150, -100, 0, 50, 75], n),
        "graded": lambda: np.where(chance.random(n) < 0.5, 0, chance.normal(-0.1, 0.3, n) * 1e9),
    }[kind]()
    values = _whole(values)
    margin = {"hit": 1, "thirds": 3, "graded": 20_000_000}[kind]
    drawn = np.concatenate([chance.choice(values, (10_000, n)).sum(axis=1) for _ in range(rounds // 10_000)])
    sums = resample(values)
    for total in (0, -margin * n, -8 * margin * n):
        share = sums.share_at_or_above(total)
        error = math.sqrt(max(share * (1 - share), 1e-5) / rounds)
        assert abs(float((drawn >= total).mean()) - share) <= 4 * error


def test_ten_thousand_queries_with_a_rare_large_loss_agree_with_the_poisson_tail():
    # 3 losses of a whole point in 10,000: their number in a resample is binomial.
    sums = resample(_whole([-(10**9)] * 3 + [0] * 9_997))
    none, one = (1 - 3e-4) ** 10_000, 3 * (1 - 3e-4) ** 9_999
    assert sums.share_at_or_above(0) == pytest.approx(none, abs=1e-9)
    assert sums.share_at_or_above(-(10**9)) == pytest.approx(none + one, abs=1e-9)


@pytest.mark.parametrize("n", [1, 2, 32])
@pytest.mark.parametrize("value", [-100_000_000, 0, 7])
def test_a_constant_difference_has_an_interval_of_zero_width(value: int, n: int):
    sums = resample(_whole([value] * n))
    assert sums.interval(0.95) == (n * value, n * value)
    assert sums.p(n * value) == 1
    assert sums.p(n * value + 1) == 0


def test_two_queries_prove_nothing_so_the_interval_is_all_that_is_possible():
    assert resample(_whole([-5, 3])).interval(0.95) == (-10, 6)


def test_the_interval_is_the_widened_percentile_of_scipys_bootstrap():
    stats = pytest.importorskip("scipy.stats")
    n, alpha = 40, 0.05
    values = np.rint(np.random.default_rng(2).normal(-0.1, 0.3, n) * 1e9)
    widened = stats.norm.cdf(math.sqrt(n / (n - 1)) * stats.t.ppf(alpha, n - 1))
    peer = stats.bootstrap(
        (values,), np.sum, n_resamples=60_000, method="percentile", confidence_level=1 - 2 * widened, rng=1
    ).confidence_interval
    low, high = resample(_whole(values)).interval(1 - alpha)
    assert low == pytest.approx(peer.low, abs=0.03 * values.std() * math.sqrt(n))
    assert high == pytest.approx(peer.high, abs=0.03 * values.std() * math.sqrt(n))


def test_the_p_is_the_widened_one():
    stats = pytest.importorskip("scipy.stats")
    n, k = 20, 5
    share = (1 - k / n) ** n
    expected = stats.t.cdf(stats.norm.ppf(share) * math.sqrt((n - 1) / n), n - 1)
    assert resample(_whole([-1] * k + [0] * (n - k))).p(0) == pytest.approx(expected, abs=1e-9)


def _samples(rounds: int) -> Iterator[list[int]]:
    """Samples of every size up to 40: full of ties, without a common step, and mixed."""
    chance = random.Random(rounds)
    fine, coarse = lambda: chance.randint(-(10**9), 10**9), lambda: chance.randint(-3, 3)
    for _ in range(rounds):
        draws = chance.choice([(fine,), (coarse,), (fine, coarse)])
        yield [chance.choice(draws)() for _ in range(chance.randint(1, 40))]


@pytest.mark.parametrize("confidence", [0.9, 0.95, 0.99])
def test_the_interval_lies_below_a_total_exactly_when_the_p_says_so(confidence: float):
    for values in _samples(40):
        sums = resample(_whole(values))
        lower, upper = sums.interval(confidence)
        assert lower <= upper
        for margin in range(4):
            total = -margin * len(values)
            assert (upper < total) == (sums.p(total) <= 1 - confidence + 1e-9)


def test_the_mirrored_data_have_the_mirrored_interval():
    for values in _samples(50):
        sums, near = resample(_whole(values)), pytest.approx
        lower, upper = sums.interval(0.95)
        mirrored = resample(-_whole(values)).interval(0.95)
        assert mirrored == (near(-upper, abs=2 * sums.step), near(-lower, abs=2 * sums.step))
        assert len(values) * min(values) <= lower <= upper <= len(values) * max(values)


def test_the_order_of_queries_does_not_change_a_bit():
    chance = np.random.default_rng(9)
    values = _whole(np.rint(chance.normal(-0.05, 0.3, 300) * 1e9))
    first = resample(values)
    for _ in range(3):
        again = resample(chance.permutation(values))
        assert np.array_equal(again.tail, first.tail)
        assert again.first == first.first
