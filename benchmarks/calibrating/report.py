"""What was measured, what was promised, and the tables that say both."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

ERRORS = 3
"""In quick mode a rate may miss its limit by so many standard errors of the simulation."""


@dataclass(frozen=True)
class Check:
    """One promise: ``measured`` is at most or at least ``limit``, give or take ``tolerance``."""

    what: str
    measured: float
    limit: float
    at_least: bool = False
    tolerance: float = 0.0
    percent: bool = True

    @property
    def kept(self) -> bool:
        if self.at_least:
            return self.measured >= self.limit - self.tolerance - 1e-12
        return self.measured <= self.limit + self.tolerance + 1e-12

    def cells(self) -> list[str]:
        sign = ">=" if self.at_least else "<="
        slack = f" ({'-' if self.at_least else '+'}{self._number(self.tolerance)})" if self.tolerance else ""
        limit = f"{sign} {self._number(self.limit)}{slack}"
        return [self.what, self._number(self.measured), limit, "yes" if self.kept else "MISSED"]

    def _number(self, value: float) -> str:
        return f"{value * 100:.1f} %" if self.percent else f"{value:.3g}"


@dataclass(frozen=True)
class Table:
    """Figures beside the promises: rows of text, the first column to the left."""

    title: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]

    def text(self) -> list[str]:
        sizes = [max(len(row[i]) for row in (self.head, *self.rows)) for i in range(len(self.head))]
        lines = [self.title]
        for row in (self.head, *self.rows):
            cells = [row[0].ljust(sizes[0]), *(c.rjust(s) for c, s in zip(row[1:], sizes[1:], strict=True))]
            lines.append("  " + "  ".join(cells).rstrip())
        return lines

    def markdown(self) -> list[str]:
        lines = [f"**{self.title}**", "", f"| {' | '.join(self.head)} |", "|" + "---|" * len(self.head)]
        return [*lines, *(f"| {' | '.join(row)} |" for row in self.rows)]


@dataclass
class Section:
    """One numbered part of the bench."""

    title: str
    checks: list[Check] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)

    def all_tables(self) -> list[Table]:
        promised = [check.cells() for check in self.checks]
        return [
            *([Table("promised", ["", "measured", "limit", "kept"], promised)] if promised else []),
            *self.tables,
        ]


@dataclass(frozen=True)
class Effort:
    """How much is simulated. ``quick`` runs in CI and allows for the error of its small samples."""

    quick: bool

    def of(self, quick: int, full: int) -> int:
        return quick if self.quick else full

    def rate(self, what: str, hits: float, of: int, limit: float, at_least: bool = False) -> Check:
        """A promise about a share of ``of`` simulated builds."""
        slack = ERRORS * math.sqrt(limit * (1 - limit) / of) if self.quick else 0.0
        return Check(what, hits / of, limit, at_least, slack)


def percent(value: float) -> str:
    return f"{value * 100:.1f}"
