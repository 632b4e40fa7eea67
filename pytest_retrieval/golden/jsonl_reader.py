"""JSONL text -> one raw mapping per line. Numbers keep their text, ``1.0`` stays ``1.0``."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from pytest_retrieval.golden.errors import GoldenError
from pytest_retrieval.golden.nodes import ListNode, MappingNode, Node, Scalar, add_entry, check_depth, scalar


class _Members(list[tuple[str, object]]):
    """The members of one JSON object, duplicates included."""


class _Number(str):
    """The text of a JSON number."""

    __slots__ = ()


class _ConstantError(ValueError):
    """A constant that Python's parser accepts and JSON does not know."""


def _refuse_constant(name: str) -> object:
    raise _ConstantError(f"{name} is no JSON value")


_DECODER = json.JSONDecoder(
    object_pairs_hook=_Members, parse_int=_Number, parse_float=_Number, parse_constant=_refuse_constant
)
_LITERALS = {None: "null", True: "true", False: "false"}


def parse_jsonl(path: Path | str, text: str) -> Iterator[MappingNode]:
    """One mapping per line that is not blank, read as it is asked for; lines end at ``\\n`` alone.

    ``path`` is named in messages. GoldenError at the line of anything that is not one
    JSON object (a JSON array, a broken line, NaN), of a duplicate key and of a lone surrogate.
    """
    for line, written in enumerate(text.split("\n"), start=1):
        content = written.strip(" \t\r")
        if content:
            yield _parse_line(path, content, line)


def _parse_line(path: Path | str, content: str, line: int) -> MappingNode:
    if content[0] != "{":
        found = "the start of a JSON array" if content[0] == "[" else repr(content[:40])
        raise GoldenError(path, line, f"JSONL wants one JSON object per line, found {found}")
    try:
        value = _DECODER.decode(content)
        node = _node(path, value, line, 1)
    except json.JSONDecodeError as error:
        raise GoldenError(
            path,
            line,
            f"broken JSON: {error.msg} at column {error.colno}; JSONL wants one whole JSON object per line",
        ) from None
    except _ConstantError as error:
        raise GoldenError(path, line, str(error)) from None
    except RecursionError:
        raise GoldenError(path, line, "nested too deep") from None
    assert isinstance(node, MappingNode)
    return node


def _node(path: Path | str, value: object, line: int, depth: int) -> Node:
    # The order and the exact types make this loop fast: it runs once per value of the file.
    if type(value) is str:
        return scalar(path, value, False, line)
    if type(value) is _Number:
        return Scalar(str(value), True, line)
    if isinstance(value, list):
        check_depth(path, line, depth)
        if type(value) is _Members:
            mapping = MappingNode(line)
            for key, member in value:
                add_entry(path, mapping, scalar(path, key, False, line), _node(path, member, line, depth + 1))
            return mapping
        return ListNode(line, [_node(path, item, line, depth + 1) for item in value])
    assert value is None or isinstance(value, bool)
    return Scalar(_LITERALS[value], True, line)
