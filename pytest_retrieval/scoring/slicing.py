"""An evaluation cut into slices by whatever a function says of its queries."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from typing import TypeVar

from pytest_retrieval.golden.model import Query
from pytest_retrieval.scoring.evaluation import Evaluation

_Value = TypeVar("_Value")


def by_slice(evaluation: Evaluation, function: Callable[[Query], object]) -> dict[str, Evaluation]:
    """The evaluation of each slice, by the slice's name, in order of the names.

    ``function`` takes a query and returns the value whose slice it belongs to: anything with a text
    of its own, several in a list, tuple or set, or None for no slice. A query may be in several
    slices; one that failed makes the means of its slices None, as in the whole.
    """
    members: dict[str, list[Query]] = {}
    for query in evaluation.golden.queries:
        value = function(query)
        many = value if isinstance(value, (list, tuple, set, frozenset)) else [value]
        for name in dict.fromkeys(str(one) for one in many if one is not None):
            members.setdefault(name, []).append(query)
    return {name: _part(evaluation, members[name]) for name in sorted(members)}


def _part(evaluation: Evaluation, queries: Collection[Query]) -> Evaluation:
    """What the evaluation says of some of its queries."""
    ids = frozenset(query.id for query in queries)

    def kept(by_query: Mapping[str, _Value]) -> dict[str, _Value]:
        return {query: value for query, value in by_query.items() if query in ids}

    return replace(
        evaluation,
        golden=replace(evaluation.golden, queries=tuple(queries)),
        rankings=kept(evaluation.rankings),
        errors=kept(evaluation.errors),
        scores={metric: kept(scores) for metric, scores in evaluation.scores.items()},
        exact=kept(evaluation.exact),
        runs=tuple(_part(run, queries) for run in evaluation.runs),
    )
