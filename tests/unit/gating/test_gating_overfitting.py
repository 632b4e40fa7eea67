from __future__ import annotations

import math
import random
from itertools import combinations

import pytest

from pytest_retrieval.gating.overfitting import find_overfitting, permutation_p
from pytest_retrieval.golden.model import Query


def plain(*scores: float) -> list[tuple[str, float]]:
    return [("", score) for score in scores]


def test_a_perfect_separation_has_one_way_of_all() -> None:
    # of the 20 ways to choose 3 of 6, one has the largest sum
    assert permutation_p(plain(1, 1, 1), plain(0, 0, 0)) == pytest.approx(1 / 20)


def test_hits_and_misses_follow_the_hypergeometric_distribution() -> None:
    # 7 of 8 against 2 of 8: Fisher's exact test, one-sided
    ways = sum(math.comb(9, hits) * math.comb(7, 8 - hits) for hits in (7, 8))
    p = permutation_p(plain(*[1] * 7, 0), plain(1, 1, *[0] * 6))
    assert p == pytest.approx(ways / math.comb(16, 8))


def test_any_scores_are_counted_as_by_listing_all_choices() -> None:
    one, two = [0.9, 0.31, 0.77, 0.5], [0.2, 0.63, 0.4, 0.11, 0.8]
    every = [sum(chosen) for chosen in combinations(one + two, 4)]
    above = sum(total >= sum(one) - 1e-12 for total in every)
    assert permutation_p(plain(*one), plain(*two)) == pytest.approx(above / len(every))


def test_equal_sides_are_no_proof() -> None:
    assert permutation_p(plain(0.5, 0.5), plain(0.5, 0.5)) == 1.0


def test_scores_are_shuffled_within_their_stratum_only() -> None:
    # easy questions are all found, hard ones all missed: no shuffle changes anything
    first = [("easy", 1.0)] * 9 + [("hard", 0.0)]
    second = [("easy", 1.0)] + [("hard", 0.0)] * 9
    assert permutation_p(first, second) == 1.0
    assert permutation_p(plain(*[1] * 9, 0), plain(1, *[0] * 9)) < 0.001


def test_a_stratum_on_one_side_says_nothing() -> None:
    assert permutation_p([("a", 1.0), ("b", 1.0)], [("b", 0.0)]) == permutation_p([("b", 1.0)], [("b", 0.0)])
    assert permutation_p([("a", 1.0)], [("b", 0.0)]) == 1.0


def test_what_is_too_much_to_count_is_drawn_and_depends_on_no_order() -> None:
    source = random.Random(1)
    scores = [source.random() for _ in range(200)]
    one, two = plain(*scores[:100]), plain(*scores[100:])
    drawn = permutation_p(one, two)
    assert drawn == permutation_p(one[::-1], two[::-1])
    assert (drawn * 10_000) == pytest.approx(round(drawn * 10_000))
    # the normal approximation, with the spread of a sum drawn without replacement
    mean = sum(scores) / 200
    spread = math.sqrt(sum((score - mean) ** 2 for score in scores) / 199 * 100 * 0.5)
    z = (sum(scores[:100]) - 100 * mean) / spread
    assert drawn == pytest.approx(0.5 * math.erfc(z / math.sqrt(2)), abs=0.02)


def splits(n_dev: int, n_test: int) -> list[Query]:
    return [Query(f"d{n}", "t", {"D": 1}, split="dev") for n in range(n_dev)] + [
        Query(f"t{n}", "t", {"D": 1}, split="test") for n in range(n_test)
    ]


def test_a_clear_lead_of_dev_is_told_with_its_means() -> None:
    queries = splits(10, 10)
    scores = {"mrr": {query.id: float(query.split == "dev") for query in queries}}
    (found,) = find_overfitting(queries, scores, ["mrr"])
    assert (found.metric, found.dev, found.test, found.n_dev, found.n_test) == ("mrr", 1.0, 0.0, 10, 10)
    assert found.p == pytest.approx(1 / math.comb(20, 10))


def test_each_further_metric_makes_a_word_harder() -> None:
    # one of 20 ways is 5 %: enough for one metric alone, not for two
    queries = splits(3, 3)
    perfect = {query.id: float(query.split == "dev") for query in queries}
    level = dict.fromkeys(perfect, 0.5)
    assert len(find_overfitting(queries, {"mrr": perfect}, ["mrr"])) == 1
    assert find_overfitting(queries, {"mrr": perfect, "recall@5": level}, ["mrr", "recall@5"]) == ()


def test_a_lead_of_test_is_no_overfitting() -> None:
    queries = splits(10, 10)
    scores = {"mrr": {query.id: float(query.split == "test") for query in queries}}
    assert find_overfitting(queries, scores, ["mrr"]) == ()


def test_without_both_splits_there_is_nothing_to_compare() -> None:
    queries = splits(10, 0)
    assert find_overfitting(queries, {"mrr": {query.id: 1.0 for query in queries}}, ["mrr"]) == ()


def test_the_level_holds_over_random_splits_of_equal_questions() -> None:
    source = random.Random(7)
    told = 0
    for _ in range(400):
        queries = splits(14, 6)
        scores = {"mrr": {query.id: float(source.random() < 0.5) for query in queries}}
        told += bool(find_overfitting(queries, scores, ["mrr"]))
    assert told <= 400 * 0.05 + 3 * math.sqrt(400 * 0.05 * 0.95)
