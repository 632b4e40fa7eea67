"""From outcomes to the result model: scoring, pairing and judging one golden set."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from pytest_retrieval.gating.baseline import Baseline, BaselineRow, fingerprint
from pytest_retrieval.gating.intervals import mean_interval, share_interval
from pytest_retrieval.gating.judging import check_floors, judge
from pytest_retrieval.gating.pairing import Paired, pair
from pytest_retrieval.gating.verdict import NOT_EVALUATED, Verdict
from pytest_retrieval.golden.checks.labels import repeated_questions
from pytest_retrieval.golden.model import GoldenSet, Query
from pytest_retrieval.pytest_side.node_names import node_name
from pytest_retrieval.pytest_side.outcome import Outcome
from pytest_retrieval.pytest_side.plan import Plan
from pytest_retrieval.reporting.result import ERROR, NOT_RUN, SCORED, GateRow, MeanRow, QueryResult, SetResult
from pytest_retrieval.retrieval.ranking import Ranking
from pytest_retrieval.scoring.evaluation import Evaluation, mark
from pytest_retrieval.scoring.names import parse_metric

_NEVER_RUN = Outcome(NOT_RUN)


@dataclass(frozen=True)
class Comparison:
    """What a run is compared with: ``baseline`` is None where the file is missing."""

    baseline: Baseline | None


def query_nodes(plan: Plan) -> dict[str, Query]:
    """Node id -> query, for the population of one golden set."""
    return {f"{plan.name}::{node_name(query.kind)}::{node_name(query.id)}": query for query in plan.queries}


def kind_node(plan: Plan, kind: str) -> str:
    """The node id of a kind: the collector's, and so the gate's."""
    return f"{plan.name}::{node_name(kind)}"


def assemble(
    plan: Plan, outcomes: Mapping[str, Outcome], comparison: Comparison | None, root: Path
) -> SetResult:
    """All there is to say about one golden set; ``comparison`` is None where none was asked for."""
    results = {query.id: outcomes.get(query.id, _NEVER_RUN) for query in plan.queries}
    not_run = [query_id for query_id, outcome in results.items() if outcome.outcome == NOT_RUN]
    evaluation = mark_outcomes(plan, results)
    answerable = tuple(query for query in plan.queries if query.answerable)
    verdicts = list(
        check_floors(
            answerable, evaluation.scores, frozenset(evaluation.errors), frozenset(not_run), plan.policy
        )
    )
    paired: Paired | None = None
    if comparison is not None and comparison.baseline is None:
        reason = f"no baseline at {plan.baseline_name(root)}: write it with: pytest --update-baseline"
        verdicts += [
            Verdict({}, metric, "baseline", NOT_EVALUATED, reason, margin=plan.policy.margin(metric))
            for metric in plan.policy.metrics
        ]
    elif comparison is not None and comparison.baseline is not None:
        departed = _departed(plan, comparison.baseline)
        paired = pair(
            evaluation, comparison.baseline, queries=plan.queries, not_run=not_run, departed=departed
        )
        verdicts += judge(paired, plan.policy)
    old_rows = comparison.baseline.by_id() if comparison and comparison.baseline else {}
    return SetResult(
        golden=plan.name,
        retriever=plan.retriever,
        baseline=plan.baseline_name(root),
        gated=comparison is not None,
        population={name: list(values) for name, values in plan.population.items()},
        depth=plan.depth,
        document_id=plan.document_id.pattern if plan.document_id else None,
        describe=plan.golden.header.describe,
        metrics=plan.metrics,
        gate_metrics=plan.policy.metrics,
        queries=tuple(
            _query_result(query, results[query.id], evaluation, paired, old_rows.get(query.id), plan)
            for query in plan.queries
        ),
        means=tuple(_means(plan, evaluation)),
        gates=tuple(GateRow(_node(plan, verdict), verdict) for verdict in verdicts),
        added=paired.added if paired else (),
        removed=tuple(row.id for row in paired.removed) if paired else (),
        changed=paired.changed if paired else (),
        relabelled=paired.relabelled if paired else (),
        notes=tuple(_notes(plan, comparison, paired)),
        confidence=plan.policy.confidence,
    )


def mark_outcomes(plan: Plan, outcomes: Mapping[str, Outcome]) -> Evaluation:
    """Score what the items of one golden set brought."""
    return mark(
        GoldenSet(plan.queries, plan.golden.header, plan.golden.path),
        {query_id: Ranking(o.ranked) for query_id, o in outcomes.items() if o.outcome == SCORED},
        metrics=plan.metrics,
        depth=plan.depth,
        errors={query_id: o.error or "" for query_id, o in outcomes.items() if o.outcome == ERROR},
    )


def _node(plan: Plan, verdict: Verdict) -> str:
    """A kind's gate reports under the kind, all others (a vanished kind's too) under the file."""
    kind = verdict.slice.get("kind")
    present = any(query.kind == kind for query in plan.queries)
    return kind_node(plan, str(kind)) if present else plan.name


def _departed(plan: Plan, baseline: Baseline) -> list[BaselineRow]:
    """The baseline's rows of this population that the golden set no longer has."""
    # A query that no document answers any more is no longer measured: it has left, too.
    today = {query.id for query in plan.golden.queries if query.answerable}
    measured = (row for row in baseline.rows if row.answerable)
    return [row for row in measured if row.id not in today and _row_belongs(row, plan.population)]


