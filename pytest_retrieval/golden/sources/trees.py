"""JSON and JSON lines: an array of objects, one that is wrapped, or a mapping id -> object, as rows."""

from __future__ import annotations

from pathlib import Path

from pytest_retrieval.golden.errors import GoldenError
from pytest_retrieval.golden.nodes import Entry, ListNode, MappingNode, Node, Scalar, shown


def rows_of_tree(path: Path, root: Node) -> tuple[list[MappingNode], str]:
    """The objects that are the questions, and how they stand in the file.

    GoldenError with the line where there are none, or where several lists could be meant.
    """
    if isinstance(root, ListNode):
        return _objects(path, root), "JSON array"
    if not isinstance(root, MappingNode):
        raise GoldenError(path, 1, f"holds {shown(root)}, expected an array or an object")
    lists = {
        name: entry.value
        for name, entry in root.entries.items()
        if isinstance(entry.value, ListNode)
        and any(isinstance(item, MappingNode) for item in entry.value.items)
    }
    if len(lists) == 1:
        ((name, rows),) = lists.items()
        return _objects(path, rows), f"JSON array under {name!r}"
    if lists:
        names = ", ".join(map(repr, lists))
        raise GoldenError(path, root.line, f"holds several arrays ({names}); keep the one with the questions")
    mappings = {
        name: entry.value for name, entry in root.entries.items() if isinstance(entry.value, MappingNode)
    }
    if len(mappings) == len(root.entries) == 1:
        return rows_of_tree(path, next(iter(mappings.values())))
    if mappings and len(mappings) == len(root.entries):
        return [_with_id(name, row) for name, row in mappings.items()], "JSON object of questions by id"
    raise GoldenError(path, root.line, "holds no array of objects; expected the questions as one")


def _objects(path: Path, rows: ListNode) -> list[MappingNode]:
    stray = next((row for row in rows.items if not isinstance(row, MappingNode)), None)
    if stray is not None:
        raise GoldenError(path, stray.line, f"a question must be an object, found {shown(stray)}")
    return [row for row in rows.items if isinstance(row, MappingNode)]


def _with_id(name: str, row: MappingNode) -> MappingNode:
    if "id" in row.entries:
        return row
    key = Entry(Scalar("id", True, row.line), Scalar(name, False, row.line))
    return MappingNode(row.line, {"id": key, **row.entries})
