"""The labels of one foreign row: ids, lists of ids, entries with grades, mappings id -> grade."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from pytest_retrieval.golden.errors import GoldenError
from pytest_retrieval.golden.labels import read_grade
from pytest_retrieval.golden.nodes import ListNode, MappingNode, Node, Scalar, shown
from pytest_retrieval.golden.sources.document_rule import DocumentRule
from pytest_retrieval.golden.sources.imported import missing_role
from pytest_retrieval.golden.sources.roles import (
    PART_NAMES,
    at_path,
    document_of_entry,
    grade_of_entry,
    plain_name,
)
from pytest_retrieval.golden.values import nfc

_TRUTHS = {"true": 1, "yes": 1, "false": 0, "no": 0}


@dataclass(frozen=True, slots=True)
class Label:
    """A document and its grade, None where nobody gave one; the parts of the document that were seen."""

    document: str
    grade: int | None
    parts: frozenset[str] = frozenset()


def labels_of_row(
    path: Path,
    row: MappingNode,
    roles: Mapping[str, str],
    rule: DocumentRule | None,
    list_separator: str | None,
) -> Iterator[Label]:
    """The labels in a row, none where it has no document.

    A grade comes from the role ``grade``, as one value for all or as many as there are
    documents, else from the entry beside its document, else it is 1.
    """
    nodes = at_path(row, roles["relevant"]) if "relevant" in roles else [row]
    nodes = [item for node in nodes for item in (node.items if isinstance(node, ListNode) else [node])]
    grades = at_path(row, roles["grade"]) if "grade" in roles else []
    if len(grades) == 1 and isinstance(grades[0], ListNode):
        grades = grades[0].items
    if len(grades) > 1 and len(grades) != len(nodes):
        raise GoldenError(path, row.line, f"{len(nodes)} documents but {len(grades)} grades")
    for number, node in enumerate(nodes):
        given = grades[number] if len(grades) > 1 else grades[0] if grades else None
        for document, grade, parts in _read(path, row, node, rule, list_separator):
            chosen = grade if grade is not None else given
            if document.strip():
                yield Label(nfc(document.strip()), _grade(path, chosen, document), parts)


def _read(
    path: Path, row: MappingNode, node: Node, rule: DocumentRule | None, list_separator: str | None
) -> Iterator[tuple[str, Node | None, frozenset[str]]]:
    """Documents, their own grades where they have them, and the names of parts beside them."""
    nothing: frozenset[str] = frozenset()
    if rule is not None:

        def find(part: str) -> Node | None:
            return next(iter(at_path(node, part) or at_path(row, part)), None)

        grade = grade_of_entry(node) if isinstance(node, MappingNode) and node is not row else None
        for document in rule.ids(path, node.line, find):
            yield document, grade, nothing
    elif isinstance(node, Scalar):
        if not node.is_null:
            for document in _split(path, node, list_separator):
                yield document, None, nothing
    elif isinstance(node, ListNode):
        for item in node.items:
            yield from _read(path, row, item, rule, list_separator)
    elif (found := document_of_entry(node)) is not None:
        if not isinstance(found, Scalar):
            raise missing_role(path, node.line, "relevant", f"the document of a label is {shown(found)}")
        parts = frozenset(name for name in node.entries if plain_name(name) in PART_NAMES)
        yield found.text, grade_of_entry(node), parts
    elif node.entries and all(isinstance(value, Scalar) for _, value in node.entries.values()):
        for key, value in node.entries.values():
            yield key.text, value, nothing
    else:
        names = ", ".join(map(repr, node.entries)) or "none"
        raise missing_role(path, node.line, "relevant", f"a label without a document (its fields: {names})")


def _split(path: Path, node: Scalar, list_separator: str | None) -> list[str]:
    """The ids in one cell: a JSON or Python list, ids between declared separators, or one id."""
    text = node.text.strip()
    if list_separator:
        return text.split(list_separator)
    if node.plain or not (text.startswith("[") and text.endswith("]")):
        return [text]
    try:
        values = json.loads(text)
    except (ValueError, RecursionError):
        try:
            values = ast.literal_eval(text)  # as pandas writes lists
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            return [text]
    if not isinstance(values, list) or not all(type(value) in (str, int) for value in values):
        raise GoldenError(path, node.line, f"expected a list of ids, found {shown(node)}")
    return [str(value) for value in values]


def _grade(path: Path, node: Node | None, document: str) -> int | None:
    if node is None:
        return 1
    if isinstance(node, Scalar):
        text = node.text.strip()
        if not text or node.is_null:
            return None
        if text.lower() in _TRUTHS:
            return _TRUTHS[text.lower()]
        node = node if text == node.text else node._replace(text=text)
    return read_grade(path, node, repr(document))
