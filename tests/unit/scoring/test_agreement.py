from __future__ import annotations

import pytest

from pytest_retrieval.scoring.agreement import agree_on


def judges(table: list[list[int]]) -> tuple[dict[object, int], dict[object, int]]:
    """Two judges from the counts of their pairs of grades, the first judge's grade down the rows."""
    pairs = [(a, b) for a, row in enumerate(table) for b, count in enumerate(row) for _ in range(count)]
    return {n: a for n, (a, _) in enumerate(pairs)}, {n: b for n, (_, b) in enumerate(pairs)}


def test_the_kappa_of_a_table_by_hand() -> None:
    # observed 35/50; expected (25 * 30 + 25 * 20) / 50^2 = 0.5, so (0.7 - 0.5) / (1 - 0.5) = 0.4
    agreement = agree_on(*judges([[20, 5], [10, 15]]))
    assert (agreement.n, agreement.equal, agreement.observed) == (50, 35, 0.7)
    assert agreement.kappa == 0.4


def test_weights_forgive_what_is_near() -> None:
    # 4 pairs 0-0, 4 pairs 2-2, 2 pairs 0-1: squared disagreement 2; expected over 10^2 pairs of grades:
    # judge one gives 6 x 0, 4 x 2; judge two 4 x 0, 2 x 1, 4 x 2: 6*2*1 + 6*4*4 + 4*4*4 + 4*2*1 = 180
    agreement = agree_on(*judges([[4, 2, 0], [0, 0, 0], [0, 0, 4]]))
    assert agreement.weighted == pytest.approx(1 - 2 * 10 / 180)
    # unweighted: 2 unequal; expected unequal 6*2 + 6*4 + 4*4 + 4*2 = 60
    assert agreement.kappa == pytest.approx(1 - 2 * 10 / 60)


def test_the_same_grades_are_1_and_chance_is_0() -> None:
    assert agree_on(*judges([[3, 0], [0, 2]])).kappa == 1.0
    assert agree_on(*judges([[4, 4], [4, 4]])).kappa == 0.0


def test_only_pairs_that_both_graded_count() -> None:
    agreement = agree_on({"a": 1, "b": 2}, {"b": 2, "c": 0})
    assert (agreement.n, agreement.equal) == (1, 1)


def test_where_all_grades_are_one_kappa_says_nothing() -> None:
    agreement = agree_on({"a": 1, "b": 1}, {"a": 1, "b": 1})
    assert (agreement.observed, agreement.kappa, agreement.weighted) == (1.0, None, None)
    assert agree_on({}, {}).observed == 0.0
