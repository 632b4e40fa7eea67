"""From outcomes to the result model: scoring, pairing and judging one golden set."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from pytest_retrieval.gating.baseline import Baseline, BaselineRow, fingerprint, labels_fingerprint
from pytest_retrieval.gating.floors import check_floors
from pytest_retrieval.gating.holes import judge_with_holes
from pytest_retrieval.gating.judging import Comparison
from pytest_retrieval.gating.pairing import Paired, pair
from pytest_retrieval.gating.verdict import ANCHOR, BASELINE, NOT_EVALUATED, Verdict
from pytest_retrieval.golden.checks.labels import repeated_questions
from pytest_retrieval.golden.model import GoldenSet, Query
from pytest_retrieval.pytest_side.beside_scores import (
    diagnoses_of,
    overfitting_notes,
    set_diagnosis,
    unanswerable,
)
from pytest_retrieval.pytest_side.node_names import node_name, repeated
from pytest_retrieval.pytest_side.outcome import Outcome
from pytest_retrieval.pytest_side.plan import Plan
from pytest_retrieval.reporting.mean_rows import mean_rows
from pytest_retrieval.reporting.notes import CONTRACTS_ALONE, differences, growing_holes
from pytest_retrieval.reporting.result import ERROR, NOT_RUN, SCORED, GateRow, QueryResult, SetResult
from pytest_retrieval.reporting.wording import STALE
from pytest_retrieval.retrieval.ranking import Ranking
from pytest_retrieval.retrieval.resolving import RunFile, parse_retriever
from pytest_retrieval.scoring.evaluation import Evaluation, average, mark
from pytest_retrieval.scoring.repeats import measure_noise

_NEVER_RUN = Outcome(NOT_RUN)


@dataclass(frozen=True)
class Accepted:
    """What a run is compared with: ``baseline`` is None where it is missing, as ``anchor`` may be."""

    baseline: Baseline | None
    anchor: Baseline | None = None
    target: str | None = None
    """The branch that the baseline is taken from, None for this one."""
    notes: tuple[str, ...] = ()


class Asked(NamedTuple):
    """A query in the first run (0) or a later one."""

    query: Query
    run: int


def query_nodes(plan: Plan) -> dict[str, Asked]:
    """Node id -> what is asked, for the population of one golden set and its local questions."""
    return {
        f"{kind_node(plan, query.kind)}::{repeated(node_name(query.id), run)}": Asked(query, run)
        for run in range(plan.repeats)
        for query in plan.asked
    }


def kind_node(plan: Plan, kind: str) -> str:
    """The node id of a kind: the collector's, and so the gate's."""
    return f"{plan.node}::{node_name(kind)}"


def assemble(
    plan: Plan, runs: Sequence[Mapping[str, Outcome]], accepted: Accepted | None, root: Path
) -> SetResult:
    """All there is to say about one golden set.

    ``runs`` holds what each run brought, by query id; ``accepted`` is None where no comparison was
    asked for.
    """
    every = [run[query.id] for run in runs for query in plan.queries if query.id in run]
    results = {query.id: _together([run.get(query.id, _NEVER_RUN) for run in runs]) for query in plan.asked}
    not_run = [query.id for query in plan.queries if results[query.id].outcome == NOT_RUN]
    evaluation = mark_outcomes(plan, runs)
    local = mark_queries(plan, plan.local_queries, runs)
    answerable = tuple(query for query in plan.queries if query.answerable)
    verdicts = list(
        check_floors(
            answerable, evaluation.scores, frozenset(evaluation.errors), frozenset(not_run), plan.policy
        )
    )
    paired: Paired | None = None
    anchored: Paired | None = None
    if accepted is not None and accepted.baseline is None:
        reason = f"no baseline at {plan.baseline_name(root)}: write it with: pytest --update-baseline"
        verdicts += [
            Verdict({}, metric, BASELINE, NOT_EVALUATED, reason, margin=plan.policy.margin(metric))
            for metric in plan.policy.metrics
        ]
    elif accepted is not None and accepted.baseline is not None:
        paired = _pair(plan, evaluation, accepted.baseline, not_run)
        comparisons = [Comparison(paired)]
        if accepted.anchor is not None:
            anchored = _pair(plan, evaluation, accepted.anchor, not_run)
            comparisons.append(Comparison(anchored, ANCHOR))
        verdicts += judge_with_holes(comparisons, plan.policy)
    old_rows = accepted.baseline.by_id() if accepted and accepted.baseline else {}
    diagnoses = diagnoses_of(plan, evaluation, results)
    return SetResult(
        golden=plan.name,
        variant=plan.variant,
        retriever=plan.retriever,
        baseline=plan.baseline_name(root),
        gated=accepted is not None,
        target=accepted.target if accepted else None,
        population={name: list(values) for name, values in plan.population.items()},
        depth=plan.depth,
        document_id=plan.document_id.pattern if plan.document_id else None,
        describe=plan.golden.header.describe,
        metrics=plan.metrics,
        gate_metrics=plan.policy.metrics,
        queries=tuple(
            replace(
                _query_result(query, results[query.id], evaluation, paired, old_rows.get(query.id), plan),
                diagnosis=diagnoses.get(query.id),
                anchor=(_scores_of(query.id, anchored.before) or None) if anchored else None,
            )
            for query in plan.queries
        ),
        means=mean_rows(plan.queries, evaluation, plan.policy, plan.slices),
        gates=tuple(GateRow(_node(plan, verdict), verdict) for verdict in verdicts),
        added=paired.added if paired else (),
        removed=tuple(row.id for row in paired.removed) if paired else (),
        changed=paired.changed if paired else (),
        relabelled=paired.relabelled if paired else (),
        notes=(
            *_notes(plan, accepted, paired),
            *growing_holes(verdicts),
            *overfitting_notes(plan, evaluation),
        ),
        confidence=plan.policy.confidence,
        repeats=plan.repeats,
        max_errors=plan.max_errors,
        # Against the target branch's baseline nobody can keep a gain before the merge.
        fail_on=tuple(one for one in plan.fail_on if one != STALE or not (accepted and accepted.target)),
        noise=measure_noise(evaluation, min(plan.policy.margins.values(), default=0.0))
        if evaluation.runs
        else None,
        # Looking answers up in a file takes no time that anybody waits for.
        latency={} if isinstance(parse_retriever(plan.retriever), RunFile) else percentiles(every),
        cost=_total_cost(every),
        labels=labels_fingerprint(plan.golden.queries),
        version=plan.golden.header.version,
        context=plan.golden.header.context,
        diagnosis=set_diagnosis(plan, diagnoses),
        unanswerable=unanswerable(plan, results),
        local=tuple(
            _query_result(query, results[query.id], local, None, None, plan) for query in plan.local_queries
        ),
        local_means={metric: mean for metric, mean in local.means().items() if mean is not None},
    )


def percentiles(outcomes: Iterable[Outcome]) -> dict[str, float]:
    """The seconds that half and 95 % of the answers took at most (nearest rank), empty for none."""
    seconds = sorted(one.seconds for one in outcomes if one.seconds is not None)
    if not seconds:
        return {}
    return {f"p{share}": seconds[math.ceil(share * len(seconds) / 100) - 1] for share in (50, 95)}


def _total_cost(outcomes: Iterable[Outcome]) -> float | None:
    costs = [one.cost for one in outcomes if one.cost is not None]
    return math.fsum(costs) if costs else None


def _together(outcomes: Sequence[Outcome]) -> Outcome:
    """What one query came to in all its runs: an error or a gap in any of them is one of the query."""
    for word in (ERROR, NOT_RUN):
        for outcome in outcomes:
            if outcome.outcome == word:
                return outcome
    broken = dict.fromkeys(must for outcome in outcomes for must in outcome.must_failed)
    return outcomes[0]._replace(must_failed=tuple(broken))


def mark_outcomes(plan: Plan, runs: Sequence[Mapping[str, Outcome]]) -> Evaluation:
    """Score what the items of one golden set brought in each run, its local questions apart."""
    return mark_queries(plan, plan.queries, runs)


def mark_queries(plan: Plan, queries: Sequence[Query], runs: Sequence[Mapping[str, Outcome]]) -> Evaluation:
    """Score what the items of some queries brought in each run."""
    golden = GoldenSet(tuple(queries), plan.golden.header, plan.golden.path)
    return average(
        [
            mark(
                golden,
                {
                    query_id: Ranking(o.ranked, o.places)
                    for query_id, o in outcomes.items()
                    if o.outcome == SCORED
                },
                metrics=plan.metrics,
                depth=plan.depth,
                errors={query_id: o.error or "" for query_id, o in outcomes.items() if o.outcome == ERROR},
                exact={query_id: Ranking(o.exact) for query_id, o in outcomes.items() if o.exact is not None},
            )
            for outcomes in runs
        ]
    )


def _pair(plan: Plan, evaluation: Evaluation, accepted: Baseline, not_run: Sequence[str]) -> Paired:
    departed = _departed(plan, accepted)
    return pair(evaluation, accepted, queries=plan.queries, not_run=not_run, departed=departed)


def _node(plan: Plan, verdict: Verdict) -> str:
    """A kind's gate reports under the kind, all others (a vanished kind's too) under the file."""
    kind = verdict.slice.get("kind")
    present = any(query.kind == kind for query in plan.queries)
    return kind_node(plan, str(kind)) if present else plan.node


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
        repeats=tuple(run.rankings[query.id].documents for run in evaluation.runs[1:] if scored),
        fields={name: query.values(name) for name in plan.slices},
        seconds=None if outcome.seconds is None else round(outcome.seconds, 6),
        cost=outcome.cost,
        exact=outcome.exact,
        places=outcome.places,
        cited=outcome.cited,
        top_score=outcome.top_score,
        answerable=query.answerable,
        local=query.local,
        contract=query.has_contract,
    )


def _scores_of(query_id: str, scores: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
    return {metric: values[query_id] for metric, values in scores.items() if query_id in values}


def _notes(plan: Plan, accepted: Accepted | None, paired: Paired | None) -> Iterable[str]:
    yield from plan.golden.notes
    if not plan.is_gated:
        yield CONTRACTS_ALONE
    for finding in repeated_questions(plan.golden):
        if finding.problem:
            yield f"{finding.message}; more with: pytest-retrieval check {plan.name}"
    if accepted is not None:
        yield from accepted.notes
    if accepted is None or accepted.baseline is None or paired is None:
        return
    pattern = plan.document_id.pattern if plan.document_id else None
    yield from differences(accepted.baseline, plan.retriever, plan.golden.header.describe, pattern)
    if accepted.baseline.version != plan.golden.header.version:
        yield (
            f"version of the labels: {accepted.baseline.version or 'not said'} before, "
            f"{plan.golden.header.version or 'not said'} now"
        )
    if paired.relabelled:
        yield "labels changed since the baseline: its rankings were scored again under today's labels"
