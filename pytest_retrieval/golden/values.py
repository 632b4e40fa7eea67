"""Raw nodes -> checked values; every error names the place, what was found and what was expected."""

from __future__ import annotations

import math
import re
import unicodedata
from pathlib import Path

from pytest_retrieval.golden.errors import GoldenError
from pytest_retrieval.golden.nodes import ListNode, MappingNode, Node, Scalar, shown

_JSON_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_WHOLE = re.compile(r"([+-]?[0-9]{1,18})(?:\.0*)?")

# The three spellings of YAML 1.2; an "off" or "no" is text, but a "False" must not be true.
_BOOLEANS = {
    "true": True,
    "True": True,
    "TRUE": True,
    "false": False,
    "False": False,
    "FALSE": False,
}


def nfc(text: str) -> str:
    """``text`` under Unicode NFC, the form in which ids are compared."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def text_value(path: Path | str, node: Node, what: str) -> str:
    """The text of a scalar as written; GoldenError for null, blank text, a list or a mapping."""
    if not isinstance(node, Scalar):
        raise GoldenError(path, node.line, f"{what} must be text, found {shown(node)}")
    if node.is_null or not node.text.strip():
        found = "nothing (null)" if node.is_null else "empty text"
        raise GoldenError(path, node.line, f"{what} must be text, found {found}")
    return node.text


def name_list(path: Path | str, node: Node, what: str) -> tuple[str, ...]:
    """The names of a list, or of one text separated by commas; at least one, none of them empty."""
    if isinstance(node, ListNode):
        names = tuple(text_value(path, item, f"an entry of {what}") for item in node.items)
        if not names:
            raise GoldenError(path, node.line, f"{what} is an empty list; name at least one or leave it out")
        return names
    if isinstance(node, MappingNode):
        raise GoldenError(
            path, node.line, f"{what} must be a list or names separated by commas, found a mapping"
        )
    parts = [part.strip() for part in text_value(path, node, what).split(",")]
    if not all(parts):
        raise GoldenError(path, node.line, f"{what} has an empty name in {shown(node)}")
    return tuple(parts)


def mapping_value(path: Path | str, node: Node, what: str) -> MappingNode:
    """``node`` when it is a mapping, GoldenError otherwise."""
    if not isinstance(node, MappingNode):
        raise GoldenError(path, node.line, f"{what} must be a mapping, found {shown(node)}")
    return node


def boolean(path: Path | str, node: Node, what: str) -> bool:
    """True or false, written without quotes."""
    value = _BOOLEANS.get(node.text) if isinstance(node, Scalar) and node.plain else None
    if value is None:
        raise GoldenError(path, node.line, f"{what} must be true or false, found {shown(node)}")
    return value


def whole_number(path: Path | str, node: Node, what: str, low: int, high: int | None = None) -> int:
    """A whole number from ``low`` to ``high``; ``2.0`` and a quoted ``"2"`` are whole too."""
    match = _WHOLE.fullmatch(node.text) if isinstance(node, Scalar) else None
    value = int(match[1]) if match else None
    if value is None or value < low or (high is not None and value > high):
        span = f"of at least {low}" if high is None else f"from {low} to {high}"
        raise GoldenError(path, node.line, f"{what} must be a whole number {span}, found {shown(node)}")
    return value


def fraction(path: Path | str, node: Node, what: str) -> float:
    """A number from 0 to 1, written without quotes."""
    plain = isinstance(node, Scalar) and node.plain and _NUMBER.fullmatch(node.text) is not None
    value = float(node.text) if plain and isinstance(node, Scalar) else None
    if value is None or not 0 <= value <= 1:
        raise GoldenError(path, node.line, f"{what} must be a number from 0 to 1, found {shown(node)}")
    return value + 0.0  # turns -0.0 into 0.0


def number(path: Path | str, node: Node, what: str) -> float:
    """Any finite number, written without quotes."""
    plain = isinstance(node, Scalar) and node.plain and _NUMBER.fullmatch(node.text) is not None
    value = float(node.text) if plain and isinstance(node, Scalar) else math.inf
    if not math.isfinite(value):
        raise GoldenError(path, node.line, f"{what} must be a number, found {shown(node)}")
    return value


def seconds(path: Path | str, node: Node, what: str, *, zero: bool = False) -> float:
    """A number of seconds above 0, or from 0 on where ``zero`` is allowed, written without quotes."""
    plain = isinstance(node, Scalar) and node.plain and _NUMBER.fullmatch(node.text) is not None
    value = float(node.text) if plain and isinstance(node, Scalar) else math.nan
    if not (0 < value < math.inf or (zero and value == 0)):
        span = "of at least 0" if zero else "above 0"
        raise GoldenError(path, node.line, f"{what} must be a number of seconds {span}, found {shown(node)}")
    return value


def fractions(path: Path | str, node: Node, what: str) -> dict[str, float]:
    """A mapping of names (of metrics) to numbers from 0 to 1."""
    return {
        text_value(path, key, f"a key of {what}"): fraction(path, value, f"{what}: {key.text}")
        for key, value in mapping_value(path, node, what).entries.values()
    }


def plain_data(path: Path | str, node: Node) -> object:
    """Lists, dicts, text, numbers, booleans and None, as JSON would have them.

    A plain scalar is a value only in the spelling of JSON (``5``, ``-3``, ``0.5``, ``true``,
    ``null``), ``~`` or nothing, or a capitalised boolean; ``007``, ``no`` and dates stay text.
    GoldenError for a number that no float can hold.
    """
    if isinstance(node, ListNode):
        return [plain_data(path, item) for item in node.items]
    if isinstance(node, MappingNode):
        return {name: plain_data(path, entry.value) for name, entry in node.entries.items()}
    if not node.plain:
        return node.text
    if node.is_null:
        return None
    if node.text in _BOOLEANS:
        return _BOOLEANS[node.text]
    match = _JSON_NUMBER.fullmatch(node.text)
    if not match:
        return node.text
    try:
        value = float(node.text) if match[1] or match[2] else int(node.text)
    except ValueError:
        value = math.inf  # more digits than Python converts
    if math.isinf(value):
        raise GoldenError(path, node.line, f"the number {shown(node)} is too large; quote it if it is text")
    return value
