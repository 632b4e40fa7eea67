from __future__ import annotations

import numpy as np
import pytest

from pytest_retrieval.gating.multiplicity import Hypothesis, adjust, holm


def test_holm_multiplies_the_smallest_p_by_their_number_and_never_falls():
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])


def test_holm_stops_at_one_and_keeps_a_single_p():
    assert holm([0.6, 0.7]) == [1.0, 1.0]
    assert holm([0.04]) == [0.04]
    assert holm([]) == []


def test_equal_p_values_have_equal_adjusted_ones():
    assert holm([0.01, 0.01, 0.5]) == pytest.approx([0.03, 0.03, 0.5])


def test_a_family_is_adjusted_in_its_own_order():
    family = [Hypothesis(p, np.zeros(1, np.int64), ("q",)) for p in (0.5, 0.01)]
    assert adjust(family) == pytest.approx([0.5, 0.02])
