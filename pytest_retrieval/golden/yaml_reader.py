"""YAML text -> raw tree. No tag is resolved, so that ``007``, ``no`` and ``1e5`` stay text."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import yaml

from pytest_retrieval.golden.errors import GoldenError
from pytest_retrieval.golden.nodes import (
    ListNode,
    MappingNode,
    Node,
    Scalar,
    add_entry,
    check_depth,
    scalar,
    shown,
)

MAX_EXPANSION = 1_000_000
"""How many values the aliases of one file may stand for."""

# Only its events are used: libyaml's parser where PyYAML was built with it.
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

_UNPRINTABLE = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ufffd\U00010000-\U0010ffff]")
_FOREIGN_BREAKS = "\x85\u2028\u2029"


def parse_yaml(path: Path | str, text: str) -> Node | None:
    """The one document of a YAML text, None when the text holds none.

    ``path`` is named in messages. GoldenError for a syntax error, an explicit tag, a
    merge key, a second document, a duplicate key, a recursive alias, aliases that stand
    for more than :data:`MAX_EXPANSION` values, and values nested too deep.
    """
    bad = _UNPRINTABLE.search(text)
    if bad:
        bad_line = text.count("\n", 0, bad.start()) + 1
        raise GoldenError(path, bad_line, f"holds the control character U+{ord(bad[0]):04X}; remove it")
    masked, unmask = mask_foreign_breaks(text)
    loader = _LOADER(masked)
    try:
        return _TreeBuilder(path, unmask).build(iter(loader.get_event, None))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        message = ", ".join(part for part in (error.context, error.problem) if part)
        line = mark.line + 1 if mark else None
        raise GoldenError(path, line, f"broken YAML: {message}{_tab_hint(masked, line)}") from None
    except (yaml.YAMLError, ValueError, OverflowError) as error:
        # The pure Python parser lets impossible escapes and version numbers through as ValueError.
        raise GoldenError(path, getattr(loader, "line", -1) + 1, f"broken YAML: {error}") from None
    finally:
        loader.dispose()


def mask_foreign_breaks(text: str) -> tuple[str, dict[int, str]]:
    """The text with U+0085, U+2028 and U+2029 as unused characters, and the way back.

    They are text in YAML 1.2 and in every editor's line count, but PyYAML follows 1.1,
    where they end lines: strings would be folded, comments cut and lines miscounted.
    """
    present = [char for char in _FOREIGN_BREAKS if char in text]
    if not present:
        return text, {}
    unused = (char for char in map(chr, range(0xE000, 0xF900)) if char not in text)  # private use
    masks = {ord(char): next(unused) for char in present}
    return text.translate(masks), {ord(mask): chr(code) for code, mask in masks.items()}


def _tab_hint(text: str, line: int | None) -> str:
    lines = text.splitlines()
    if line is None or line > len(lines):
        return ""
    indent = re.match(r"[\s-]*", lines[line - 1])
    return " (YAML is indented with spaces, not tabs)" if indent and "\t" in indent[0] else ""


class _Open:
    """A list or mapping whose end has not been read yet."""

    __slots__ = ("anchor", "height", "key", "node", "size")

    def __init__(self, node: ListNode | MappingNode, anchor: str | None) -> None:
        self.node, self.anchor = node, anchor
        self.key: Scalar | None = None
        self.size = self.height = 1


class _TreeBuilder:
    """Turns the parser's events into one tree, without recursion."""

    def __init__(self, path: Path | str, unmask: dict[int, str]) -> None:
        self.path, self.unmask = path, unmask
        self.root: Node | None = None
        self.open: list[_Open] = []
        self.anchor_lines: dict[str, int] = {}
        self.anchored: dict[str, tuple[Node, int, int]] = {}
        self.expansion = 0

    def build(self, events: Iterable[Any]) -> Node | None:
        documents = 0
        for event in events:
            line = event.start_mark.line + 1
            if isinstance(event, yaml.ScalarEvent):
                if event.tag is not None or event.anchor is not None:
                    self.check_properties(event, line)
                text = event.value.translate(self.unmask) if self.unmask else event.value
                node = scalar(self.path, text, not event.style, line)
                self.finish(node, 1, 0, event.anchor)
            elif isinstance(event, (yaml.MappingStartEvent, yaml.SequenceStartEvent)):
                self.check_properties(event, line)
                check_depth(self.path, line, len(self.open) + 1)
                is_mapping = isinstance(event, yaml.MappingStartEvent)
                self.open.append(_Open(MappingNode(line) if is_mapping else ListNode(line), event.anchor))
            elif isinstance(event, (yaml.MappingEndEvent, yaml.SequenceEndEvent)):
                done = self.open.pop()
                self.finish(done.node, done.size, done.height, done.anchor)
            elif isinstance(event, yaml.AliasEvent):
                self.expand(event.anchor, line)
            elif isinstance(event, yaml.DocumentStartEvent):
                documents += 1
                if documents > 1:
                    raise GoldenError(
                        self.path, line, "a second document begins here; a golden set is one document"
                    )
        return self.root

    def check_properties(self, event: Any, line: int) -> None:
        if event.tag is not None:
            tag = event.tag.replace("tag:yaml.org,2002:", "!!")
            raise GoldenError(self.path, line, f"YAML tags such as {tag!r} are not supported; remove it")
        if event.anchor is not None:
            if event.anchor in self.anchor_lines:
                first = self.anchor_lines[event.anchor]
                raise GoldenError(
                    self.path, line, f"the anchor &{event.anchor} is already defined on line {first}"
                )
            self.anchor_lines[event.anchor] = line

    def expand(self, anchor: Any, line: int) -> None:
        if anchor not in self.anchored:
            wrong = "stands inside itself" if anchor in self.anchor_lines else "has no anchor before it"
            raise GoldenError(self.path, line, f"the alias *{anchor} {wrong}")
        node, size, height = self.anchored[anchor]
        self.expansion += size
        if self.expansion > MAX_EXPANSION:
            raise GoldenError(self.path, line, f"the aliases stand for more than {MAX_EXPANSION:,} values")
        check_depth(self.path, line, len(self.open) + height)
        self.attach(node, size, height, line)

    def finish(self, node: Node, size: int, height: int, anchor: str | None) -> None:
        if anchor is not None:
            self.anchored[anchor] = (node, size, height)
        self.attach(node, size, height, node.line)

    def attach(self, node: Node, size: int, height: int, line: int) -> None:
        if not self.open:
            self.root = node
            return
        parent = self.open[-1]
        parent.size += size
        parent.height = max(parent.height, height + 1)
        if isinstance(parent.node, ListNode):
            parent.node.items.append(node)
        elif parent.key is not None:
            add_entry(self.path, parent.node, parent.key, node)
            parent.key = None
        elif not isinstance(node, Scalar):
            raise GoldenError(self.path, line, f"a key must be text, found {shown(node)}")
        elif node.plain and node.text == "<<":
            raise GoldenError(self.path, line, "merge keys (<<) are not supported; write the fields out")
        else:
            parent.key = Scalar(node.text, node.plain, line)
