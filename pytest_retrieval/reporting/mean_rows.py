"""The means of one evaluation, slice by slice, with how sure they are."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from pytest_retrieval.gating.intervals import mean_interval, share_interval
from pytest_retrieval.gating.policy import Policy
from pytest_retrieval.golden.model import Query
from pytest_retrieval.reporting.result import MeanRow
from pytest_retrieval.scoring.evaluation import Evaluation
from pytest_retrieval.scoring.names import parse_metric


def mean_rows(
    queries: Sequence[Query], evaluation: Evaluation, policy: Policy, slices: Sequence[str] = ()
) -> tuple[MeanRow, ...]:
    """The means over all ``queries``, each kind, and each value of the fields to slice on.

    None where nothing is scored.
    """
    return tuple(_rows(queries, evaluation, policy, slices)) if evaluation.metrics else ()


def _rows(
    queries: Sequence[Query], evaluation: Evaluation, policy: Policy, slices: Sequence[str]
) -> Iterator[MeanRow]:
    confidence = policy.confidence
    yield _mean_row({}, queries, evaluation, confidence)
    for kind in dict.fromkeys(query.kind for query in queries):
        members = [q for q in queries if q.kind == kind]
        yield _mean_row({"kind": kind}, members, evaluation, confidence)
    for name in dict.fromkeys((*policy.slices, *slices)):
        if name == "kind":
            continue
        for value in sorted({value for query in queries for value in query.values(name)}):
            members = [q for q in queries if value in q.values(name)]
            yield _mean_row({name: value}, members, evaluation, confidence)


def _mean_row(
    slice_: Mapping[str, object], queries: Collection[Query], evaluation: Evaluation, confidence: float
) -> MeanRow:
    """The means over the queries that were run; none where one of them failed."""
    ids = [query.id for query in queries if query.answerable]
    if any(query_id in evaluation.errors for query_id in ids):
        scored = sum(query_id in evaluation.rankings for query_id in ids)
        return MeanRow(slice_, scored, {})
    scored_ids = [query_id for query_id in ids if query_id in evaluation.rankings]
    means = {m: evaluation.mean_over(m, scored_ids) for m in evaluation.metrics}
    intervals, hits = {}, {}
    for metric in (m for m, mean in means.items() if mean is not None):
        values = evaluation.scores[metric]
        scores = [values[query_id] for query_id in scored_ids if query_id in values]
        if parse_metric(metric).name == "hit_rate":
            hits[metric] = sum(score > 0 for score in scores)
            interval = share_interval(hits[metric], len(scores), confidence)
        else:
            interval = mean_interval(scores, confidence)
        if interval is not None:
            intervals[metric] = interval
    shown = {m: mean for m, mean in means.items() if mean is not None}
    return MeanRow(slice_, len(scored_ids), shown, intervals, hits)
