"""Loads the model and embeds the articles once for all queries."""

from __future__ import annotations

from pathlib import Path

import pytest
from vectors import VectorIndex


@pytest.fixture(scope="session")
def retriever() -> VectorIndex:
    return VectorIndex(Path(__file__).with_name("articles.jsonl"))  # anything with .search will do