def _row_belongs(row: BaselineRow, population: Mapping[str, tuple[str, ...]]) -> bool:
    return (
        ("kind" not in population or row.kind in population["kind"])
        and ("split" not in population or row.split in population["split"])
        and ("tag" not in population or not set(row.tags).isdisjoint(population["tag"]))
    )


def _query_result(
    query: Query,
    outcome: Outcome,
    evaluation: Evaluation,
    paired: Paired | None,
    old: BaselineRow | None,
    plan: Plan,
) -> QueryResult:
    scored = outcome.outcome == SCORED
    found = set(outcome.ranked)
    wanted = [document for document, grade in query.relevant.items() if grade > 0 and scored]
    return QueryResult(
        id=query.id,
        text=query.text,
        kind=query.kind,
        line=query.line,
        fingerprint=fingerprint(query),
        outcome=outcome.outcome,
        error=outcome.error,
        ranked=outcome.ranked,
        relevant=query.relevant,
        scores=_scores_of(query.id, evaluation.scores) if scored else None,
        baseline=(_scores_of(query.id, paired.before) or None) if paired else None,
        baseline_ranked=old.ranked if old else None,
        must_failed=outcome.must_failed,
        missing=tuple(document for document in wanted if document not in found),
        unjudged=tuple(document for document in outcome.ranked if document not in query.relevant),
        fields={name: query.values(name) for name in plan.policy.slices},
    )


def _scores_of(query_id: str, scores: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
    return {metric: values[query_id] for metric, values in scores.items() if query_id in values}


def _means(plan: Plan, evaluation: Evaluation) -> Iterator[MeanRow]:
    confidence = plan.policy.confidence
    yield _mean_row({}, plan.queries, evaluation, confidence)
    for kind in dict.fromkeys(query.kind for query in plan.queries):
        members = [q for q in plan.queries if q.kind == kind]
        yield _mean_row({"kind": kind}, members, evaluation, confidence)
    for name in plan.policy.slices:
        for value in sorted({value for query in plan.queries for value in query.values(name)}):
            members = [q for q in plan.queries if value in q.values(name)]
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


def _notes(plan: Plan, comparison: Comparison | None, paired: Paired | None) -> Iterable[str]:
    yield from plan.golden.notes
    for finding in repeated_questions(plan.golden):
        if finding.problem:
            yield f"{finding.message}; more with: pytest-retrieval check {plan.name}"
    if comparison is None or comparison.baseline is None or paired is None:
        return
    old = comparison.baseline
    if old.retriever != plan.retriever:
        yield f"retriever: {old.retriever} before, {plan.retriever} now"
    now = plan.golden.header.describe
    for key in sorted({*old.describe, *now}):
        if old.describe.get(key) != now.get(key):
            yield f"{key}: {old.describe.get(key, 'not said')} before, {now.get(key, 'not said')} now"
    pattern = plan.document_id.pattern if plan.document_id else None
    if old.document_id != pattern:
        yield f"document-id: {old.document_id} before, {pattern} now"
    if paired.relabelled:
        yield "labels changed since the baseline: its rankings were scored again under today's labels"
