"""Full-text search with what Python brings: SQLite and its FTS5 index."""

from __future__ import annotations

import json
import os
import re
import sqlite3
from pathlib import Path

# porter finds "pruning" where the text says "prune"; the damage of the README goes without it.
TOKENIZER = "unicode61" if os.environ.get("DAMAGE") else "porter unicode61"


def build(corpus: Path) -> sqlite3.Connection:
    """An index in memory over a JSONL file of plants."""
    index = sqlite3.connect(":memory:")
    index.execute(
        f"CREATE VIRTUAL TABLE plants USING fts5(id UNINDEXED, title, text, tokenize = '{TOKENIZER}')"
    )
    rows = [json.loads(line) for line in corpus.read_text("utf-8").splitlines()]
    index.executemany("INSERT INTO plants VALUES (:id, :title, :text)", rows)
    return index


def search(index: sqlite3.Connection, text: str, k: int) -> list[tuple[str, float]]:
    """The best k plants that share a word with the text, a word in the title counting double."""
    words = re.findall(r"\w+", text)
    if not words:
        return []
    match = " OR ".join(f'"{word}"' for word in words)
    query = (
        "SELECT id, -bm25(plants, 0, 2, 1) AS score FROM plants WHERE plants MATCH ? "
        "ORDER BY score DESC, id LIMIT ?"
    )
    return index.execute(query, (match, k)).fetchall()
