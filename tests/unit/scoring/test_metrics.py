from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import log2

import numpy as np
import pytest

from pytest_retrieval.scoring.metrics import score_rankings

EVERY_METRIC = [
    "recall", "recall@1", "recall@3", "precision", "precision@1", "precision@3", "precision@10", "hit_rate",
    "hit_rate@1", "hit_rate@3", "f1", "f1@3", "mrr", "mrr@1", "mrr@3", "map", "map@3", "ndcg", "ndcg@1",
    "ndcg@3", "ndcg_burges", "ndcg_burges@3", "r_precision", "bpref", "judged", "judged@1", "judged@3",
]  # fmt: skip

# Relevant: a (2), c (1), e (3). Judged and not relevant: b, d, z. Below zero: n. Unjudged: u.
LABELS = {"a": 2, "b": 0, "c": 1, "d": 0, "e": 3, "n": -1, "z": 0}
RANKING = ["b", "a", "u", "n", "c", "d", "e"]


def score(metric: str, ranking: Sequence[str], labels: Mapping[str, int]) -> float:
    (values,) = score_rankings([ranking], [labels], [metric]).values()
    assert values.shape == (1,)
    assert values.dtype == np.float64
    return float(values[0])


@pytest.mark.parametrize(
    ("metric", "expected"),
    [
        ("recall@1", 0),
        ("recall@2", 1 / 3),
        ("recall@5", 2 / 3),
        ("recall", 1),
        ("precision@2", 1 / 2),
        ("precision@5", 2 / 5),
        ("precision@20", 3 / 20),
        ("precision", 3 / 7),
        ("hit_rate@1", 0),
        ("hit_rate@2", 1),
        ("f1@2", 2 * (1 / 2) * (1 / 3) / (1 / 2 + 1 / 3)),
        ("f1", 2 * 3 / (7 + 3)),
        ("mrr", 1 / 2),
        ("mrr@1", 0),
        ("mrr@2", 1 / 2),
        ("map", (1 / 2 + 2 / 5 + 3 / 7) / 3),
        ("map@5", (1 / 2 + 2 / 5) / 3),
        ("r_precision", 1 / 3),
        ("ndcg@1", 0),
        ("ndcg@2", (2 / log2(3)) / (3 + 2 / log2(3))),
        ("ndcg@5", (2 / log2(3) + 1 / log2(6)) / (3 + 2 / log2(3) + 1 / 2)),
        ("ndcg", (2 / log2(3) + 1 / log2(6) + 3 / log2(8)) / (3 + 2 / log2(3) + 1 / 2)),
        ("ndcg_burges@2", (3 / log2(3)) / (7 + 3 / log2(3))),
        ("ndcg_burges", (3 / log2(3) + 1 / log2(6) + 7 / log2(8)) / (7 + 3 / log2(3) + 1 / 2)),
        # Above a: b. Above c: b. Above e: b and d. min(nonrelevant, relevant) = 3.
        ("bpref", ((1 - 1 / 3) + (1 - 1 / 3) + (1 - 2 / 3)) / 3),
        ("judged@3", 2 / 3),
        ("judged@4", 3 / 4),
        ("judged@50", 6 / 7),
        ("judged", 6 / 7),
    ],
)
def test_a_ranking_worked_by_hand(metric: str, expected: float) -> None:
    assert score(metric, RANKING, LABELS) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("metric", EVERY_METRIC)
def test_an_empty_answer_scores_zero(metric: str) -> None:
    assert score(metric, [], LABELS) == 0


@pytest.mark.parametrize("metric", [name for name in EVERY_METRIC if not name.startswith("judged")])
@pytest.mark.parametrize("labels", [{}, {"a": 0}, {"a": -2, "b": 0}])
def test_without_a_relevant_document_everything_is_zero(metric: str, labels: dict[str, int]) -> None:
    assert score(metric, ["a", "b"], labels) == 0


