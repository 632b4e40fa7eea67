"""How high a metric can get at all, whatever the search."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence

from pytest_retrieval.golden.checks.finding import Finding
from pytest_retrieval.golden.model import GoldenSet, Query
from pytest_retrieval.scoring.names import parse_metric

_NEARLY = 0.995


def ceiling(metric: str, queries: Iterable[Query]) -> float | None:
    """The highest mean of recall@k or precision@k over answerable queries; None for other metrics.

    With R relevant documents recall@k is at most min(k, R) / R, and precision@k at most
    min(k, R) / k.
    """
    parsed = parse_metric(metric)
    if parsed.k is None or parsed.name not in ("recall", "precision"):
        return None
    k = parsed.k
    counts = [sum(grade > 0 for grade in query.relevant.values()) for query in queries if query.answerable]
    best = [min(k, count) / (count if parsed.name == "recall" else k) for count in counts if count]
    return math.fsum(best) / len(best) if best else None


def ceilings(golden: GoldenSet, metrics: Sequence[str]) -> Iterator[Finding]:
    """Metrics that cannot reach 1, and floors (a problem) that nothing can reach."""
    low = []
    for metric in metrics:
        best = ceiling(metric, golden.queries)
        if best is not None and best < _NEARLY:
            low.append(f"{metric} {best:.2f}")
    if low:
        yield Finding("ceilings", False, f"with these labels no search can exceed: {', '.join(low)}")
    gate = golden.header.gate
    yield from _floors(gate.floors, golden.queries, "", golden.header.lines.get("gate.floors"))
    for kind, rules in gate.kinds.items():
        queries = [query for query in golden.queries if query.kind == kind]
        line = golden.header.lines.get(f"gate.kinds.{kind}.floors")
        yield from _floors(rules.floors, queries, f" of {kind}", line)


def _floors(
    floors: Mapping[str, float], queries: Sequence[Query], where: str, line: int | None
) -> Iterator[Finding]:
    for metric, floor in floors.items():
        best = ceiling(metric, queries)
        if best is not None and floor > best + 1e-9:
            yield Finding(
                "ceilings",
                True,
                f"the floor {floor:g} for {metric}{where} is out of reach: at most {best:.3f}",
                line,
            )
