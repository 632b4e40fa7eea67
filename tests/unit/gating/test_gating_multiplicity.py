from __future__ import annotations

import numpy as np
import pytest

from pytest_retrieval.gating.hypothesis import Hypothesis
from pytest_retrieval.gating.multiplicity import adjust, holm


def _claim(p: float, *u: int, ids: str = "abcdefghij") -> Hypothesis:
    return Hypothesis(p, np.array(u, np.int64), tuple(ids[: len(u)]))


def test_holm_multiplies_the_smallest_p_by_their_number_and_never_falls():
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])


def test_holm_stops_at_one_and_keeps_a_single_p():
    assert holm([0.6, 0.7]) == [1.0, 1.0]
    assert holm([0.04]) == [0.04]
    assert holm([]) == []


def test_equal_p_values_have_equal_adjusted_ones():
    assert holm([0.01, 0.01, 0.5]) == pytest.approx([0.03, 0.03, 0.5])


def test_a_family_is_adjusted_in_its_own_order():
    family = [_claim(0.5, 1, 2), _claim(0.01, 1, 3)]
    assert adjust(family, 0.05, "holm") == pytest.approx([0.5, 0.02])


@pytest.mark.parametrize("correction", ["max-t", "holm"])
def test_the_same_claim_counts_once_whatever_its_unit_and_its_unchanged_queries(correction: str):
    claim = _claim(0.03, -2, -4, 6)
    alike = [claim, _claim(0.03, -20, -40, 60), _claim(0.03, -1, -2, 3, 0, 0)]
    assert adjust(alike, 0.05, correction) == [0.03, 0.03, 0.03]


@pytest.mark.parametrize("correction", ["max-t", "holm"])
def test_a_claim_on_other_queries_or_with_other_sizes_is_another_claim(correction: str):
    for other in (_claim(0.03, -2, -4, 5), _claim(0.03, -2, -4, 6, ids="xyz")):
        assert min(adjust([_claim(0.03, -2, -4, 6), other], 0.05, correction)) > 0.03


@pytest.mark.parametrize("correction", ["max-t", "holm"])
def test_no_claims_need_no_adjustment(correction: str):
    assert adjust([], 0.05, correction) == []
