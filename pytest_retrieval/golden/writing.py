"""Queries -> the text of a golden set."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePath

from pytest_retrieval.golden.model import OTHER_KIND, Query
from pytest_retrieval.golden.yaml_text import flow, key_text

_WIDTH = 110
_LONGEST_KEY = 1_000  # YAML takes no key of more than 1,024 characters without a mark of its own


def golden_text(path: PurePath, queries: Iterable[Query], header: Mapping[str, object]) -> str:
    """The text of a golden set in the format that the suffix of ``path`` names, YAML or JSONL."""
    if path.suffix.lower() == ".jsonl":
        rows = [dict(header)] if header else []
        rows += [query_data(query) for query in queries]
        return "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows)
    lines = [f"{key_text(name)}: {flow(value)}" for name, value in header.items()]
    lines.append("queries:")
    for query in queries:
        lines += _query_lines(query_data(query))
    return "\n".join(lines) + "\n"


def query_data(query: Query) -> dict[str, object]:
    """A query as builtin types, under the names that a golden set gives its fields."""
    data: dict[str, object] = {"id": query.id}
    if query.kind != OTHER_KIND:
        data["kind"] = query.kind
    data["text"] = query.text
    data["relevant"] = _labels(query)
    if query.tags:
        data["tags"] = list(query.tags)
    if query.split is not None:
        data["split"] = query.split
    if query.params:
        data["params"] = dict(query.params)
    if query.must:
        data["must"] = dict(query.must)
    if not query.answerable:
        data["answerable"] = False
    return {**data, **query.metadata}


def _labels(query: Query) -> object:
    if query.judgings or any(len(document) > _LONGEST_KEY for document in query.relevant):
        return [_label(query, document, grade) for document, grade in query.relevant.items()]
    return dict(query.relevant)


def _label(query: Query, document: str, grade: int) -> dict[str, object]:
    label: dict[str, object] = {"id": document, "grade": grade}
    judging = query.judgings.get(document)
    if judging and judging.judged_version is not None:
        label["judged_version"] = judging.judged_version
    if judging and judging.owner is not None:
        label["owner"] = judging.owner
    return label


def _query_lines(data: Mapping[str, object]) -> Iterator[str]:
    """A query on one line where it fits, else a line per field, and per label where these do not fit."""
    line = f"  - {flow(data)}"
    if len(line) <= _WIDTH:
        yield line
        return
    mark = "  - "
    for name, value in data.items():
        line = f"{mark}{key_text(name)}: {flow(value)}"
        mark = "    "
        if len(line) <= _WIDTH or name != "relevant" or not value:
            yield line
            continue
        yield f"{mark}{name}:"
        if isinstance(value, Mapping):
            yield from (f"      {key_text(document)}: {grade}" for document, grade in value.items())
        elif isinstance(value, list):
            yield from (f"      - {flow(label)}" for label in value)