def test_judged_counts_labels_of_any_grade() -> None:
    assert score("judged@2", ["a", "b", "c"], {"a": -2, "b": 0}) == 1
    assert score("judged", ["a", "b", "c"], {"a": -2, "b": 0}) == pytest.approx(2 / 3)


def test_judged_has_the_values_of_the_peer_that_defines_it() -> None:
    # The example of ir_measures' own tests for Judged.
    qrels = [{"D0": 0, "D1": 1, "D2": 1, "D3": 2, "D4": 0}, {"D0": 1, "D3": 2, "D5": 2}]
    rankings = [["D0", "D2", "D3", "D1", "D4"], ["D1", "D3", "D2", "D4"]]
    scores = score_rankings(rankings, qrels, ["judged@1000", "judged@3", "judged@1"])
    assert scores["judged@1000"].tolist() == [1, 1 / 4]
    assert scores["judged@3"].tolist() == [1, pytest.approx(1 / 3)]
    assert scores["judged@1"].tolist() == [1, 0]


@pytest.mark.parametrize("metric", [name for name in EVERY_METRIC if not name.startswith("precision@10")])
def test_the_ideal_ranking_scores_one_as_far_as_it_can(metric: str) -> None:
    ideal = ["e", "a", "c"]
    cut = {"recall@1": 1 / 3}.get(metric, 1)
    assert score(metric, ideal, LABELS) == pytest.approx(cut)


def test_a_negative_grade_never_lowers_a_score() -> None:
    labels = {"a": 1, "n": -3}
    assert score("ndcg@2", ["n", "a"], labels) == pytest.approx(1 / log2(3))
    assert score("ndcg_burges@2", ["n", "a"], labels) == pytest.approx(1 / log2(3))
    assert score("ndcg@2", ["a", "n"], labels) == 1


def test_precision_divides_by_k_however_short_the_list() -> None:
    assert score("precision@5", ["a"], {"a": 1}) == pytest.approx(1 / 5)
    assert score("precision", ["a"], {"a": 1}) == 1


def test_r_precision_reaches_as_deep_as_there_are_relevant_documents() -> None:
    labels = {"a": 1, "b": 1, "c": 1}
    assert score("r_precision", ["x", "a", "b", "c"], labels) == pytest.approx(2 / 3)


def test_bpref_without_judged_wrong_documents_is_the_recall() -> None:
    assert score("bpref", ["u1", "a", "u2"], {"a": 1, "b": 1}) == pytest.approx(1 / 2)


def test_bpref_counts_no_more_wrong_documents_than_there_are_relevant_ones() -> None:
    labels = {"a": 1, "w1": 0, "w2": 0, "w3": 0}
    assert score("bpref", ["w1", "w2", "a"], labels) == 0
    assert score("bpref", ["a", "w1", "w2"], labels) == 1


def test_huge_grades_do_not_overflow() -> None:
    labels = {"a": 5000, "b": 4999, "c": 1}
    # 2^5000 dwarfs the subtracted 1: the gains stand as 1 to 1/2, the last as good as 0.
    expected = (1 / 2 + 1 / log2(3)) / (1 + 1 / 2 / log2(3))
    assert score("ndcg_burges@2", ["b", "a"], labels) == pytest.approx(expected, abs=1e-12)
    assert score("ndcg@1", ["b"], labels) == pytest.approx(4999 / 5000)


def test_scores_are_rounded_to_twelve_decimals() -> None:
    assert score("recall", ["a"], {"a": 1, "b": 1, "c": 1}) == 0.333333333333


def test_results_stand_under_canonical_names_in_the_order_asked_for() -> None:
    assert list(score_rankings([["a"]], [{"a": 1}], ["P@1", "nDCG@10", "recip_rank"])) == [
        "precision@1",
        "ndcg@10",
        "mrr",
    ]


def test_no_queries_give_empty_columns() -> None:
    scores = score_rankings([], [], EVERY_METRIC)
    assert {metric: len(values) for metric, values in scores.items()} == dict.fromkeys(EVERY_METRIC, 0)


