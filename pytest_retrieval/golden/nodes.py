"""The raw tree of a YAML or JSON text: every scalar as it was written, with its line."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, TypeAlias

from pytest_retrieval.golden.errors import GoldenError

MAX_DEPTH = 100
"""How deep lists and mappings may be nested; far below Python's own recursion limit."""

_NULLS = frozenset({"", "~", "null", "Null", "NULL"})


class Scalar(NamedTuple):
    """One value that is no list and no mapping.

    ``text`` is the text exactly as written (``007``, ``1e5``), without quotes. ``plain``
    tells that it stood without quotes: a number, ``true``, ``null`` or, in YAML, a word.
    ``line`` is 1-based.
    """

    text: str
    plain: bool
    line: int

    @property
    def is_null(self) -> bool:
        """Whether nothing is written here: ``null``, ``~`` or an empty place."""
        return self.plain and self.text in _NULLS


@dataclass(frozen=True, slots=True)
class ListNode:
    """A list; ``line`` is the 1-based line of its beginning."""

    line: int
    items: list[Node] = field(default_factory=list)


class Entry(NamedTuple):
    """One key of a mapping with its value."""

    key: Scalar
    value: Node


@dataclass(frozen=True, slots=True)
class MappingNode:
    """A mapping in the order of the file; ``entries`` is keyed by the text of the key."""

    line: int
    entries: dict[str, Entry] = field(default_factory=dict)


Node: TypeAlias = Scalar | ListNode | MappingNode


def scalar(path: Path | str, text: str, plain: bool, line: int) -> Scalar:
    """A scalar whose text can be written to a file; GoldenError for a lone surrogate."""
    if not text.isascii():
        try:
            text.encode("utf-8")
        except UnicodeEncodeError as error:
            unit = f"\\u{ord(text[error.start]):04x}"
            raise GoldenError(
                path, line, f"{unit} is half of a character (a lone surrogate); write both halves or drop it"
            ) from None
    return Scalar(text, plain, line)


def add_entry(path: Path | str, mapping: MappingNode, key: Scalar, value: Node) -> None:
    """Append one entry; GoldenError at the line of a key that is already there."""
    if key.text in mapping.entries:
        first = mapping.entries[key.text]
        where = "" if first.key.line == key.line else f" (first on line {first.key.line})"
        raise GoldenError(path, key.line, f"the key {shown(key)} appears twice{where}; keep one of them")
    mapping.entries[key.text] = Entry(key, value)


def check_depth(path: Path | str, line: int, depth: int) -> None:
    """GoldenError when ``depth`` nested lists and mappings are more than a golden set needs."""
    if depth > MAX_DEPTH:
        raise GoldenError(path, line, f"nested more than {MAX_DEPTH} levels deep")


def shown(node: Node) -> str:
    """What was found, for a message: the quoted text (shortened), or the sort of value."""
    if isinstance(node, ListNode):
        return "a list"
    if isinstance(node, MappingNode):
        return "a mapping"
    if node.is_null:
        return "nothing (null)"
    return repr(node.text if len(node.text) <= 60 else node.text[:57] + "...")
