from __future__ import annotations

import math

import pytest

from pytest_retrieval.gating.distributions import binomial_tail, student_t_cdf, student_t_quantile


@pytest.mark.parametrize(
    ("p", "df", "tabulated"),
    [
        (0.95, 1, 6.314),
        (0.95, 2, 2.920),
        (0.95, 9, 1.833),
        (0.95, 19, 1.729),
        (0.99, 30, 2.457),
        (0.975, 120, 1.980),
    ],
)
def test_quantiles_of_students_t_are_the_tabulated_ones(p: float, df: int, tabulated: float):
    assert student_t_quantile(p, df) == pytest.approx(tabulated, abs=5e-4)
    assert student_t_quantile(1 - p, df) == pytest.approx(-tabulated, abs=5e-4)


@pytest.mark.parametrize("t", [-50.0, -2.0, -0.3, 0.0, 0.7, 12.0])
def test_one_and_two_degrees_of_freedom_have_closed_forms(t: float):
    assert student_t_cdf(t, 1) == pytest.approx(0.5 + math.atan(t) / math.pi, abs=1e-13)
    assert student_t_cdf(t, 2) == pytest.approx(0.5 + t / (2 * math.sqrt(2 + t * t)), abs=1e-13)


@pytest.mark.parametrize("df", [1, 2, 3, 9, 49, 199, 9_999])
def test_students_t_agrees_with_scipy(df: int):
    stats = pytest.importorskip("scipy.stats")
    for t in (-40.0, -3.0, -1.0, -0.1, 0.0, 0.5, 2.0, 9.0):
        assert student_t_cdf(t, df) == pytest.approx(stats.t.cdf(t, df), abs=1e-10)
    for p in (1e-9, 1e-4, 0.01, 0.05, 0.5, 0.8, 0.95):
        assert student_t_quantile(p, df) == pytest.approx(stats.t.ppf(p, df), rel=1e-8, abs=1e-9)


def test_binomial_tails_are_the_sums_of_their_terms():
    for n, k, q in ((1, 1, 0.3), (5, 2, 0.5), (20, 5, 0.31), (200, 7, 0.05)):
        terms = [math.comb(n, j) * q**j * (1 - q) ** (n - j) for j in range(k, n + 1)]
        assert binomial_tail(k, n, q) == pytest.approx(math.fsum(terms), abs=1e-12)
    assert binomial_tail(3, 9, 0.0) == 0
    assert binomial_tail(3, 9, 1.0) == 1
