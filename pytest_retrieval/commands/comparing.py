"""Two sides under one answer key -> the one result model, judged as the gate judges."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from pytest_retrieval.commands.answer_key import AnswerKey, golden_name
from pytest_retrieval.commands.sides import RUN, Side
from pytest_retrieval.gating.baseline import Baseline, BaselineRow, fingerprint, labels_fingerprint
from pytest_retrieval.gating.holes import judge_with_holes
from pytest_retrieval.gating.judging import Comparison
from pytest_retrieval.gating.pairing import Paired, pair
from pytest_retrieval.gating.policy import Policy
from pytest_retrieval.gating.two_sided import with_two_sided_intervals
from pytest_retrieval.golden.model import GoldenSet, Query
from pytest_retrieval.reporting.mean_rows import mean_rows
from pytest_retrieval.reporting.notes import differences, growing_holes
from pytest_retrieval.reporting.result import ERROR, NOT_RUN, SCORED, GateRow, QueryResult, SetResult
from pytest_retrieval.retrieval.ranking import Ranking
from pytest_retrieval.scoring.evaluation import Evaluation, average, mark

_OTHER_TEXT = "another text"  # no hash looks like this


def compare_sides(before: Side, after: Side, key: AnswerKey, policy: Policy) -> SetResult:
    """What ``after`` did to the queries that both sides know, as if ``before`` were its baseline.

    Both are scored under the labels of ``key``. A query is compared when nobody knows it under
    another text. The verdicts are the gate's; intervals are two-sided. ``after`` answers for the
    queries that it was asked, a run for all of them.
    """
    queries = tuple(query for query in key.golden.queries if _was_asked(query.id, after))
    now = evaluate_side(after, queries, key, policy)
    then = _as_baseline(before, after, key)
    covered = {query.id for query in queries}
    paired = pair(
        now,
        then,
        queries=queries,
        not_run=covered.difference(now.rankings, now.errors),
        departed=[] if after.population else _departed(before, covered),
    )
    paired = replace(paired, failed_before=frozenset(covered.intersection(before.errors)))
    verdicts = judge_with_holes((Comparison(paired),), policy)
    verdicts = with_two_sided_intervals(verdicts, paired, policy)
    old = then.by_id()
    return SetResult(
        golden=key.name,
        variant=_variant(before, after),
        retriever=after.name,
        baseline=before.name,
        gated=True,
        population=after.population,
        depth=after.held.depth,
        document_id=after.held.document_id,
        describe=after.held.describe,
        metrics=policy.metrics,
        gate_metrics=policy.metrics,
        queries=tuple(_query_result(query, now, after, paired, old.get(query.id)) for query in queries),
        means=mean_rows(queries, now, policy),
        gates=tuple(GateRow(key.name, verdict) for verdict in verdicts),
        added=paired.added,
        removed=tuple(row.id for row in paired.removed),
        changed=paired.changed,
        relabelled=paired.relabelled,
        notes=(*_notes(before, after, key, covered), *growing_holes(verdicts)),
        confidence=policy.confidence,
        repeats=max(1, len(now.runs)),
    )


def _variant(before: Side, after: Side) -> str | None:
    """The retriever's name where a golden set lists several and both sides are of the same."""
    names = {(golden_name(side) or "").partition("::")[2] for side in (before, after) if golden_name(side)}
    return names.pop() or None if len(names) == 1 else None


def evaluate_side(side: Side, queries: Sequence[Query], key: AnswerKey, policy: Policy) -> Evaluation:
    """One side's rankings of some queries, scored under the key's labels."""
    golden = GoldenSet(tuple(queries), key.golden.header)
    return average(
        [
            mark(
                golden,
                {query: Ranking(ranked) for query, ranked in run.items()},
                policy.metrics,
                side.held.depth,
                side.errors,
            )
            for run in _runs(side.held.rows)
        ]
    )


