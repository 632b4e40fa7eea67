from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import yaml

from pytest_retrieval.reporting.floors import floors_block
from pytest_retrieval.reporting.result import MeanRow

Make = Callable[..., Any]


def test_the_block_holds_small_kinds_to_todays_means_rounded_down(make_set: Make) -> None:
    means = (
        MeanRow({}, 25, {"recall@5": 0.9}),
        MeanRow({"kind": "identifier"}, 4, {"recall@5": 0.8, "mrr": 1.0, "ndcg@10": 0.6789}),
        MeanRow({"kind": "paraphrase"}, 10, {"recall@5": 0.5, "ndcg@10": 0.5}),
        MeanRow({"split": "train"}, 3, {"recall@5": 0.5}),
    )
    result = make_set(means=means, gate_metrics=("recall@5", "ndcg@10"))
    assert floors_block(result, 10) == [
        "gate:",
        "  kinds:",
        "    identifier: {floors: {recall@5: 0.8, ndcg@10: 0.67}}",
    ]


@pytest.mark.parametrize(
    ("mean", "floor"), [(0.29, 0.29), (0.57, 0.57), (1.0, 1.0), (0.999999, 0.99), (0.01, 0.01)]
)
def test_a_mean_of_two_decimals_is_its_own_floor(make_set: Make, mean: float, floor: float) -> None:
    block = floors_block(make_set(means=(MeanRow({"kind": "a"}, 2, {"recall@5": mean}),)), 10)
    assert yaml.safe_load("\n".join(block)) == {"gate": {"kinds": {"a": {"floors": {"recall@5": floor}}}}}


@pytest.mark.parametrize(
    "kind",
    [
        "no",
        "007",
        "a: b",
        "# x",
        "{x}",
        "a, b]",
        "it's",
        "~",
        "two\nlines",
        "質問",
        "\x1b[0m",
        "-",
        "",
        "k" * 200,
    ],
)
def test_any_kind_name_survives_yaml_as_text(make_set: Make, kind: str) -> None:
    block = floors_block(make_set(means=(MeanRow({"kind": kind}, 2, {"recall@5": 0.5}),)), 10)
    assert len(block) == 3
    assert block[2].isprintable()
    assert yaml.safe_load("\n".join(block)) == {"gate": {"kinds": {kind: {"floors": {"recall@5": 0.5}}}}}


def test_there_is_no_block_where_there_is_nothing_to_hold(make_set: Make) -> None:
    means = (
        MeanRow({"kind": "zero"}, 2, {"recall@5": 0.009}),
        MeanRow({"kind": "failed"}, 2, {}),
        MeanRow({"kind": "large"}, 10, {"recall@5": 0.5}),
    )
    assert floors_block(make_set(means=means), 10) == []
