from __future__ import annotations

import numpy as np
import pytest

from pytest_retrieval.gating.power import detectable_drop, fewest_losses


def _hits(n: int, losses: int, wins: int) -> tuple[list[float], list[float]]:
    before = [1.0] * losses + [0.0] * wins + [1.0] * (n - losses - wins)
    after = [0.0] * losses + [1.0] * wins + [1.0] * (n - losses - wins)
    return before, after


@pytest.mark.parametrize(
    ("alpha", "losses"), [(0.05, 5), (0.01, 7), (0.25, 2), (0.05 / 6, 7), (0.0625, 4), (1 - 0.95, 5)]
)
def test_as_many_queries_must_get_worse_as_halvings_reach_alpha(alpha: float, losses: int):
    assert fewest_losses(alpha) == losses


@pytest.mark.parametrize(
    ("n", "churn", "simulated"),
    [(10, 1, 0.596), (20, 2, 0.319), (50, 5, 0.153), (200, 20, 0.083)],
)
def test_hits_with_ten_percent_churn_have_the_simulated_drop(n: int, churn: int, simulated: float):
    # 80 % points of a simulation of the test, margin 0.02, level 5 %.
    before, after = _hits(n, churn - churn // 2, churn // 2)
    assert detectable_drop(before, after, 0.02, 0.05) == pytest.approx(simulated, rel=0.12)


def test_graded_changes_in_every_query_have_the_simulated_drop():
    chance = np.random.default_rng(4)
    for n, simulated in ((20, 0.108), (50, 0.074), (200, 0.047)):
        drops = []
        for _ in range(20):
            before = chance.uniform(0.4, 0.6, n)
            drops.append(detectable_drop(before, before + chance.normal(0, 0.15, n), 0.02, 0.05))
        assert np.mean(drops) == pytest.approx(simulated, rel=0.12)


@pytest.mark.parametrize(("n", "points"), [(10, 0.58), (15, 0.41), (20, 0.31)])
def test_where_nothing_changed_five_of_the_hits_must_be_lost(n: int, points: float):
    before, after = _hits(n, 0, 0)
    assert detectable_drop(before, after, 0.02, 0.05) == pytest.approx(points, abs=0.005)


def test_where_nothing_changed_a_query_can_lose_what_it_has():
    whole = detectable_drop([1.0] * 20, [1.0] * 20, 0.0, 0.05)
    half = detectable_drop([0.5] * 20, [0.5] * 20, 0.0, 0.05)
    assert whole is not None
    assert half == pytest.approx(whole / 2, abs=1e-6)


def test_fewer_queries_than_losses_needed_see_nothing():
    assert detectable_drop([1.0] * 4, [1.0] * 4, 0.02, 0.05) is None
    assert detectable_drop([1.0] * 5, [1.0] * 5, 0.02, 0.05) is not None
    assert detectable_drop([1.0] * 6, [1.0] * 6, 0.02, 0.05 / 6) is None
    assert detectable_drop([1.0], [0.0], 0.02, 0.5) is None


def test_where_nothing_is_left_to_lose_nothing_is_seen():
    assert detectable_drop([0.0] * 20, [0.0] * 20, 0.02, 0.05) is None


def test_a_drop_is_never_larger_than_one():
    before, after = _hits(5, 2, 2)
    drop = detectable_drop(before, after, 0.1, 0.05)
    assert drop is not None
    assert 0.9 < drop <= 1


def test_a_stricter_level_and_a_larger_margin_see_less():
    before, after = _hits(100, 8, 7)
    loose = detectable_drop(before, after, 0.0, 0.05)
    assert loose is not None
    assert detectable_drop(before, after, 0.0, 0.01) > loose
    assert detectable_drop(before, after, 0.05, 0.05) > loose + 0.04
