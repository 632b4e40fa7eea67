"""The pairs of retrievers that a header wants to see side by side."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace

from pytest_retrieval.gating.side_by_side import side_by_side
from pytest_retrieval.golden.model import Query
from pytest_retrieval.pytest_side.plan import Plan
from pytest_retrieval.reporting.line import Line, styled
from pytest_retrieval.reporting.result import SCORED, ComparedRow, SetResult


def with_compared(plans: Sequence[Plan], results: Sequence[SetResult]) -> list[SetResult]:
    """The results, those that stand second in a pair with the comparison; ``plans`` belong to them."""
    by_name = {(result.golden, result.variant): result for result in results}
    compared = []
    for plan, result in zip(plans, results, strict=True):
        firsts = [first for first, second in plan.golden.header.compare if second == plan.variant]
        pairs = [by_name[result.golden, first] for first in firsts if (result.golden, first) in by_name]
        rows = tuple(row for other in pairs for row in _rows(plan, other, result))
        compared.append(replace(result, compared=rows) if rows else result)
    return compared


def not_compared(plans: Iterable[Plan]) -> Iterator[Line]:
    """A line for each pair of which a retriever was not run."""
    plans = list(plans)
    ran = {(plan.name, plan.variant) for plan in plans}
    for plan in {plan.name: plan for plan in plans}.values():
        for pair in plan.golden.header.compare:
            absent = [name for name in pair if (plan.name, name) not in ran]
            if absent:
                text = f"{plan.name}: {' and '.join(pair)} are not compared: {absent[0]} was not run"
                yield styled(text, "yellow")


def _rows(plan: Plan, first: SetResult, second: SetResult) -> Iterator[ComparedRow]:
    answerable = [query for query in plan.queries if query.answerable]
    slices: dict[str | None, list[Query]] = {}
    for query in answerable:
        slices.setdefault(query.kind, []).append(query)
    if len(slices) != 1:
        slices[None] = answerable
    for metric in plan.policy.metrics:
        for kind, queries in slices.items():
            yield _row(first, second, kind, metric, queries, plan.policy.confidence)


def _row(
    first: SetResult,
    second: SetResult,
    kind: str | None,
    metric: str,
    queries: Sequence[Query],
    confidence: float,
) -> ComparedRow:
    slice_ = {} if kind is None else {"kind": kind}
    other, ids = str(first.variant), [query.id for query in queries]
    one, two = _scores(first, metric), _scores(second, metric)
    lacking = sum(query not in one or query not in two for query in ids)
    if lacking or not ids:
        reason = f"{lacking} of {len(ids)} queries without a score" if ids else "no query has an answer"
        return ComparedRow(other, slice_, metric, len(ids), reason=reason)
    return ComparedRow(other, slice_, metric, **asdict(side_by_side(one, two, ids, confidence)))


def _scores(result: SetResult, metric: str) -> Mapping[str, float]:
    return {
        query.id: query.scores[metric]
        for query in result.queries
        if query.outcome == SCORED and query.scores is not None and metric in query.scores
    }