def test_unequal_numbers_of_rankings_and_labels_are_an_error() -> None:
    with pytest.raises(ValueError, match="2 rankings but labels for 1"):
        score_rankings([["a"], ["b"]], [{"a": 1}], ["mrr"])


def test_an_unknown_metric_is_an_error() -> None:
    with pytest.raises(ValueError, match="did you mean recall@5"):
        score_rankings([["a"]], [{"a": 1}], ["recal@5"])


def random_query(draw: random.Random) -> tuple[list[str], dict[str, int]]:
    documents = [f"d{number}" for number in range(40)]
    ranking = draw.sample(documents, draw.randint(0, 30))
    return ranking, {
        document: draw.randint(-1, 4) for document in draw.sample(documents, draw.randint(0, 25))
    }


def test_a_score_is_the_same_to_the_last_bit_whatever_else_is_in_the_batch() -> None:
    draw = random.Random(7)
    queries = [random_query(draw) for _ in range(60)]
    deep = ([f"x{number}" for number in range(5000)], {f"x{number}": number % 5 for number in range(4000)})
    alone = [score_rankings([ranking], [labels], EVERY_METRIC) for ranking, labels in queries]
    batch = [deep, *reversed(queries), deep]
    together = score_rankings(
        [ranking for ranking, _ in batch], [labels for _, labels in batch], EVERY_METRIC
    )
    for metric in EVERY_METRIC:
        expected = [scores[metric][0] for scores in reversed(alone)]
        assert together[metric][1:-1].tolist() == expected


def exact(metric: str, ranking: list[str], labels: dict[str, int]) -> Fraction:
    """The rational metrics straight from their definitions, one query, exact arithmetic."""
    name, _, cutoff = metric.partition("@")
    k = int(cutoff) if cutoff else None
    relevant = {document for document, grade in labels.items() if grade > 0}
    top = ranking[:k]
    hits = sum(document in relevant for document in top)
    if name == "judged":
        return Fraction(sum(document in labels for document in top), max(len(top), 1))
    if not relevant:
        return Fraction(0)
    if name == "recall":
        return Fraction(hits, len(relevant))
    if name == "precision":
        return Fraction(hits, k or max(len(ranking), 1))
    if name == "hit_rate":
        return Fraction(int(hits > 0))
    if name == "f1":
        return Fraction(2 * hits, (k or len(ranking)) + len(relevant))
    if name == "mrr":
        return next((Fraction(1, rank) for rank, doc in enumerate(top, 1) if doc in relevant), Fraction(0))
    if name == "r_precision":
        return Fraction(sum(doc in relevant for doc in ranking[: len(relevant)]), len(relevant))
    if name == "map":
        found = [rank for rank, document in enumerate(top, 1) if document in relevant]
        return sum((Fraction(n, rank) for n, rank in enumerate(found, 1)), Fraction(0)) / len(relevant)
    assert name == "bpref"
    wrong = {document for document, grade in labels.items() if grade == 0}
    total = Fraction(0)
    for place, document in enumerate(ranking):
        if document in relevant:
            above = min(sum(other in wrong for other in ranking[:place]), len(relevant))
            total += 1 - (Fraction(above, min(len(wrong), len(relevant))) if above else 0)
    return total / len(relevant)


@pytest.mark.parametrize("metric", [name for name in EVERY_METRIC if not name.startswith("ndcg")])
def test_random_rankings_agree_with_exact_arithmetic(metric: str) -> None:
    draw = random.Random(11)
    queries = [random_query(draw) for _ in range(300)]
    scores = score_rankings([ranking for ranking, _ in queries], [labels for _, labels in queries], [metric])
    expected = [float(exact(metric, ranking, labels)) for ranking, labels in queries]
    assert scores[metric].tolist() == pytest.approx(expected, abs=1e-12)
