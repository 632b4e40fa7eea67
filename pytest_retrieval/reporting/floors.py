"""Floors for kinds that are too small for statistics, as YAML ready to paste."""

from __future__ import annotations

import math

import yaml

from pytest_retrieval.reporting.printable import harmless
from pytest_retrieval.reporting.result import SetResult


def floors_block(result: SetResult, min_queries: int) -> list[str]:
    """Lines of a ``gate`` block that hold each kind of fewer than ``min_queries`` to today's means.

    Means of the gated metrics are rounded down to two decimals, so that today's run passes.
    A floor of 0 would hold nothing and is left out. Empty where there is nothing to hold.
    """
    kinds: dict[str, dict[str, float]] = {}
    for row in result.means:
        if set(row.slice) != {"kind"} or row.n >= min_queries:
            continue
        means = {metric: row.metrics[metric] for metric in result.gate_metrics if metric in row.metrics}
        floors = {metric: _rounded_down(mean) for metric, mean in means.items() if mean >= 0.01}
        if floors:
            kinds[str(row.slice["kind"])] = floors
    if not kinds:
        return []
    lines = ["gate:", "  kinds:"]
    for kind, floors in kinds.items():
        pairs = ", ".join(f"{metric}: {floor:g}" for metric, floor in floors.items())
        lines.append(f"    {_yaml_key(kind)}: {{floors: {{{pairs}}}}}")
    return lines


def _yaml_key(name: str) -> str:
    # an item of a flow list is quoted wherever a key would need it; the brackets are cut off
    plain = harmless(name) == name
    item = yaml.safe_dump(
        [name],
        default_flow_style=True,
        default_style=None if plain else '"',
        allow_unicode=plain,
        width=math.inf,
    )
    return str(item).strip()[1:-1]


def _rounded_down(mean: float) -> float:
    # the tolerance keeps 0.29, whose hundredfold is 28.999..., at 0.29
    return math.floor(mean * 100 + 1e-9) / 100
