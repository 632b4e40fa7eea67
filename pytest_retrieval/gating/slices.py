"""Which groups of queries are judged: all, each kind, the small kinds together, values of fields."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from pytest_retrieval.gating.pairing import Departed, Paired
from pytest_retrieval.gating.policy import Policy
from pytest_retrieval.golden.model import Query

_STALE = 10  # one in ten of the baseline's queries may be changed or gone


@dataclass(frozen=True, slots=True)
class Slice:
    """A group of queries, all ids ascending.

    ``label`` names it as in :class:`~pytest_retrieval.gating.verdict.Verdict`. ``queries`` are
    today's; ``comparable`` those of them that the baseline holds with the same text; ``lost``
    the baseline's queries of this group whose text changed or that are gone. ``small`` ones
    are shown but not judged by themselves.
    """

    label: Mapping[str, object]
    queries: tuple[str, ...]
    comparable: tuple[str, ...]
    lost: tuple[str, ...]
    small: bool = False

    @property
    def in_baseline(self) -> int:
        """How many queries of this group the baseline holds."""
        return len(self.comparable) + len(self.lost)

    @property
    def stale(self) -> bool:
        """Whether more than a tenth of the baseline's queries are changed or gone."""
        return _STALE * len(self.lost) > self.in_baseline

    @property
    def kind(self) -> str | None:
        """The kind, where the slice is one."""
        kind = self.label.get("kind")
        return None if kind is None else str(kind)


def cut(paired: Paired, policy: Policy) -> tuple[Slice, ...]:
    """The slices of a comparison, in the order of the report.

    All; the kinds by name; the small kinds together, where there are two or more; the values
    of ``policy.slices``, field by field and by name. A single kind is the same as all. A kind
    that only the baseline has is shown when it was large enough to be judged, so that it
    cannot vanish unseen. Which kinds are small depends on the labels and the baseline alone,
    not on which queries ran or failed.
    """
    held = frozenset().union(*paired.before.values()).difference(paired.changed)
    slices = [_slice({}, paired.queries, paired.removed, paired, held)]
    kinds = _by_value("kind", paired, policy.min_queries, held)
    if len(kinds) > 1:
        slices += kinds
        small = sorted(str(one.kind) for one in kinds if one.small)
        if len(small) > 1:
            queries = [query for query in paired.queries if query.kind in small]
            gone = [departed for departed in paired.removed if departed.kind in small]
            slices.append(_slice({"kinds": small}, queries, gone, paired, held))
    for name in policy.slices:
        if name != "kind":
            slices += _by_value(name, paired, policy.min_queries, held)
    return tuple(slices)


def _by_value(name: str, paired: Paired, min_queries: int, held: frozenset[str]) -> list[Slice]:
    """A slice for each value of a field."""
    queries: dict[str, list[Query]] = {}
    gone: dict[str, list[Departed]] = {}
    for query in paired.queries:
        for value in query.values(name):
            queries.setdefault(value, []).append(query)
    for departed in paired.removed:
        for value in (departed.kind,) if name == "kind" else departed.fields.get(name, ()):
            gone.setdefault(value, []).append(departed)
    slices = []
    for value in sorted({*queries, *gone}):
        one = _slice({name: value}, queries.get(value, ()), gone.get(value, ()), paired, held)
        if one.queries or one.in_baseline >= min_queries:
            slices.append(replace(one, small=_is_small(one, min_queries)))
    return slices


def _is_small(one: Slice, min_queries: int) -> bool:
    """Whether the slice lacks queries; one that only lacks a fresh baseline does not."""
    if one.stale and one.in_baseline >= min_queries:
        return False
    if not one.comparable and len(one.queries) >= min_queries:
        return False
    return len(one.comparable) < min_queries


def _slice(
    label: Mapping[str, object],
    queries: Sequence[Query],
    gone: Sequence[Departed],
    paired: Paired,
    held: frozenset[str],
) -> Slice:
    today = sorted(query.id for query in queries)
    changed = set(paired.changed).intersection(today)
    return Slice(
        label=label,
        queries=tuple(today),
        comparable=tuple(query for query in today if query in held),
        lost=tuple(sorted(changed.union(departed.id for departed in gone))),
    )
