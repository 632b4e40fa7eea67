"""Many gates, one promise: the chance of any false alarm among them stays at the level."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class Hypothesis:
    """One claim of a family: "the sum of ``u`` is really 0 or more", and its own p.

    ``u`` (int64, shape [queries], any unit) holds difference plus margin per query, ``ids``
    the queries in the same order: all that a method needs which flips the signs of a query in
    every hypothesis at once.
    """

    p: float
    u: NDArray[np.int64]
    ids: tuple[str, ...]


def adjust(family: Sequence[Hypothesis]) -> list[float]:
    """The p of each hypothesis as a member of the family, in the family's order.

    Rejecting where this is at most alpha keeps the chance of any false rejection at alpha.
    The one place that chooses the method: Holm's, which reads only the p values.
    """
    return holm([hypothesis.p for hypothesis in family])


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's step-down adjusted p values (Holm 1979), in the order given, each at most 1."""
    adjusted = [0.0] * len(p_values)
    highest = 0.0
    for rank, index in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[index]))
        adjusted[index] = highest
    return adjusted
