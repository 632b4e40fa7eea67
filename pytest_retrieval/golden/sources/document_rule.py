"""The rule that makes document ids of a label's parts: file, page, range of pages, span."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from pytest_retrieval.golden.errors import GoldenError
from pytest_retrieval.golden.nodes import ListNode, MappingNode, Node, Scalar, shown
from pytest_retrieval.golden.values import nfc

MOST_IDS = 1_000
"""How many documents one label may stand for: a range of more pages is a mistake."""

_PART = re.compile(r"\{(?P<path>[^{}:]+)(?::(?P<way>[^{}]*))?\}")
_RANGE = re.compile(r"\s*([0-9]{1,9})\s*(?:[-–]\s*([0-9]{1,9})\s*)?")
_CHUNKS = re.compile(r"chunks=([1-9][0-9]{0,8})")

Find = Callable[[str], Node | None]


@dataclass(frozen=True, slots=True)
class DocumentRule:
    """Text with places: ``{file}#{page}``, ``{file}#{pages:pages}``, ``{file}#{span:chunks=500}``.

    ``{path}`` stands for a value, or for each value of a list. ``:pages`` reads ``3-5, 8`` as
    the pages 3, 4, 5 and 8. ``:chunks=N`` reads a span of characters, from ``120-1340`` or a
    pair (the end is not part of it), as the numbers, from 0, of the pieces of N characters
    that it touches.
    """

    text: str

    def __post_init__(self) -> None:
        """Raise ValueError for a rule without a place and for an unknown way to read a value."""
        parts = list(_PART.finditer(self.text))
        if not parts or set("{}") & set(_PART.sub("", self.text)):
            raise ValueError(
                f"{self.text!r} is no rule; expected text with places, as in '{{file}}#{{page}}'"
            )
        for part in parts:
            way = part["way"]
            if way not in (None, "pages") and not _CHUNKS.fullmatch(way):
                raise ValueError(f"{self.text!r}: {way!r} is unknown; expected pages or chunks=500")

    def ids(self, path: Path, line: int, find: Find) -> tuple[str, ...]:
        """The ids that one label stands for; ``find`` gives the value at a path.

        GoldenError for a part that is absent, no range, or of more than :data:`MOST_IDS` documents.
        """
        choices = []
        count = 1
        for part in _PART.finditer(self.text):
            node = find(part["path"])
            if node is None or (isinstance(node, Scalar) and (node.is_null or not node.text.strip())):
                raise GoldenError(
                    path, line, f"the rule {self.text!r} needs {part['path']!r}, which is not here"
                )
            values = list(_values(path, node, part["way"], part["path"]))
            count *= len(values)
            if count > MOST_IDS or not values:
                raise GoldenError(
                    path,
                    node.line,
                    f"{part['path']} stands for {count} documents, expected 1 to {MOST_IDS:,}",
                )
            choices.append(values)
        literals = _PART.split(self.text)[::3]
        return tuple(
            nfc("".join(text for pair in zip(literals, (*chosen, ""), strict=True) for text in pair))
            for chosen in product(*choices)
        )


def _values(path: Path, node: Node, way: str | None, name: str) -> Iterator[str]:
    chunks = _CHUNKS.fullmatch(way) if way else None
    if chunks:
        start, end = _span(path, node, name)
        size = int(chunks[1])
        yield from map(str, _numbers(path, node, name, start // size, (end - 1) // size))
        return
    for item in node.items if isinstance(node, ListNode) else [node]:
        if not isinstance(item, Scalar):
            raise GoldenError(
                path, item.line, f"{name} must be text, a number or a list, found {shown(item)}"
            )
        if way is None:
            yield item.text
            continue
        for part in item.text.split(","):
            match = _RANGE.fullmatch(part)
            if not match:
                raise GoldenError(
                    path, item.line, f"{name} must be pages such as '3-5, 8', found {shown(item)}"
                )
            yield from map(str, _numbers(path, item, name, int(match[1]), int(match[2] or match[1])))


def _span(path: Path, node: Node, name: str) -> tuple[int, int]:
    if isinstance(node, MappingNode):
        ends = [node.entries[key].value for key in ("start", "end") if key in node.entries]
    else:
        ends = node.items if isinstance(node, ListNode) else []
    texts = [end.text for end in ends if isinstance(end, Scalar)]
    match = _RANGE.fullmatch("-".join(texts) if len(texts) == len(ends) == 2 else getattr(node, "text", ""))
    if not match or match[2] is None or int(match[2]) <= int(match[1]):
        raise GoldenError(path, node.line, f"{name} must be a span such as '120-1340', found {shown(node)}")
    return int(match[1]), int(match[2])


def _numbers(path: Path, node: Node, name: str, first: int, last: int) -> range:
    if not 0 <= last - first < MOST_IDS:
        raise GoldenError(
            path, node.line, f"{name} goes from {first} to {last}; expected 1 to {MOST_IDS:,} of them"
        )
    return range(first, last + 1)
