from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from pytest_retrieval.gating.noise import run_level_p


def _runs(*rows: list[float]) -> np.ndarray:
    return np.array(rows, np.float64)


def test_runs_that_repeat_themselves_leave_the_paired_t_test():
    before, after = [0.9, 0.8, 0.7, 0.6, 0.9], [0.5, 0.6, 0.6, 0.4, 0.7]
    p = run_level_p(_runs(before, before, before), _runs(after, after), 0.02)
    peer = stats.ttest_1samp(np.subtract(after, before), -0.02, alternative="less").pvalue
    assert p == pytest.approx(peer, abs=1e-12)


def test_what_a_run_adds_to_all_queries_is_all_that_counts_where_queries_agree():
    # Every query moves with its run: the test is Student's, of two run means against two.
    before, after = _runs([0.50] * 6, [0.54] * 6), _runs([0.40] * 6, [0.46] * 6)
    peer = stats.ttest_ind([0.40, 0.46], [0.50, 0.54], alternative="less").pvalue
    assert run_level_p(before, after, 0.0) == pytest.approx(peer, abs=1e-12)


def test_one_run_on_a_side_borrows_the_noise_of_the_other():
    # Spread 0.02 between two runs; a single new run 0.06 lower is t = 0.06 / (0.02 sqrt(1.5)) at 1 df.
    spread = 0.02 / np.sqrt(2)
    before, after = _runs([0.5 - spread] * 4, [0.5 + spread] * 4), _runs([0.44] * 4)
    expected = stats.t.cdf(-0.06 / (0.02 * np.sqrt(1.5)), 1)
    assert run_level_p(before, after, 0.0) == pytest.approx(expected, abs=1e-12)
    assert run_level_p(after, before, 0.0) == pytest.approx(1 - expected, abs=1e-12)


def test_noise_of_single_queries_is_no_noise_of_runs():
    # Two runs whose queries swap places have the same mean: only the queries' differences count.
    before, after = _runs([0.9, 0.5, 0.7, 0.3], [0.5, 0.9, 0.3, 0.7]), _runs([0.6, 0.6, 0.3, 0.4])
    peer = stats.ttest_1samp([-0.1, -0.1, -0.2, -0.1], 0, alternative="less").pvalue
    assert run_level_p(before, after, 0.0) == pytest.approx(peer, abs=1e-12)


def test_without_any_variance_the_drop_alone_decides():
    before, after = _runs([0.5] * 3, [0.5] * 3), _runs([0.4] * 3, [0.4] * 3)
    assert run_level_p(before, after, 0.05) == 0.0
    assert run_level_p(before, before, 0.05) == 1.0


def test_the_order_of_runs_does_not_matter():
    chance = np.random.default_rng(1)
    before, after = chance.random((3, 20)), chance.random((2, 20))
    assert run_level_p(before[::-1], after, 0.0) == pytest.approx(run_level_p(before, after, 0.0), abs=1e-12)


@pytest.mark.parametrize(("before", "after"), [((1, 5), (1, 5)), ((2, 5), (2, 4)), ((2, 1), (2, 1))])
def test_too_few_runs_or_queries_are_refused(before: tuple[int, int], after: tuple[int, int]):
    with pytest.raises(ValueError, match="expected two or more"):
        run_level_p(np.zeros(before), np.zeros(after), 0.0)
