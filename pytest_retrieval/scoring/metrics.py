"""Marking rankings: every metric, for many queries at once.

In the formulas a document is relevant when its grade is above 0, R is the number of
relevant documents of the query, rel(i) is 1 where the document at rank i is relevant
(ranks start at 1), g(i) its grade, and n the length of the ranking. A cut-off k looks at
ranks 1 to k only; without one the whole ranking counts. A query without any relevant
document scores 0 in everything except ``judged``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, repeat
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytest_retrieval.scoring.names import Metric, parse_metric

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

DIGITS = 12
"""Scores are rounded to this many decimals, so that no machine's last bit is kept."""


def score_rankings(
    rankings: Sequence[Sequence[str]],
    qrels: Sequence[Mapping[str, int]],
    metrics: Sequence[str],
) -> dict[str, Floats]:
    """Score each ranking against the labels in the same position.

    ``rankings`` holds the distinct documents of each query, best first; ``qrels`` holds the
    grade of each judged document. Returns one array of shape [queries] with values from 0 to
    1 per metric, under its canonical name. A query's score does not depend, to the last bit,
    on the other queries. Raises ValueError for unequal lengths and an unknown metric.
    """
    if len(rankings) != len(qrels):
        raise ValueError(f"{len(rankings)} rankings but labels for {len(qrels)} queries")
    wanted = [parse_metric(metric) for metric in metrics]
    lists = _tabulate(rankings, qrels)
    return {str(metric): np.round(_FORMULAS[metric.name](lists, metric), DIGITS) for metric in wanted}


@dataclass(frozen=True, slots=True)
class _Lists:
    """The judged hits and the relevant labels of all queries, end to end.

    No padding: a row of each column is one document, ``*_row`` tells its query. Hits are in
    the order of the ranking, labels (positive grades only) from the best grade down.
    """

    length: Ints  # [queries]
    hit_row: Ints  # [judged hits]
    hit_rank: Ints  # [judged hits], from 1
    hit_grade: Floats  # [judged hits]
    label_row: Ints  # [relevant labels]
    label_rank: Ints  # [relevant labels], from 1: the ideal ranking
    label_grade: Floats  # [relevant labels]
    relevant: Ints  # [queries]: R
    nonrelevant: Ints  # [queries]: labels of grade 0

    def count(self, rows: Ints) -> Ints:
        """How often each query stands in ``rows``."""
        return np.bincount(rows, minlength=len(self.length))

    def total(self, rows: Ints, values: Floats) -> Floats:
        """The sum of ``values`` per query, added up one after the other in their order."""
        # Without any row bincount forgets the weights and returns integers.
        return np.bincount(rows, weights=values, minlength=len(self.length)).astype(np.float64)

    def relevant_hits(self, k: int | None) -> tuple[Ints, Ints]:
        """Row and rank of the relevant hits down to rank ``k``."""
        chosen = self.hit_grade > 0
        if k is not None:
            chosen &= self.hit_rank <= k
        return self.hit_row[chosen], self.hit_rank[chosen]


def _tabulate(rankings: Sequence[Sequence[str]], qrels: Sequence[Mapping[str, int]]) -> _Lists:
    length = np.fromiter(map(len, rankings), np.int64, len(rankings))
    unjudged = repeat(math.nan)
    looked_up = chain.from_iterable(
        map(labels.get, ranking, unjudged) for ranking, labels in zip(rankings, qrels, strict=True)
    )
    grade = np.fromiter(looked_up, np.float64, int(length.sum()))
    judged = ~np.isnan(grade)
    row = np.repeat(np.arange(len(rankings)), length)

    labelled = np.fromiter(map(len, qrels), np.int64, len(qrels))
    labels = np.fromiter(
        chain.from_iterable(label.values() for label in qrels), np.float64, int(labelled.sum())
    )
    label_row = np.repeat(np.arange(len(qrels)), labelled)
    positive = labels > 0
    best_first = np.lexsort((-labels[positive], label_row[positive]))
    relevant = np.bincount(label_row[positive], minlength=len(qrels))
    return _Lists(
        length=length,
        hit_row=row[judged],
        hit_rank=_positions(length)[judged],
        hit_grade=grade[judged],
        label_row=label_row[positive][best_first],
        label_rank=_positions(relevant),
        label_grade=labels[positive][best_first],
        relevant=relevant,
        nonrelevant=np.bincount(label_row[labels == 0], minlength=len(qrels)),
    )


