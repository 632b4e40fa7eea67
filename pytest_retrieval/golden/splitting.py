"""Questions to tune on and questions to test with, told apart by a hash of their ids."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from pytest_retrieval.golden.errors import GoldenError
from pytest_retrieval.golden.fields import check_keys
from pytest_retrieval.golden.model import Query
from pytest_retrieval.golden.nodes import Node
from pytest_retrieval.golden.values import fraction, mapping_value

DEV, TEST = "dev", "test"

_RANGE = 2**64


def read_test_share(path: Path | str, node: Node, what: str) -> float:
    """The share of the questions to test with in ``{test: 0.3}``, between 0 and 1."""
    block = mapping_value(path, node, what)
    check_keys(path, block, (TEST,), what)
    entry = block.entries.get(TEST)
    share = 0.0 if entry is None else fraction(path, entry.value, f"{what}: {TEST}")
    if not 0 < share < 1:
        raise GoldenError(path, node.line, f"{what} must be {{test: X}} with X between 0 and 1, such as 0.3")
    return share


def hashed_split(query_id: str, test_share: float) -> str:
    """``test`` for about that share of all ids, else ``dev``: the same wherever and whenever it is asked.

    The first 64 bits of the id's SHA-256 are a number that is evenly spread, so other questions, their
    order and their number change nothing, and a larger share keeps what was in the test.
    """
    number = int.from_bytes(hashlib.sha256(query_id.encode("utf-8")).digest()[:8], "big")
    return TEST if number < test_share * _RANGE else DEV


def with_splits(queries: Iterable[Query], test_share: float | None) -> tuple[Query, ...]:
    """The queries, those without a split in the one of their hash; without a share as they are."""
    if test_share is None:
        return tuple(queries)
    return tuple(
        query if query.split is not None else replace(query, split=hashed_split(query.id, test_share))
        for query in queries
    )
