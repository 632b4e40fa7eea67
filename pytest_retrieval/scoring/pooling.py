"""The pool: what several rankings return at the top, and what of it nobody has judged."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from pytest_retrieval.golden.model import GoldenSet

Rankings = Mapping[str, Sequence[str]]
"""Query id -> document ids, best first."""


@dataclass(frozen=True, slots=True)
class Hole:
    """A document that some ranking returns for a query, and nobody has judged."""

    query: str
    document: str


def pool_of(query: str, rankings: Iterable[Rankings], depth: int) -> frozenset[str]:
    """The union of the first ``depth`` documents that the rankings return for a query."""
    return frozenset(document for ranking in rankings for document in ranking.get(query, ())[:depth])


def find_holes(golden: GoldenSet, rankings: Sequence[Rankings], depth: int) -> tuple[Hole, ...]:
    """The pairs in the top ``depth`` of some ranking that have no label, a grade of 0 being one.

    In the order of the queries, the documents of each sorted by id, so that neither their
    order nor their number tells which ranking returned them. Queries that no document answers
    have no holes.
    """
    return tuple(
        Hole(query.id, document)
        for query in golden.queries
        if query.answerable
        for document in sorted(pool_of(query.id, rankings, depth) - query.relevant.keys())
    )
