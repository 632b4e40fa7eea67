"""One golden set of a session: what was selected, what it is compared with, what came of it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from pytest_retrieval.gating.baseline import Baseline
from pytest_retrieval.golden.model import Query
from pytest_retrieval.pytest_side.assembly import Asked
from pytest_retrieval.pytest_side.outcome import Outcome
from pytest_retrieval.pytest_side.plan import Plan


@dataclass(eq=False)
class GoldenRun:
    """One golden set of this session: what was selected, and what came of it.

    ``outcomes`` holds what each run brought, by query id; there is one unless queries are repeated.
    """

    plan: Plan
    selected: dict[str, Asked]
    """node id -> what is asked"""
    baseline: Baseline | None = None
    anchor: Baseline | None = None
    outcomes: tuple[dict[str, Outcome], ...] = ()
    target: str | None = None
    notes: tuple[str, ...] = ()
    tolerated: dict[str, None] = field(default_factory=dict)
    """The failed queries that are let pass, in the order in which they came"""

    def __post_init__(self) -> None:
        self.outcomes = tuple({} for _ in range(self.plan.repeats))

    @property
    def partial(self) -> bool:
        """Whether queries of the declared population were left out by an accidental selection."""
        return len(self._own()) < len(self.plan.queries) * self.plan.repeats

    def tolerates(self, query: Query) -> bool:
        """Whether this query may fail: a contract needs an answer, and a repeated query counts once."""
        if query.local is not None or query.has_contract:
            return False
        if query.id not in self.tolerated and len(self.tolerated) < self.plan.max_errors:
            self.tolerated[query.id] = None
        return query.id in self.tolerated

    def whole_queries(self) -> frozenset[str]:
        """The ids of the queries that were selected, each time they are repeated."""
        times = Counter(asked.query.id for asked in self._own())
        return frozenset(query for query, number in times.items() if number == self.plan.repeats)

    def whole_kinds(self) -> frozenset[str]:
        """The kinds all of whose queries were selected."""
        whole = self.whole_queries()
        cut = {query.kind for query in self.plan.queries if query.id not in whole}
        return frozenset(query.kind for query in self.plan.queries) - cut

    def _own(self) -> list[Asked]:
        """What is asked of the set itself, without local questions."""
        return [asked for asked in self.selected.values() if asked.query.local is None]
