"""The ``relevant`` field of a query -> document ids with grades."""

from __future__ import annotations

from pathlib import Path

from pytest_retrieval.golden.errors import GoldenError
from pytest_retrieval.golden.nodes import ListNode, MappingNode, Node, Scalar
from pytest_retrieval.golden.values import nfc, text_value, whole_number

MAX_GRADE = 100
"""Grades run from -100 to 100."""


def read_labels(path: Path | str, node: Node) -> dict[str, int]:
    """Document id (NFC) -> grade, in the order of the file.

    ``node`` is a list of ids (grade 1), a list of mappings ``{id, grade}``, a mapping
    id -> grade, one id, or null for none. GoldenError for a null or empty id, a grade
    that is no whole number, and a document that is listed twice.
    """
    labels: dict[str, int] = {}
    if isinstance(node, Scalar) and node.is_null:
        return labels
    if isinstance(node, MappingNode):
        for key, value in node.entries.values():
            _add(path, labels, key, _grade(path, value, key.text))
    elif isinstance(node, ListNode):
        for item in node.items:
            if isinstance(item, MappingNode):
                _add(path, labels, *_graded(path, item))
            else:
                _add(path, labels, item, 1)
    else:
        _add(path, labels, node, 1)
    return labels


def _graded(path: Path | str, item: MappingNode) -> tuple[Node, int]:
    document = item.entries.get("id")
    stray = next((entry.key for name, entry in item.entries.items() if name not in ("id", "grade")), None)
    if document is None or stray is not None:
        found = f"the key {stray.text!r}" if stray else "no id"
        line = stray.line if stray else item.line
        raise GoldenError(path, line, f"an entry of relevant has {found}; expected {{id: ..., grade: ...}}")
    grade = item.entries.get("grade")
    return document.value, 1 if grade is None else _grade(path, grade.value, "an entry of relevant")


def _grade(path: Path | str, node: Node, document: str) -> int:
    return whole_number(path, node, f"the grade of {document!r}", -MAX_GRADE, MAX_GRADE)


def _add(path: Path | str, labels: dict[str, int], node: Node, grade: int) -> None:
    written = text_value(path, node, "a document id in relevant")
    document = nfc(written)
    if document in labels:
        same = "" if document == written else " (the same text in another Unicode form)"
        raise GoldenError(path, node.line, f"relevant lists the document {document!r} twice{same}")
    labels[document] = grade
