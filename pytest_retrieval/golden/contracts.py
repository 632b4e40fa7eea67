"""What a query's ``must`` may ask: minima of metrics, or of a query without an answer that it is refused."""

from __future__ import annotations

from pathlib import Path

from pytest_retrieval.golden.errors import GoldenError
from pytest_retrieval.golden.nodes import Node
from pytest_retrieval.golden.values import boolean, fraction, mapping_value, number, text_value

MAX_SCORE, EMPTY = "max_score", "empty"
ABSTENTION = (MAX_SCORE, EMPTY)
"""How a search can say that it knows no answer: by low scores, or by no hits at all."""


def read_must(path: Path | str, node: Node) -> dict[str, float]:
    """Metric names to minima from 0 to 1, ``max_score`` to any number, ``empty`` to True."""
    contract: dict[str, float] = {}
    for key, value in mapping_value(path, node, "must").entries.values():
        name = text_value(path, key, "a key of must")
        what = f"must: {name}"
        if name == MAX_SCORE:
            contract[name] = number(path, value, what)
        elif name == EMPTY:
            contract[name] = boolean(path, value, what)
            if not contract[name]:
                raise GoldenError(path, value.line, f"{what} can only be true; leave it out otherwise")
        else:
            contract[name] = fraction(path, value, what)
    return contract
