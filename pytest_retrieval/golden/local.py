"""Local questions: ``golden_docs.local.jsonl`` beside ``golden_docs.yaml``, which nobody else has.

They are asked with their set and told apart in everything: what is committed and gated must be the
same on every machine.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from pytest_retrieval.golden.errors import GoldenError
from pytest_retrieval.golden.model import GoldenSet, Header
from pytest_retrieval.golden.naming import SUFFIXES
from pytest_retrieval.golden.reader import parse_golden
from pytest_retrieval.golden.splitting import with_splits
from pytest_retrieval.golden.text_file import read_text

LOCAL = ".local"


def local_sets(golden: GoldenSet) -> tuple[GoldenSet, ...]:
    """The sets of questions that the local files beside a golden set hold, under its own header.

    Each query knows its file. Raises GoldenError for a local file that cannot be read, has a header
    of its own, or uses the id of another question.
    """
    if golden.path is None:
        return ()
    found = [path for path in local_files(golden.path) if path.is_file()]
    seen = {query.id: golden.path.name for query in golden.queries}
    sets = []
    for path in found:
        local = parse_golden(path, read_text(path))
        if replace(local.header, lines={}) != Header():
            key, line = next(iter(local.header.lines.items()), ("queries", 1))
            raise GoldenError(
                path,
                line,
                f"a local file joins {golden.path.name}, whose header counts for it, too: remove {key}",
            )
        for query in local.queries:
            if query.id in seen:
                raise GoldenError(
                    path, query.line, f"the query id {query.id!r} is already used in {seen[query.id]}"
                )
            seen[query.id] = path.name
        queries = (replace(query, local=path.name) for query in local.queries)
        sets.append(
            GoldenSet(with_splits(queries, golden.header.test_share), golden.header, path, local.notes)
        )
    return tuple(sets)


def local_files(path: Path) -> list[Path]:
    """Where the local files of a golden set may lie: ``golden.local.jsonl`` for ``golden.yaml``."""
    return [path.with_name(f"{path.stem}{LOCAL}{suffix}") for suffix in SUFFIXES]