def _positions(counts: Ints) -> Ints:
    """1 .. count for each count, end to end."""
    starts = np.cumsum(counts) - counts
    return np.arange(1, int(counts.sum()) + 1) - np.repeat(starts, counts)


def _share(part: NDArray[Any], whole: NDArray[Any]) -> Floats:
    """``part / whole``, 0 where the whole is 0."""
    shares: Floats = np.divide(part, whole, out=np.zeros(len(part)), where=whole > 0)
    return shares


def _recall(lists: _Lists, metric: Metric) -> Floats:
    """recall@k = sum of rel(i) / R; trec_eval ``recall`` and ``set_recall``."""
    rows, _ = lists.relevant_hits(metric.k)
    return _share(lists.count(rows), lists.relevant)


def _precision(lists: _Lists, metric: Metric) -> Floats:
    """precision@k = sum of rel(i) / k, however short the ranking; without k it is / n.

    Source: trec_eval ``P`` and ``set_P``.
    """
    rows, _ = lists.relevant_hits(metric.k)
    return _share(
        lists.count(rows), lists.length if metric.k is None else np.full_like(lists.length, metric.k)
    )


def _hit_rate(lists: _Lists, metric: Metric) -> Floats:
    """hit_rate@k = 1 where any rel(i) is 1, else 0; trec_eval ``success``."""
    rows, _ = lists.relevant_hits(metric.k)
    return (lists.count(rows) > 0).astype(np.float64)


def _f1(lists: _Lists, metric: Metric) -> Floats:
    """f1@k = 2 P R / (P + R), the harmonic mean of precision@k and recall@k, 0 where both are 0.

    Source: van Rijsbergen 1979, Information Retrieval; trec_eval ``set_F``, ranx ``f1``.
    """
    precision, recall = _precision(lists, metric), _recall(lists, metric)
    return _share(2 * precision * recall, precision + recall)


def _mrr(lists: _Lists, metric: Metric) -> Floats:
    """mrr@k = 1 / rank of the first relevant document, 0 where there is none down to k.

    Source: trec_eval ``recip_rank``; its mean over queries is the mean reciprocal rank.
    """
    rows, ranks = lists.relevant_hits(metric.k)
    answered, first = np.unique(rows, return_index=True)
    scores = np.zeros(len(lists.length))
    scores[answered] = 1 / ranks[first]
    return scores


def _map(lists: _Lists, metric: Metric) -> Floats:
    """map@k = sum over relevant ranks i of (relevant documents down to i) / i, divided by R.

    Source: trec_eval ``map`` and ``map_cut``; the mean over queries is the mean average precision.
    """
    rows, ranks = lists.relevant_hits(metric.k)
    found_so_far = _positions(lists.count(rows))
    return _share(lists.total(rows, found_so_far / ranks), lists.relevant)


def _r_precision(lists: _Lists, metric: Metric) -> Floats:
    """r_precision = sum of rel(i) for i down to R, divided by R; trec_eval ``Rprec``."""
    rows, ranks = lists.relevant_hits(None)
    return _share(lists.count(rows[ranks <= lists.relevant[rows]]), lists.relevant)


def _ndcg(lists: _Lists, metric: Metric) -> Floats:
    """ndcg@k = DCG@k / ideal DCG@k with DCG@k = sum of g(i) / log2(i + 1).

    The ideal ranking holds all relevant documents, best grade first. Source: Järvelin and
    Kekäläinen 2002, Cumulated gain-based evaluation, with the discount of trec_eval ``ndcg_cut``.
    """
    return _normalised(lists, metric.k, lists.hit_grade, lists.label_grade)


