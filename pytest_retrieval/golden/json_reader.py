"""JSON text -> raw tree with the line of every value. Numbers keep their text, ``1.0`` stays ``1.0``."""

from __future__ import annotations

import json
import re
from pathlib import Path

from pytest_retrieval.golden.errors import GoldenError
from pytest_retrieval.golden.nodes import (
    ListNode,
    MappingNode,
    Node,
    Scalar,
    add_entry,
    check_depth,
    scalar,
)

_TOKEN = re.compile(
    r"""(?P<space>[ \t\r\n]+)|"(?P<string>(?:[^"\\\x00-\x1f]|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})*)"|"""
    r"(?P<mark>[{}\[\],:])|(?P<word>-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?(?![\w.])|"
    r"(?:true|false|null)(?!\w))"
)


def parse_json(path: Path | str, text: str) -> Node:
    """The tree of one JSON text; ``path`` is named in messages.

    GoldenError, at its line, for broken JSON, a duplicate key, a lone surrogate, and values
    nested too deep.
    """
    return _Parser(path, text).parse()


class _Parser:
    """Reads token by token, with a stack in place of recursion."""

    def __init__(self, path: Path | str, text: str) -> None:
        self.path, self.text = path, text
        self.position, self.line = 0, 1

    def parse(self) -> Node:
        open_nodes: list[tuple[ListNode | MappingNode, Scalar | None]] = []
        key: Scalar | None = None
        kind, token = self.next_token()
        while True:
            # Here a value is due.
            node: Node
            if token == "{" and kind == "mark":
                check_depth(self.path, self.line, len(open_nodes) + 1)
                node = MappingNode(self.line)
                kind, token = self.next_token()
                if (kind, token) != ("mark", "}"):
                    open_nodes.append((node, key))
                    key = self.key(kind, token)
                    kind, token = self.next_token()
                    continue
            elif token == "[" and kind == "mark":
                check_depth(self.path, self.line, len(open_nodes) + 1)
                node = ListNode(self.line)
                kind, token = self.next_token()
                if (kind, token) != ("mark", "]"):
                    open_nodes.append((node, key))
                    key = None
                    continue
            elif kind == "string":
                node = self.string(token)
            elif kind == "word":
                node = Scalar(token, True, self.line)
            else:
                raise self.broken(token, "a value")
            # The value is whole; so may be what it closes.
            while open_nodes:
                parent, parent_key = open_nodes[-1]
                if isinstance(parent, ListNode):
                    parent.items.append(node)
                    end = "]"
                else:
                    assert key is not None
                    add_entry(self.path, parent, key, node)
                    end = "}"
                kind, token = self.next_token()
                if (kind, token) == ("mark", ","):
                    kind, token = self.next_token()
                    if isinstance(parent, MappingNode):
                        key = self.key(kind, token)
                        kind, token = self.next_token()
                    break
                if (kind, token) != ("mark", end):
                    raise self.broken(token, f"a comma or {end!r}")
                node, key = parent, parent_key
                open_nodes.pop()
            else:
                kind, token = self.next_token()
                if kind != "end":
                    raise self.broken(token, "the end of the file")
                return node

    def key(self, kind: str, token: str) -> Scalar:
        if kind != "string":
            raise self.broken(token, "a key in double quotes")
        key = self.string(token)
        kind, token = self.next_token()
        if (kind, token) != ("mark", ":"):
            raise self.broken(token, "a colon")
        return key

    def string(self, token: str) -> Scalar:
        text = json.loads(f'"{token}"') if "\\" in token else token
        return scalar(self.path, text, False, self.line)

    def next_token(self) -> tuple[str, str]:
        while self.position < len(self.text):
            match = _TOKEN.match(self.text, self.position)
            if match is None:
                raise self.broken(self.text[self.position :], "JSON")
            self.position = match.end()
            kind = match.lastgroup or "string"
            if kind != "space":
                return kind, match[kind]
            self.line += match[0].count("\n")
        return "end", ""

    def broken(self, token: str, expected: str) -> GoldenError:
        found = repr(token[:40]) if token else "the end of the file"
        return GoldenError(self.path, self.line, f"broken JSON: found {found}, expected {expected}")
