"""One thing that a check has found."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice

SHOWN = 5
"""How many examples a finding names."""

CHECKS = (
    "dangling",
    "never-returned",
    "repeated-questions",
    "small-kinds",
    "copied-words",
    "grade-direction",
    "empty-documents",
    "same-documents",
    "outside-pool",
    "pool-depth",
    "older-labels",
    "ceilings",
)
"""The names of the checks, in the order in which they are told."""


@dataclass(frozen=True, slots=True)
class Finding:
    """``check`` is one of :data:`CHECKS`; a ``problem`` makes scores wrong, anything else is worth knowing.

    ``line`` is where to look first in the golden set, None where there is no such place.
    """

    check: str
    problem: bool
    message: str
    line: int | None = None


def examples(items: Sequence[str] | Iterable[str], total: int) -> str:
    """The first few of some examples, and how many there are beyond them."""
    shown = list(islice(items, SHOWN))
    rest = total - len(shown)
    return "; ".join(shown) + (f"; and {rest} more" if rest > 0 else "")
