"""What a golden set asks for that cannot be: each check raises GoldenError with file and line."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from pytest_retrieval.gating.policy import Policy
from pytest_retrieval.golden.contracts import ABSTENTION
from pytest_retrieval.golden.errors import GoldenError
from pytest_retrieval.golden.model import GoldenSet, Query
from pytest_retrieval.scoring.names import DEFAULT_INDEX_RECALL, needs_exact, parse_metric


def check_slices(place: Path, golden: GoldenSet) -> None:
    """Refuse slices on a field that nobody has."""
    for key, fields in (("gate.slices", golden.header.gate.slices), ("slices", golden.header.slices)):
        for field in fields:
            if not any(query.values(field) for query in golden.queries):
                raise GoldenError(
                    place,
                    golden.header.lines.get(key),
                    f"{key} names {field!r}, but no query has such a field, nor a document that answers one",
                )


def check_margins(place: Path, golden: GoldenSet, policy: Policy) -> None:
    """Refuse a margin for a metric that is not gated."""
    gate, lines = golden.header.gate, golden.header.lines
    blocks = {"gate.margin": gate.margin}
    blocks.update({f"gate.kinds.{kind}.margin": own.margin for kind, own in gate.kinds.items()})
    for key, margin in blocks.items():
        for name in margin if isinstance(margin, Mapping) else ():
            if str(parse_metric(name)) not in policy.metrics:
                gated = ", ".join(policy.metrics)
                line = lines.get(f"{key}.{name}") or lines.get(key)
                raise GoldenError(place, line, f"{key} names {name}, which is not gated; gated: {gated}")


def check_needs(place: Path, golden: GoldenSet, metrics: tuple[str, ...], labelled: bool) -> None:
    """Refuse metrics without what they look at."""
    for metric in metrics:
        if not golden.answerable:
            raise GoldenError(
                place,
                None,
                f"{metric} scores answers, and no query has one (answerable: false): "
                "leave metrics, gate.metrics and floors out of the header",
            )
        if needs_exact(metric) and golden.header.exact is None:
            raise GoldenError(
                place,
                None,
                f"{metric} compares with an exact index, and the header names none: "
                "write exact: and a retriever, or leave the metric out",
            )
        if not needs_exact(metric) and not labelled:
            raise GoldenError(
                place,
                None,
                f"{metric} needs labels, and no query has any: "
                f"label the queries, or set metrics and gate.metrics to {DEFAULT_INDEX_RECALL} in the header",
            )


def canonical_musts(place: Path, query: Query) -> dict[str, float]:
    """The minima that a query must reach, under canonical metric names; what cannot be is refused."""
    if not query.answerable:
        for name in query.must:
            if name not in ABSTENTION:
                raise GoldenError(
                    place,
                    query.line,
                    f"query {query.id!r} has a must, but no document answers it (answerable: false): "
                    f"there {' and '.join(ABSTENTION)} can be asked for, not {name}",
                )
        return {}
    for name in ABSTENTION:
        if name in query.must:
            raise GoldenError(
                place,
                query.line,
                f"query {query.id!r}: must: {name} is for questions that no document answers "
                "(answerable: false)",
            )
    try:
        musts = {str(parse_metric(name)): least for name, least in query.must.items()}
    except ValueError as error:
        raise GoldenError(place, query.line, f"query {query.id!r}: must: {error}") from None
    for metric in musts:
        if needs_exact(metric) or not query.relevant:
            raise GoldenError(
                place,
                query.line,
                f"query {query.id!r}: must: {metric} is no contract that labels of this query can hold",
            )
    return musts