def _ndcg_burges(lists: _Lists, metric: Metric) -> Floats:
    """ndcg_burges@k is ndcg@k with the gain 2^g(i) - 1.

    Source: Burges et al. 2005, Learning to rank using gradient descent.
    """
    top = np.zeros(len(lists.length))
    np.maximum.at(top, lists.label_row, lists.label_grade)

    def gain(grades: Floats, rows: Ints) -> Floats:
        # Scaled by 2^-top, which the ratio cancels exactly: no grade overflows.
        scale = top[rows]
        return _power_of_two(grades - scale) - _power_of_two(-scale)

    return _normalised(
        lists, metric.k, gain(lists.hit_grade, lists.hit_row), gain(lists.label_grade, lists.label_row)
    )


def _power_of_two(exponents: Floats) -> Floats:
    powers: Floats = np.ldexp(1.0, np.maximum(exponents, -1100).astype(np.intc))
    return powers


def _normalised(lists: _Lists, k: int | None, hit_gain: Floats, label_gain: Floats) -> Floats:
    """DCG over ideal DCG, both cut at ``k``; hits of grade 0 or less gain nothing."""
    hits, labels = lists.hit_grade > 0, np.ones(len(lists.label_rank), dtype=bool)
    if k is not None:
        hits &= lists.hit_rank <= k
        labels = lists.label_rank <= k
    deepest = max(lists.hit_rank[hits].max(initial=0), lists.label_rank[labels].max(initial=0))
    # math.log2, since a vectorised logarithm may round by position in the array.
    discount = np.array([math.log2(rank + 1) for rank in range(deepest + 1)])
    dcg = lists.total(lists.hit_row[hits], hit_gain[hits] / discount[lists.hit_rank[hits]])
    ideal = lists.total(lists.label_row[labels], label_gain[labels] / discount[lists.label_rank[labels]])
    return _share(dcg, ideal)


def _bpref(lists: _Lists, metric: Metric) -> Floats:
    """bpref = 1/R * sum over relevant hits of 1 - min(N above it, R) / min(N, R).

    N counts documents of grade 0; unlabelled ones and those below 0 are passed over, as
    trec_eval ``bpref`` does. Source: Buckley and Voorhees 2004, Retrieval evaluation with
    incomplete information.
    """
    nonrelevant = lists.hit_grade == 0
    per_query = lists.count(lists.hit_row[nonrelevant])
    hits = lists.hit_grade > 0
    rows = lists.hit_row[hits]
    above = np.cumsum(nonrelevant)[hits] - (np.cumsum(per_query) - per_query)[rows]
    bound = np.minimum(lists.nonrelevant, lists.relevant)[rows]
    kept = 1 - _share(np.minimum(above, lists.relevant[rows]), bound)
    return _share(lists.total(rows, kept), lists.relevant)


def _judged(lists: _Lists, metric: Metric) -> Floats:
    """judged@k = labelled documents down to k, of any grade, divided by min(k, n).

    An empty ranking scores 0. Source: ir_measures ``Judged``, which shortens k to the ranking.
    """
    rows, length = lists.hit_row, lists.length
    if metric.k is not None:
        rows, length = rows[lists.hit_rank <= metric.k], np.minimum(length, metric.k)
    return _share(lists.count(rows), length)


def _index_recall(lists: _Lists, metric: Metric) -> Floats:
    """index_recall@k = documents down to k that are in the exact index's top k, divided by its length.

    Its labels are the exact index's top k. Where that is empty nothing can be missed: 1. Source:
    Aumüller, Bernhardsson, Faithfull 2020, ANN-Benchmarks, the recall of an approximate index.
    """
    rows, _ = lists.relevant_hits(metric.k)
    return np.where(lists.relevant > 0, _share(lists.count(rows), lists.relevant), 1.0)


_FORMULAS: dict[str, Callable[[_Lists, Metric], Floats]] = {
    "recall": _recall,
    "precision": _precision,
    "hit_rate": _hit_rate,
    "f1": _f1,
    "mrr": _mrr,
    "map": _map,
    "r_precision": _r_precision,
    "ndcg": _ndcg,
    "ndcg_burges": _ndcg_burges,
    "bpref": _bpref,
    "judged": _judged,
    "index_recall": _index_recall,
}
