"""Fields of the relevant documents, such as version or language, as fields of their queries."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path

from pytest_retrieval.golden.documents import corpus_rows, find_files, is_corpus
from pytest_retrieval.golden.errors import GoldenError
from pytest_retrieval.golden.model import GoldenSet, Query
from pytest_retrieval.golden.nodes import MappingNode, Node
from pytest_retrieval.golden.values import plain_data

_METADATA = "metadata"
_OWN = ("kind", "tags", "split")

Fields = Mapping[str, Mapping[str, tuple[str, ...]]]
"""Document id -> field -> its values as text."""


def with_document_fields(golden: GoldenSet, document_id: re.Pattern[str] | None) -> GoldenSet:
    """The golden set with the fields that its header slices on, where a query takes them from documents.

    A query that lacks such a field gets the values that its relevant documents (grade above 0) have
    in a JSONL corpus of ``documents:``, as a field of the entry or of its ``metadata``. The corpus is
    read only if some query lacks a field. ``document_id`` is a pattern whose first group is the
    document of an entry. GoldenError where the corpus cannot be read.
    """
    header = golden.header
    names = [
        name
        for name in dict.fromkeys((*header.slices, *header.gate.slices))
        if name not in _OWN and any(name not in query.metadata for query in golden.queries)
    ]
    if not names or not header.documents or golden.path is None:
        return golden
    try:
        files = find_files(golden.path.parent, header.documents)
    except GoldenError as error:
        raise GoldenError(golden.path, header.lines.get("documents"), error.message) from None
    fields: dict[str, dict[str, tuple[str, ...]]] = {}
    for file in files:
        if is_corpus(file):
            _add_fields(fields, golden.path.parent / file, names, document_id)
    return replace(golden, queries=tuple(_with_fields(query, names, fields) for query in golden.queries))


def _add_fields(
    fields: dict[str, dict[str, tuple[str, ...]]],
    path: Path,
    names: Collection[str],
    document_id: re.Pattern[str] | None,
) -> None:
    """Add what the entries of one corpus say; several entries of a document add up."""
    for document, row in corpus_rows(path):
        match = document_id.search(document) if document_id else None
        known = fields.setdefault(match[1] if match and match[1] is not None else document, {})
        for name in names:
            node = _field(row, name)
            values = () if node is None else _texts(plain_data(path, node))
            known[name] = tuple(dict.fromkeys((*known.get(name, ()), *values)))


def _field(row: MappingNode, name: str) -> Node | None:
    metadata = row.entries.get(_METADATA)
    blocks = [row, metadata.value if metadata else None]
    return next(
        (one.entries[name].value for one in blocks if isinstance(one, MappingNode) and name in one.entries),
        None,
    )


def _texts(value: object) -> tuple[str, ...]:
    many = value if isinstance(value, list) else [value]
    return tuple(str(one) for one in many if one is not None and not isinstance(one, (dict, list)))


def _with_fields(query: Query, names: Collection[str], fields: Fields) -> Query:
    wanted = [document for document, grade in query.relevant.items() if grade > 0]
    added = {
        name: list(dict.fromkeys(value for one in wanted for value in fields.get(one, {}).get(name, ())))
        for name in names
        if name not in query.metadata
    }
    return replace(query, metadata={**query.metadata, **{name: many for name, many in added.items() if many}})
