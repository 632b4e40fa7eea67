from __future__ import annotations

import pytest

from pytest_retrieval.gating.differences import UNITS, take_differences


def test_thirds_add_up_to_a_whole():
    before = {"a": 0.333333333333, "b": 1 / 3, "c": 0.0}
    after = {"a": 0.0, "b": 0.0, "c": 0.666666667}
    differences = take_differences(before, after, before, 0)
    assert differences.values.tolist() == [-1, -1, 2]
    assert differences.scale == 3


def test_the_margin_is_in_the_same_unit():
    differences = take_differences({"a": 1.0}, {"a": 0.5}, ["a"], 0.02)
    assert differences.values.tolist() == [-25]
    assert (differences.margin, differences.scale) == (1, 50)
    assert differences.points(-25) == -0.5


def test_scores_without_a_common_fraction_count_to_nine_decimals():
    differences = take_differences({"a": 0.6309297535714574}, {"a": 0.3868528072345416}, ["a"], 0.02)
    assert differences.scale == UNITS
    assert differences.values.tolist() == [386_852_807 - 630_929_754]
    assert differences.margin == 20_000_000


def test_scores_closer_than_half_a_billionth_are_equal():
    differences = take_differences({"a": 0.1 + 0.2}, {"a": 0.3}, ["a"], 0)
    assert differences.values.tolist() == [0]


def test_ids_are_ascending_whatever_their_order():
    before, after = {"b": 0.0, "a": 0.0}, {"a": 0.5, "b": 1.0}
    for ids in (["a", "b"], ["b", "a"]):
        differences = take_differences(before, after, ids, 0)
        assert differences.ids == ("a", "b")
        assert differences.values.tolist() == [1, 2]


def test_reciprocal_ranks_down_to_twenty_keep_their_common_denominator():
    before = {f"q{rank}": 1 / rank for rank in range(1, 21)}
    after = dict.fromkeys(before, 0.0)
    differences = take_differences(before, after, before, 0)
    assert differences.scale == 232_792_560
    assert int(differences.values.sum()) / differences.scale == pytest.approx(
        -sum(before.values()), abs=1e-15
    )
