from __future__ import annotations

import pytest

from pytest_retrieval.golden.model import GoldenSet, Query


def test_an_id_that_comes_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="two queries have the id 'q1'"):
        GoldenSet((Query("q1", "one", {"d": 1}), Query("q1", "two", {"d": 1})))


def test_labels_must_be_a_mapping() -> None:
    with pytest.raises(TypeError, match="query 'q1': relevant is a list, expected document id -> grade"):
        GoldenSet((Query("q1", "one", ["d"]),))  # type: ignore[arg-type]


@pytest.mark.parametrize("labels", [{7: 1}, {"d": 0.5}, {"d": "1"}])
def test_labels_must_be_texts_with_whole_grades(labels: dict[str, int]) -> None:
    with pytest.raises(TypeError, match="expected a text and a whole grade"):
        GoldenSet((Query("q1", "one", labels),))
