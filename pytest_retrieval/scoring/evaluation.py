"""One retriever marked against one golden set."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from pytest_retrieval.golden.model import GoldenSet
from pytest_retrieval.retrieval.ranking import Ranking
from pytest_retrieval.scoring.metrics import DIGITS, score_rankings
from pytest_retrieval.scoring.names import (
    canonical,
    needs_exact,
    parse_metric,
)


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The rankings of one retriever for one golden set, and their scores.

    ``rankings`` and ``errors`` are keyed by query id; a query that stands in neither was not
    asked. ``metrics`` are canonical names. ``scores`` maps a metric to the score (0 to 1) of
    each query that was answered and that some document answers. ``exact`` holds the rankings of
    an exact index, where there is one; without them ``index_recall`` has no scores. ``runs`` are the
    single runs where every query was asked repeatedly: ``scores`` are then means over them,
    ``rankings`` those of the first.
    """

    golden: GoldenSet
    rankings: Mapping[str, Ranking]
    errors: Mapping[str, str]
    depth: int
    metrics: tuple[str, ...]
    scores: Mapping[str, Mapping[str, float]]
    exact: Mapping[str, Ranking] = field(default_factory=dict)
    runs: tuple[Evaluation, ...] = ()

    def mean(self, metric: str, kind: str | None = None) -> float | None:
        """The mean score over all queries, or over one kind, rounded to 12 decimals.

        None when a query of that slice failed (never averaged over the others) or when
        nothing in it was scored. Raises ValueError for a metric that was not computed.
        """
        name = str(parse_metric(metric))
        if name not in self.scores:
            raise ValueError(f"{metric} was not computed; computed are {', '.join(self.metrics)}")
        members = [
            query.id for query in self.golden.queries if query.answerable and kind in (None, query.kind)
        ]
        if any(member in self.errors for member in members):
            return None
        return self.mean_over(name, members)

    def mean_over(self, metric: str, ids: Iterable[str]) -> float | None:
        """The mean of a canonical metric over those of some queries that were scored, None for none.

        Summed exactly, so that the order of the queries does not matter.
        """
        scores = [self.scores[metric][query_id] for query_id in ids if query_id in self.scores[metric]]
        return round(math.fsum(scores) / len(scores), DIGITS) if scores else None

    def means(self) -> dict[str, float | None]:
        """The mean over all queries per metric."""
        return {metric: self.mean(metric) for metric in self.metrics}


def mark(
    golden: GoldenSet,
    rankings: Mapping[str, Ranking],
    metrics: Iterable[str],
    depth: int,
    errors: Mapping[str, str] | None = None,
    exact: Mapping[str, Ranking] | None = None,
) -> Evaluation:
    """Score rankings by query id; rankings of queries that the golden set lacks are left out.

    ``exact`` holds the rankings of the index that ``index_recall`` compares with.
    ``errors`` maps a query id to what went wrong; such a query is not scored. Raises
    ValueError for an unknown metric and for a ranking that holds a document twice.
    """
    known = golden.by_id()
    failed = {query: reason for query, reason in (errors or {}).items() if query in known}
    kept = {query: rankings[query] for query in known if query in rankings and query not in failed}
    for query, ranking in kept.items():
        if len(set(ranking.documents)) < len(ranking):
            raise ValueError(f"the ranking of query {query!r} holds a document twice; see rank_documents")
    # A golden set for an exact index may have no labels, and then only index_recall has scores.
    unlabelled = golden.header.exact is not None and not any(query.relevant for query in golden.queries)
    scored = [query for query in kept if known[query].answerable and not unlabelled]
    names = canonical(metrics)
    values = score_rankings(
        [kept[query].documents for query in scored],
        [known[query].relevant for query in scored],
        [metric for metric in names if not needs_exact(metric)],
    )
    exact = exact or {}
    scores = {
        metric: _index_recall(kept, exact, metric)
        if needs_exact(metric)
        else dict(zip(scored, values[metric].tolist(), strict=True))
        for metric in names
    }
    return Evaluation(golden, kept, failed, depth, names, scores, exact)


def _index_recall(
    rankings: Mapping[str, Ranking], exact: Mapping[str, Ranking], metric: str
) -> dict[str, float]:
    """The scores whose labels are the exact index's top k; it is asked about every query, labelled or not."""
    k = parse_metric(metric).k
    asked = [query for query in rankings if query in exact]
    tops = [dict.fromkeys(exact[query].documents[:k], 1) for query in asked]
    values = score_rankings([rankings[query].documents for query in asked], tops, [metric])
    return dict(zip(asked, values[metric].tolist(), strict=True))


def average(runs: Sequence[Evaluation]) -> Evaluation:
    """One or more runs of the same queries as one evaluation.

    A query's score is its mean over the runs; one that failed in any run failed, one that any run
    lacks was not asked.
    """
    first, *later = runs
    if not later:
        return first
    errors = {query: reason for run in reversed(runs) for query, reason in run.errors.items()}
    asked = [query for query in first.rankings if all(query in run.rankings for run in later)]
    scores = {
        metric: {
            query: math.fsum(run.scores[metric][query] for run in runs) / len(runs)
            for query in asked
            if query in first.scores[metric] and query not in errors
        }
        for metric in first.metrics
    }
    kept = {query: first.rankings[query] for query in asked if query not in errors}
    return replace(first, rankings=kept, errors=errors, scores=scores, runs=tuple(runs))
