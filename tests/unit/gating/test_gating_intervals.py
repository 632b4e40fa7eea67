from __future__ import annotations

import random

import numpy as np
import pytest
from scipy import stats

from pytest_retrieval.gating.intervals import mean_interval, share_interval


@pytest.mark.parametrize(
    ("hits", "n", "lower", "upper"),
    [(41, 45, 0.7927, 0.9649), (0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (1, 1, 0.2065, 1.0)],
)
def test_a_share_has_wilsons_interval(hits: int, n: int, lower: float, upper: float):
    assert share_interval(hits, n, 0.95) == pytest.approx((lower, upper), abs=5e-5)
    peer = stats.binomtest(hits, n).proportion_ci(0.95, method="wilson")
    assert share_interval(hits, n, 0.95) == pytest.approx((peer.low, peer.high), abs=1e-9)


def test_a_mean_has_the_percentile_interval_once_samples_are_large():
    chance = np.random.default_rng(3)
    scores = chance.choice([0, 0.2, 0.5, 1], 400)
    peer = stats.bootstrap((scores,), np.mean, method="percentile", n_resamples=20_000, rng=1)
    assert mean_interval(scores.tolist(), 0.95) == pytest.approx(tuple(peer.confidence_interval), abs=0.002)


def test_small_samples_have_the_width_of_students_t():
    scores = [0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65]
    lower, upper = mean_interval(scores, 0.95)
    half = stats.t.ppf(0.975, 7) * np.std(scores, ddof=1) / np.sqrt(8)
    assert (upper - lower) / 2 == pytest.approx(half, rel=0.06)
    assert (upper + lower) / 2 == pytest.approx(0.475, abs=1e-3)


def test_the_order_of_scores_does_not_change_a_bit():
    chance = random.Random(2)
    scores = [chance.random() for _ in range(60)]
    assert mean_interval(chance.sample(scores, 60), 0.9) == mean_interval(scores, 0.9)


def test_one_query_says_nothing_about_the_next():
    assert mean_interval([0.5], 0.95) is None
    assert mean_interval([], 0.95) is None
    assert share_interval(0, 0, 0.95) is None


def test_equal_scores_have_an_interval_of_zero_width():
    assert mean_interval([0.5] * 12, 0.95) == (0.5, 0.5)
