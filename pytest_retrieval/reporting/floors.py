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
    kinds: dict[str, dict[str, dict[str, float]]] = {}
    for row in result.means:
        if set(row.slice) != {"kind"} or row.n >= min_queries:
            continue
        means = {metric: row.metrics[metric] for metric in result.gate_metrics if metric in row.metrics}
        floors = {metric: _rounded_down(mean) for metric, mean in means.items() if mean >= 0.01}
        if floors:
            kinds[str(row.slice["kind"])] = {"floors": floors}
    if not kinds:
        return []
    lines = ["gate:", "  kinds:"]
    for kind, rules in kinds.items():
        readable = harmless(kind) == kind
        flow = yaml.safe_dump(
            {kind: rules}, default_flow_style=True, sort_keys=False, allow_unicode=readable, width=math.inf
        )
        lines.append("    " + flow.strip()[1:-1])
    return lines


def _rounded_down(mean: float) -> float:
    # the tolerance keeps 0.29, whose hundredfold is 28.999..., at 0.29
    return math.floor(mean * 100 + 1e-9) / 100
