"""The ``relevant`` field of a query -> document ids with grades, and what is known of single labels."""

from __future__ import annotations

from pathlib import Path

from pytest_retrieval.golden.errors import GoldenError
from pytest_retrieval.golden.fields import LABEL_KEYS
from pytest_retrieval.golden.model import Judging
from pytest_retrieval.golden.nodes import ListNode, MappingNode, Node, Scalar
from pytest_retrieval.golden.values import nfc, text_value, whole_number

MAX_GRADE = 100
"""Grades run from -100 to 100."""

_GRADES = {str(grade): grade for grade in range(-MAX_GRADE, MAX_GRADE + 1)}  # as nearly all are written

_EXPECTED = "expected {id: ..., grade: ...}, with judged_version and owner where they are known"


def read_labels(path: Path | str, node: Node) -> tuple[dict[str, int], dict[str, Judging]]:
    """Document id (NFC) -> grade, in the order of the file, and what is known of single labels.

    ``node`` is a list of ids (grade 1), a list of mappings ``{id, grade}``, a mapping
    id -> grade, one id, or null for none. A mapping ``{id, grade, judged_version, owner}``
    may stand for an id in a list, and, without its id, for a grade. GoldenError for a null
    or empty id, a grade that is no whole number, and a document that is listed twice.
    """
    labels: dict[str, int] = {}
    judgings: dict[str, Judging] = {}
    if isinstance(node, Scalar) and node.is_null:
        return labels, judgings
    if isinstance(node, MappingNode):
        for key, value in node.entries.values():
            if isinstance(value, MappingNode):
                _add_told(path, labels, judgings, key, value, LABEL_KEYS[1:])
            else:
                _add(path, labels, key, read_grade(path, value, repr(key.text)))
    elif isinstance(node, ListNode):
        for item in node.items:
            if isinstance(item, MappingNode):
                document = item.entries.get("id")
                if document is None:
                    raise GoldenError(path, item.line, f"an entry of relevant has no id; {_EXPECTED}")
                _add_told(path, labels, judgings, document.value, item, LABEL_KEYS)
            else:
                _add(path, labels, item, 1)
    else:
        _add(path, labels, node, 1)
    return labels, judgings


def _add_told(
    path: Path | str,
    labels: dict[str, int],
    judgings: dict[str, Judging],
    document: Node,
    item: MappingNode,
    known: tuple[str, ...],
) -> None:
    """Add a label that is written as a mapping."""
    stray = next((entry.key for name, entry in item.entries.items() if name not in known), None)
    if stray is not None:
        raise GoldenError(path, stray.line, f"an entry of relevant has the key {stray.text!r}; {_EXPECTED}")
    grade = item.entries.get("grade")
    added = _add(
        path, labels, document, 1 if grade is None else read_grade(path, grade.value, "an entry of relevant")
    )
    version, owner = (
        text_value(path, item.entries[name].value, f"{name} of {added!r}") if name in item.entries else None
        for name in LABEL_KEYS[2:]
    )
    if version is not None or owner is not None:
        judgings[added] = Judging(version, owner)


def read_grade(path: Path | str, node: Node, document: str) -> int:
    """A whole number from -100 to 100; ``document`` (or a description) is named in the message."""
    known = _GRADES.get(node.text) if isinstance(node, Scalar) else None
    if known is not None:
        return known
    return whole_number(path, node, f"the grade of {document}", -MAX_GRADE, MAX_GRADE)


def _add(path: Path | str, labels: dict[str, int], node: Node, grade: int) -> str:
    written = text_value(path, node, "a document id in relevant")
    document = nfc(written)
    if document in labels:
        same = "" if document == written else " (the same text in another Unicode form)"
        raise GoldenError(path, node.line, f"relevant lists the document {document!r} twice{same}")
    labels[document] = grade
    return document
