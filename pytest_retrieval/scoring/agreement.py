"""How far two judges agree beyond chance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

_Pair = TypeVar("_Pair", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Agreement:
    """Two judges over the pairs that both graded.

    ``observed`` is the share of equal grades, ``kappa`` Cohen's kappa, and ``weighted`` the
    same with disagreements counted by the square of their size; both are at most 1, 0 is what
    chance alone gives, and None stands where both judges gave one and the same grade throughout.
    """

    n: int
    equal: int
    kappa: float | None
    weighted: float | None

    @property
    def observed(self) -> float:
        """The share of equal grades; 0 where no pair was graded by both."""
        return self.equal / self.n if self.n else 0.0


def agree_on(first: Mapping[_Pair, int], second: Mapping[_Pair, int]) -> Agreement:
    """The agreement of two judges' grades over the pairs that both graded.

    Kappa is 1 - sum(w observed) / sum(w expected), the expected share of two grades being the
    product of how often each judge gave them; w is 1 for unequal grades, or the square of
    their difference (Cohen, Educational and Psychological Measurement 20, 1960, and
    Psychological Bulletin 70, 1968). Exact until the last division.
    """
    pairs = [(first[pair], second[pair]) for pair in first if pair in second]
    return Agreement(
        len(pairs),
        sum(a == b for a, b in pairs),
        _kappa(pairs, lambda a, b: int(a != b)),
        _kappa(pairs, lambda a, b: (a - b) ** 2),
    )


def _kappa(pairs: list[tuple[int, int]], weight: Callable[[int, int], int]) -> float | None:
    ones, others = Counter(a for a, _ in pairs), Counter(b for _, b in pairs)
    expected = sum(weight(a, b) * n * m for a, n in ones.items() for b, m in others.items())
    if not expected:
        return None
    return float(1 - Fraction(sum(weight(a, b) for a, b in pairs) * len(pairs), expected))
