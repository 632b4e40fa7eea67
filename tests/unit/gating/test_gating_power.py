from __future__ import annotations

import numpy as np
import pytest

from pytest_retrieval.gating.judging import judge
from pytest_retrieval.gating.pairing import Paired
from pytest_retrieval.gating.policy import KindPolicy, Policy
from pytest_retrieval.gating.power import (
    can_never_fail,
    detectable_drop,
    expected_spread,
    fewest_falls,
    fewest_losses,
    queries_needed,
    smallest_drop,
)
from pytest_retrieval.gating.verdict import REGRESSION
from pytest_retrieval.golden.model import Query


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


def _falls(scores: list[float], margin: float, gates: int = 1) -> int | None:
    by_id = {f"q{i:03}": score for i, score in enumerate(scores)}
    return fewest_falls(by_id, margin, 0.95, lambda claim: claim.p * gates)


@pytest.mark.parametrize(
    ("n", "margin", "losses"),
    [(20, 0.02, 5), (50, 0.02, 5), (200, 0.02, 10), (20, 0.05, 5), (50, 0.05, 8), (200, 0.05, 17)],
)
def test_as_many_must_fall_as_both_keys_need_by_the_table(n: int, margin: float, losses: int):
    assert _falls([1.0] * n, margin) == losses


@pytest.mark.parametrize(("gates", "losses"), [(1, 5), (2, 6), (6, 7), (20, 9)])
def test_more_gates_ask_for_more_falls(gates: int, losses: int):
    # The unchanged ones gain the margin, which one query more or less does not make up for.
    assert _falls([1.0] * 10, 0.02, gates) == losses


def test_queries_that_have_nothing_cannot_fall():
    assert _falls([1.0] * 5 + [0.0] * 5, 0.0) == 5
    assert _falls([1.0] * 4 + [0.0] * 6, 0.0) is None
    assert _falls([0.0] * 10, 0.0) is None


def test_a_loss_within_the_margin_is_no_fall():
    assert _falls([0.1] * 20, 0.1) is None


@pytest.mark.parametrize("queries", range(1, 8))
def test_a_set_can_fail_from_five_queries_on_and_then_does(queries: int):
    policy = Policy(("mrr",), {"mrr": 0.02})
    assert can_never_fail(queries, policy) == (queries < 5)
    worst = Paired(
        tuple(Query(f"q{i}", "", {"d": 1}, f"k{i % 2}") for i in range(queries)),
        {"mrr": {f"q{i}": 1.0 for i in range(queries)}},
        {"mrr": {f"q{i}": 0.0 for i in range(queries)}},
    )
    assert (REGRESSION in {row.verdict for row in judge(worst, policy)}) == (queries >= 5)


def test_margins_of_everything_cannot_fail_unless_a_kind_has_its_own():
    assert can_never_fail(100, Policy(("mrr",), {"mrr": 1.0}))
    assert not can_never_fail(100, Policy(("mrr",), {"mrr": 1.0}, kinds={"a": KindPolicy({"mrr": 0.1})}))


@pytest.mark.parametrize(("n", "points"), [(10, 60), (15, 42), (20, 32), (50, 15), (100, 11), (200, 8)])
def test_the_readable_floors_of_a_hit_rate_are_those_of_the_expected_spread(n: int, points: int):
    assert smallest_drop(n, expected_spread([], 0.1), 0.02, 0.05) == pytest.approx(points / 100, abs=0.02)


def test_a_change_is_as_large_as_scores_differ():
    spread = expected_spread([1.0, 1.0, 0.5, 0.0], 0.2)
    # Pairs: 1 with 1/2 twice, 1 with 0 twice, 1/2 with 0 once.
    sizes = dict(zip(spread.sizes.tolist(), spread.weights.tolist(), strict=True))
    assert sizes == pytest.approx({0.0: 0.8, 0.5: 0.2 * 3 / 5, 1.0: 0.2 * 2 / 5})
    assert spread.everything == pytest.approx(2.5 / 3)


def test_where_scores_are_alike_a_change_loses_all():
    assert expected_spread([0.5] * 9, 0.1).loss == 0.5


@pytest.mark.parametrize("drop", [0.05, 0.1, 0.3])
def test_so_many_queries_see_the_drop_and_one_fewer_does_not(drop: float):
    spread = expected_spread([], 0.1)
    needed = queries_needed(drop, spread, 0.02, 0.05)
    assert smallest_drop(needed, spread, 0.02, 0.05) <= drop
    assert smallest_drop(needed - 1, spread, 0.02, 0.05) > drop


def test_no_number_of_queries_sees_a_drop_within_the_margin():
    assert queries_needed(0.02, expected_spread([], 0.1), 0.02, 0.05) is None
