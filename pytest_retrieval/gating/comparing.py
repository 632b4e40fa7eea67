"""Two evaluations compared from a script or a notebook: the gate without pytest."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from pytest_retrieval.gating.baseline import take_baseline
from pytest_retrieval.gating.holes import judge_with_holes
from pytest_retrieval.gating.judging import Comparison
from pytest_retrieval.gating.pairing import pair
from pytest_retrieval.gating.policy import (
    DEFAULT_CONFIDENCE,
    DEFAULT_GATE_METRICS,
    DEFAULT_MARGIN,
    DEFAULT_MIN_QUERIES,
    MAX_T,
    Margin,
    agree,
)
from pytest_retrieval.gating.verdict import Verdict
from pytest_retrieval.golden.model import GateRules
from pytest_retrieval.scoring.evaluation import Evaluation, mark


def compare(
    baseline: Evaluation,
    candidate: Evaluation,
    *,
    metrics: Iterable[str] | None = None,
    margin: Margin = DEFAULT_MARGIN,
    confidence: float = DEFAULT_CONFIDENCE,
    min_queries: int = DEFAULT_MIN_QUERIES,
    slices: Iterable[str] = (),
    correction: str = MAX_T,
) -> tuple[Verdict, ...]:
    """The verdicts on ``candidate`` against ``baseline``, as pytest would give them.

    The population and the labels are the candidate's: the baseline's rankings are scored again
    under them. Queries are paired by id; one whose text changed is not compared. ``metrics``
    are those of recall@5 and ndcg@10 that both sides computed unless given; ``margin`` is a
    number or a mapping metric -> number (others 0.02); ``slices`` names further fields whose
    values are judged; ``correction`` is ``max-t`` or ``holm``. A query that failed in the baseline
    keeps its slices from judgement, and so does one that failed in the candidate, unless the
    verdict is the same with it scored 0 and scored as before.
    Raises ValueError for an unknown metric or correction, no metric in common, and numbers out of range.
    """
    rules = GateRules(slices=tuple(slices))
    gated = _common(baseline, candidate) if metrics is None else metrics
    policy = agree(
        rules,
        metrics=gated,
        margin=margin,
        confidence=confidence,
        min_queries=min_queries,
        correction=correction,
    )
    now = mark(candidate.golden, candidate.rankings, policy.metrics, candidate.depth, candidate.errors)
    header = replace(baseline.golden.header, gate=rules)
    answered = tuple(query for query in baseline.golden.queries if query.id in baseline.rankings)
    accepted = replace(baseline, golden=replace(baseline.golden, header=header, queries=answered))
    then = take_baseline(accepted, retriever="", document_id=None)
    today = {query.id for query in candidate.golden.queries}
    paired = pair(
        now,
        then,
        queries=candidate.golden.queries,
        not_run=today.difference(candidate.rankings, candidate.errors),
        departed=[row for row in then.rows if row.id not in today],
    )
    paired = replace(paired, failed_before=frozenset(today.intersection(baseline.errors)))
    return judge_with_holes((Comparison(paired),), policy)


def _common(baseline: Evaluation, candidate: Evaluation) -> tuple[str, ...]:
    both = [metric for metric in candidate.metrics if metric in baseline.metrics]
    if not both:
        raise ValueError(
            f"no metric in common: the baseline has {', '.join(baseline.metrics)}, "
            f"the candidate {', '.join(candidate.metrics)}; name some with metrics="
        )
    return tuple(metric for metric in DEFAULT_GATE_METRICS if metric in both) or tuple(both)
