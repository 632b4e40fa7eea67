"""The queries that moved most between two runs, and which documents came and went."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pytest_retrieval.reporting.result import QueryResult, SetResult
from pytest_retrieval.scoring.names import parse_metric


@dataclass(frozen=True, slots=True)
class Mover:
    """A query, the metric on which it moved most, and its scores (0 to 1) on that."""

    query: QueryResult
    metric: str
    before: float
    after: float

    @property
    def change(self) -> float:
        """After minus before, -1 to 1."""
        return self.after - self.before


def movers(result: SetResult) -> list[Mover]:
    """Every query whose score on a gated metric changed: losses first, the largest before the smaller.

    Then the gains, the largest last.
    """
    found = []
    for query in result.queries:
        before, after = query.baseline or {}, query.scores or {}
        both = [name for name in result.gate_metrics if name in before and name in after]
        if not both:
            continue
        metric = max(both, key=lambda name: abs(after[name] - before[name]))
        if after[metric] != before[metric]:
            found.append(Mover(query, metric, before[metric], after[metric]))
    return sorted(found, key=lambda one: (one.change, one.query.id))


def biggest(found: Sequence[Mover], limit: int) -> tuple[list[Mover], list[Mover]]:
    """Up to ``limit`` losses and up to ``limit`` gains, the largest first."""
    losses = [one for one in found if one.change < 0]
    gains = sorted((one for one in found if one.change > 0), key=lambda one: (-one.change, one.query.id))
    return losses[:limit], gains[:limit]


RELEVANT, UNJUDGED, NOT_RELEVANT = "relevant", "unjudged", "not relevant"


def judgement(document: str, labels: Mapping[str, int]) -> str:
    """One of :data:`RELEVANT`, :data:`UNJUDGED` and :data:`NOT_RELEVANT`."""
    if document not in labels:
        return UNJUDGED
    return RELEVANT if labels[document] > 0 else NOT_RELEVANT


@dataclass(frozen=True, slots=True)
class Turnover:
    """How many documents came into the first ``k`` ranks of all compared queries, and how many left.

    ``k`` is None for whole rankings; both map a judgement to a count.
    """

    k: int | None
    queries: int
    new: Mapping[str, int]
    lost: Mapping[str, int]


def deepest_cut(metrics: Sequence[str]) -> int | None:
    """The largest cut-off among some metrics, None where one looks at whole rankings."""
    cuts = [parse_metric(metric).k for metric in metrics]
    return None if None in cuts or not cuts else max(cut for cut in cuts if cut)


def turnover(result: SetResult) -> Turnover:
    """The documents that came and went as deep as the gated metrics look."""
    k = deepest_cut(result.gate_metrics)
    new: dict[str, int] = {}
    lost: dict[str, int] = {}
    compared = 0
    for query in result.queries:
        if query.scores is None or query.baseline is None or query.baseline_ranked is None:
            continue
        compared += 1
        came, went = came_and_went(query, k)
        for documents, counts in ((came, new), (went, lost)):
            for document in documents:
                word = judgement(document, query.relevant)
                counts[word] = counts.get(word, 0) + 1
    return Turnover(k, compared, new, lost)


def came_and_went(query: QueryResult, k: int | None) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The documents that are new in the first ``k`` ranks, and those that have left them, best first."""
    old, now = (query.baseline_ranked or ())[:k], query.ranked[:k]
    before, after = set(old), set(now)
    return tuple(one for one in now if one not in before), tuple(one for one in old if one not in after)
