"""Student's t and the binomial tail, by the incomplete beta function; no scipy needed."""

from __future__ import annotations

import math
from functools import lru_cache
from statistics import NormalDist


def student_t_cdf(t: float, df: float) -> float:
    """The chance that Student's t with ``df`` (above 0) degrees of freedom is at most ``t``."""
    tail = _incomplete_beta(df / 2, 0.5, df / (df + t * t)) / 2
    return tail if t < 0 else 1 - tail


@lru_cache(maxsize=1024)
def student_t_quantile(p: float, df: int) -> float:
    """The t below which a share ``p`` (between 0 and 1, exclusive) of the distribution lies."""
    if p > 0.5:
        return -student_t_quantile(1 - p, df)
    if p == 0.5:
        return 0.0
    # Left of 0 the distribution function is convex, and the normal quantile lies right of the
    # root: Newton's steps all go left and stop at it.
    t = NormalDist().inv_cdf(p)
    while True:
        following = t - (student_t_cdf(t, df) - p) / _student_t_density(t, df)
        if following >= t:
            return t
        t = following


def _student_t_density(t: float, df: int) -> float:
    logarithm = math.lgamma((df + 1) / 2) - math.lgamma(df / 2) - (df + 1) / 2 * math.log1p(t * t / df)
    return math.exp(logarithm) / math.sqrt(df * math.pi)


def binomial_tail(k: int, n: int, q: float) -> float:
    """The chance of at least ``k`` (1 to n) successes in ``n`` trials of chance ``q`` (0 to 1)."""
    return _incomplete_beta(k, n - k + 1, q)


def _incomplete_beta(a: float, b: float, x: float) -> float:
    """The regularised incomplete beta function I_x(a, b), for x from 0 to 1.

    The continued fraction of DLMF 8.17.22, evaluated by Lentz's method on the side of the
    mean where it converges fast.
    """
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):
        return 1 - _incomplete_beta(b, a, 1 - x)
    front = math.exp(
        math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    )
    fraction = c = 1.0
    d = 0.0
    for step in range(1, 100_000):
        m = step // 2
        if step % 2:
            term = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        else:
            term = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        d = 1 / (1 + term * d)
        c = 1 + term / c
        fraction *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return front / (a * fraction)
