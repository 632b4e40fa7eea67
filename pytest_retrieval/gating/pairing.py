"""Two runs side by side: which queries can be compared, and which cannot, and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pytest_retrieval.golden.model import OTHER_KIND, Query

Scores = Mapping[str, Mapping[str, float]]
"""metric -> query id -> score (0 to 1)"""


@dataclass(frozen=True, slots=True)
class Departed:
    """A query of the baseline that the golden set no longer has."""

    id: str
    kind: str = OTHER_KIND
    fields: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Paired:
    """A candidate and its baseline, by query id.

    ``queries`` is today's population without the queries that no document answers.
    A query is compared when ``before`` and ``after`` both hold it; ``before`` never holds
    a query whose text changed. ``errors`` failed to answer, ``not_run`` were not asked.
    ``incomparable`` maps a metric to the reason why no query can be compared on it.
    """

    queries: tuple[Query, ...]
    before: Scores
    after: Scores
    errors: frozenset[str] = frozenset()
    not_run: frozenset[str] = frozenset()
    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    relabelled: tuple[str, ...] = ()
    removed: tuple[Departed, ...] = ()
    incomparable: Mapping[str, str] = field(default_factory=dict)
