"""What is told beside the scores: where evidence was lost, and what came of queries without an answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pytest_retrieval.gating.overfitting import find_overfitting
from pytest_retrieval.pytest_side.outcome import Outcome
from pytest_retrieval.pytest_side.plan import Plan
from pytest_retrieval.reporting.result import SCORED, Unanswerable
from pytest_retrieval.scoring.diagnosis import Diagnosis, SetDiagnosis, diagnose, sum_up
from pytest_retrieval.scoring.evaluation import Evaluation


def diagnoses_of(plan: Plan, evaluation: Evaluation, outcomes: Mapping[str, Outcome]) -> dict[str, Diagnosis]:
    """By query id, for the queries with an answer that were asked; empty where no context is agreed on."""
    context = plan.golden.header.context
    return {
        query.id: diagnose(
            query.relevant, evaluation.rankings[query.id], context, cited=outcomes[query.id].cited
        )
        for query in plan.queries
        if context is not None and query.relevant and query.answerable and query.id in evaluation.rankings
    }


def set_diagnosis(plan: Plan, diagnoses: Mapping[str, Diagnosis]) -> SetDiagnosis | None:
    """The diagnoses counted; None where no context is agreed on."""
    context = plan.golden.header.context
    if context is None:
        return None
    without_answer = sum(not query.answerable for query in plan.queries)
    return sum_up(
        [(query.kind, diagnoses[query.id]) for query in plan.queries if query.id in diagnoses],
        context,
        plan.depth,
        unanswerable=without_answer,
        unknown=len(plan.queries) - without_answer - len(diagnoses),
    )


def unanswerable(plan: Plan, outcomes: Mapping[str, Outcome]) -> Unanswerable | None:
    """The queries that no document answers, counted; None where there are none."""
    queries = [query for query in plan.queries if not query.answerable]
    if not queries:
        return None
    asked = [outcomes[query.id] for query in queries if outcomes[query.id].outcome == SCORED]
    held = [outcomes[query.id] for query in queries if query.must]
    scores = [one.top_score for one in asked if one.top_score is not None]
    return Unanswerable(
        n=len(queries),
        asked=len(asked),
        empty=sum(not one.ranked for one in asked),
        must=len(held),
        broken=sum(bool(one.must_failed) for one in held),
        top_scores=(min(scores), max(scores)) if scores else None,
    )


def overfitting_notes(plan: Plan, evaluation: Evaluation) -> Iterator[str]:
    """A warning for each gated metric on which the questions to tune on are above those to test with."""
    answerable = [query for query in plan.queries if query.answerable]
    for one in find_overfitting(
        answerable, evaluation.scores, plan.policy.metrics, 1 - plan.policy.confidence
    ):
        yield (
            f"dev is significantly above test: {one.metric} {one.dev:.3f} over {one.n_dev} questions, "
            f"{one.test:.3f} over {one.n_test} (p {one.p:.2g}): the search was tuned on dev, it seems; "
            "judge by test alone: --retrieval-split=test"
        )