def _runs(rows: Sequence[BaselineRow]) -> Iterator[dict[str, tuple[str, ...]]]:
    """The rankings of each run, by query id; a later run that some row lacks counts for none."""
    for run in range(1 + min((len(row.repeats) for row in rows), default=0)):
        yield {row.id: (row.ranked, *row.repeats)[run] for row in rows}


def _was_asked(query: str, side: Side) -> bool:
    return side.source == RUN or query in side.fingerprints


def _as_baseline(before: Side, after: Side, key: AnswerKey) -> Baseline:
    """The rankings of ``before``, whose texts are those of the key unless somebody knows another."""
    queries = key.golden.by_id()
    rows = []
    for row in before.held.rows:
        query = queries.get(row.id)
        if query is not None:
            known = {side[row.id] for side in _texts(before, after, key) if row.id in side}
            labels = row.labels if before.source != RUN else labels_fingerprint([query])
            text = fingerprint(query) if len(known) == 1 else _OTHER_TEXT
            row = replace(row, text=text, labels=labels)
        rows.append(row)
    return replace(before.held, rows=tuple(rows))


def _texts(before: Side, after: Side, key: AnswerKey) -> tuple[Mapping[str, str], ...]:
    return before.fingerprints, after.fingerprints, key.fingerprints


def _departed(before: Side, covered: Collection[str]) -> list[BaselineRow]:
    if before.source == RUN:
        return []  # which of its rankings were meant for this golden set, nobody knows
    return [row for row in before.held.rows if row.answerable and row.id not in covered]


def _query_result(
    query: Query, now: Evaluation, after: Side, paired: Paired, old: BaselineRow | None
) -> QueryResult:
    answered = query.id in now.rankings
    ranked = now.rankings[query.id].documents if answered else ()
    error = now.errors.get(query.id)
    wanted = [document for document, grade in query.relevant.items() if grade > 0 and answered]
    return QueryResult(
        id=query.id,
        text=query.text,
        kind=query.kind,
        line=query.line,
        fingerprint=after.fingerprints.get(query.id) or fingerprint(query),
        outcome=SCORED if answered else NOT_RUN if error is None else ERROR,
        error=error,
        ranked=ranked,
        relevant=query.relevant,
        scores=_scores_of(query.id, now.scores) if answered else None,
        baseline=_scores_of(query.id, paired.before) or None,
        baseline_ranked=old.ranked if old else None,
        missing=tuple(document for document in wanted if document not in ranked),
        unjudged=tuple(document for document in ranked if document not in query.relevant),
        repeats=tuple(run.rankings[query.id].documents for run in now.runs[1:] if answered),
    )


def _scores_of(query_id: str, scores: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
    return {metric: values[query_id] for metric, values in scores.items() if query_id in values}


def _notes(before: Side, after: Side, key: AnswerKey, covered: Collection[str]) -> Iterator[str]:
    held = after.held
    # where both are files of results, their names are the heading already
    retriever = before.held.retriever if RUN in (before.source, after.source) else held.retriever
    yield from differences(before.held, retriever, held.describe, held.document_id)
    queries = [query for query in key.golden.queries if query.id in covered]
    for side in (before, after):
        known = {row.id: row.labels for row in side.held.rows if row.labels}
        others = [q.id for q in queries if q.id in known and known[q.id] != labels_fingerprint([q])]
        if others:
            yield (
                f"labels: {len(others)} queries of {side.name} had others ({', '.join(others[:3])}"
                f"{', ...' if len(others) > 3 else ''}); both sides are scored under those of {key.name}"
            )
    for side in (before, after):
        failed = [query for query in side.errors if query in covered]
        if failed:
            yield f"errors: {len(failed)} queries failed in {side.name}, {failed[0]} first"
    unknown = [query.id for query in key.golden.queries if query.id not in covered]
    if unknown and not after.population:
        yield f"{len(unknown)} queries of {key.name} are not in {after.name}, {unknown[0]} first"
