"""Builds the index once for all queries."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

import plants
import pytest


@pytest.fixture(scope="session")
def retriever() -> Iterator[Callable[[str, int], list[tuple[str, float]]]]:
    with closing(plants.build(Path(__file__).with_name("plants.jsonl"))) as index:
        yield partial(plants.search, index)
