"""Questions and labels that stay in the files of others: ``queries:`` and ``qrels:`` of a header."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from pytest_retrieval.golden.build import build_query
from pytest_retrieval.golden.errors import GoldenError, InputError
from pytest_retrieval.golden.fields import ALIASES, has_role
from pytest_retrieval.golden.model import Header, Query
from pytest_retrieval.golden.nodes import Entry, MappingNode, Node, Scalar
from pytest_retrieval.golden.qrels import read_qrels
from pytest_retrieval.golden.topics import read_topics
from pytest_retrieval.golden.values import nfc

_Read = TypeVar("_Read")

Labels = Mapping[str, Mapping[str, int]]


def is_file_name(node: Node) -> bool:
    """Whether ``queries`` names a file in place of a list."""
    return isinstance(node, Scalar) and node.text.strip() != "" and not node.is_null


def queries_in_place(
    path: Path, header: Header, entries: Mapping[str, Entry], rows: Iterable[Node]
) -> tuple[tuple[Query, ...], tuple[str, ...]]:
    """The queries of a header that names a file of questions, a file of labels, or both, and notes.

    ``rows`` are the questions of the golden set itself, used where the header names no file.
    A question that the labels do not judge, or only with grades of 0 or less, is left out,
    as trec_eval does, and told in a note. Raises GoldenError, also when nothing is left.
    """
    source, line = path, None
    if header.queries:
        source, line = path.parent / header.queries, entries["queries"].key.line
        rows = _named(path, line, "queries must be a list of queries or a file", read_topics, source)
    qrels: Labels | None = None
    by = "id"
    if header.qrels:
        file, by = path.parent / header.qrels.file, header.qrels.by
        qrels = _named(path, entries["qrels"].key.line, "qrels must be a file", read_qrels, file)
    queries, notes = join(source, rows, qrels, by)
    if line is not None:
        # The golden set is what the messages name, so the line must be one of its own.
        queries = [replace(query, line=line) for query in queries]
    return tuple(queries), notes


def join(
    source: Path, rows: Iterable[Node], qrels: Labels | None, by: str
) -> tuple[list[Query], tuple[str, ...]]:
    """Questions with their labels, and notes on what was left out.

    ``by`` is the field of a question that the labels know it by; several questions may share
    its value. ``qrels`` None leaves the labels to the questions' own ``relevant``.
    """
    queries: dict[str, Query] = {}
    unjudged: list[str] = []
    fruitless: list[str] = []
    used: set[str] = set()
    for row in rows:
        if qrels is not None and isinstance(row, MappingNode):
            name = _key(source, row, by)
            used.add(name)
            labels = qrels.get(name)
            if not labels or max(labels.values()) <= 0:
                (fruitless if labels else unjudged).append(name)
                continue
            query = build_query(source, _labelled(source, row, labels))
        else:
            query = build_query(source, row)
        if query.id in queries:
            raise GoldenError(source, query.line, f"the query id {query.id!r} is used twice")
        queries[query.id] = query
    orphans = sorted(set(qrels or ()) - used)
    if qrels and not queries:
        first = next(iter(qrels))
        seen = f", such as {min(used)!r}," if used else ""
        raise GoldenError(
            source,
            None,
            f"none of its {len(used)} questions{seen} has a relevant label: the labels speak of {first!r} "
            f"and the like, compared with the field {by!r}; name another one: qrels: {{file: ..., by: ...}}",
        )
    notes = [
        f"{len(names)} {what}, {names[0]!r} first"
        for names, what in (
            (unjudged, "questions without any label were left out"),
            (fruitless, "questions with grades of 0 or less only were left out"),
            (orphans, "labelled ids belong to no question"),
        )
        if names
    ]
    return list(queries.values()), tuple(notes)


def _key(path: Path, row: MappingNode, by: str) -> str:
    names = ALIASES["id"] if by == "id" else (by,)
    entry = next((row.entries[name] for name in names if name in row.entries), None)
    if entry is None or not isinstance(entry.value, Scalar):
        raise GoldenError(path, row.line, f"a question without the field {by!r}, which its labels need")
    return nfc(entry.value.text)


def _labelled(path: Path, row: MappingNode, labels: Mapping[str, int]) -> MappingNode:
    if has_role(row, "relevant"):
        raise GoldenError(path, row.line, "a question with labels of its own beside qrels; keep one of them")
    line = row.line
    relevant = MappingNode(
        line,
        {
            document: Entry(Scalar(document, False, line), Scalar(str(grade), True, line))
            for document, grade in labels.items()
        },
    )
    return MappingNode(line, {**row.entries, "relevant": Entry(Scalar("relevant", True, line), relevant)})


def _named(path: Path, line: int, rule: str, read: Callable[[Path], _Read], file: Path) -> _Read:
    """Read a file that the header names; when it is not there, the header's line is told."""
    if not file.is_file():
        raise GoldenError(path, line, f"{rule}; there is no {file.name!r} at {file.parent}")
    try:
        return read(file)
    except InputError as error:
        raise GoldenError(error.path, error.line, error.message) from None
