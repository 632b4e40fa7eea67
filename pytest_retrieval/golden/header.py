"""The block above the queries -> Header."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

from pytest_retrieval.golden.chunking_rules import read_chunking
from pytest_retrieval.golden.composed import read_composed
from pytest_retrieval.golden.errors import GoldenError
from pytest_retrieval.golden.fields import (
    ASK_KEYS,
    GATE_KEYS,
    HEADER_KEYS,
    KIND_KEYS,
    POOLED_KEYS,
    QRELS_KEYS,
    check_keys,
)
from pytest_retrieval.golden.listed import read_listed, read_pairs
from pytest_retrieval.golden.model import (
    AskRules,
    GateRules,
    Header,
    KindRules,
    Listed,
    Pooling,
    Qrels,
)
from pytest_retrieval.golden.nodes import ListNode, MappingNode, Node, Scalar
from pytest_retrieval.golden.splitting import read_test_share
from pytest_retrieval.golden.values import (
    boolean,
    fraction,
    fractions,
    mapping_value,
    name_list,
    plain_data,
    seconds,
    text_value,
    whole_number,
)

_Value = TypeVar("_Value")
_Reading = Callable[[Path | str, Node, str], _Value]


def build_header(path: Path | str, block: MappingNode) -> Header:
    """The header of a golden set, checked; ``queries`` that follow in the file are passed over.

    GoldenError with file and line for an unknown key, and for a value of the wrong type or range.
    """
    check_keys(path, block, HEADER_KEYS, "the header")
    ask, gate = block.entries.get("ask"), block.entries.get("gate")
    listed = _optional(path, block, "retriever", _listed) or ()
    names = tuple(one.name for one in listed)
    return Header(
        retriever=None if listed else _optional(path, block, "retriever", _retriever),
        exact=_optional(path, block, "exact", text_value),
        listed=listed,
        compare=_optional(path, block, "compare", lambda p, node, _: read_pairs(p, node, names)) or (),
        depth=_optional(path, block, "depth", _at_least_one),
        metrics=_optional(path, block, "metrics", name_list),
        document_id=_optional(path, block, "document_id", _document_id),
        documents=_optional(path, block, "documents", _globs) or (),
        chunking=_optional(path, block, "chunking", read_chunking),
        describe=_optional(path, block, "describe", _plain_mapping) or {},
        repeats=_optional(path, block, "repeats", _at_least_one),
        noisy=_optional(path, block, "noisy", boolean) or False,
        max_errors=_optional(path, block, "max_errors", _at_least_zero),
        ask=_ask(path, mapping_value(path, ask.value, "ask")) if ask else AskRules(),
        gate=_gate(path, mapping_value(path, gate.value, "gate")) if gate else GateRules(),
        queries=_optional(path, block, "queries", _file_of_queries),
        qrels=_optional(path, block, "qrels", _qrels),
        pooled=_optional(path, block, "pooled", _poolings) or (),
        context=_optional(path, block, "context", _at_least_one),
        slices=_optional(path, block, "slices", name_list) or (),
        version=_optional(path, block, "version", text_value),
        test_share=_optional(path, block, "split", read_test_share),
        lines=dict(_lines(block)),
    )


def _ask(path: Path | str, block: MappingNode) -> AskRules:
    check_keys(path, block, ASK_KEYS, "ask")
    return AskRules(
        concurrency=_optional(path, block, "concurrency", _at_least_one, "ask: "),
        timeout=_optional(path, block, "timeout", seconds, "ask: "),
        retries=_optional(path, block, "retries", _at_least_zero, "ask: "),
        retry_on=_optional(path, block, "retry_on", name_list, "ask: "),
        retry_wait=_optional(path, block, "retry_wait", _any_seconds, "ask: "),
    )


def _file_of_queries(path: Path | str, node: Node, what: str) -> str | None:
    is_file = isinstance(node, Scalar) and not node.is_null
    return text_value(path, node, what) if is_file else None


def _qrels(path: Path | str, node: Node, what: str) -> Qrels:
    if not isinstance(node, MappingNode):
        return Qrels(text_value(path, node, what))
    check_keys(path, node, QRELS_KEYS, what)
    file = _optional(path, node, "file", text_value, f"{what}: ")
    if file is None:
        raise GoldenError(path, node.line, f"{what} names no file; expected {{file: qrels.txt, by: id}}")
    return Qrels(file, _optional(path, node, "by", text_value, f"{what}: ") or "id")


def _poolings(path: Path | str, node: Node, what: str) -> tuple[Pooling, ...]:
    return tuple(_pooling(path, one, what) for one in (node.items if isinstance(node, ListNode) else [node]))


def _pooling(path: Path | str, node: Node, what: str) -> Pooling:
    block = mapping_value(path, node, what)
    check_keys(path, block, POOLED_KEYS, what)
    depth = _optional(path, block, "depth", _at_least_one, f"{what}: ")
    if depth is None:
        raise GoldenError(path, block.line, f"{what} has no depth; expected {{depth: 10, sources: [...]}}")
    sources = _optional(path, block, "sources", _globs, f"{what}: ") or ()
    return Pooling(
        depth,
        sources,
        _optional(path, block, "date", text_value, f"{what}: "),
        _optional(path, block, "unjudged", _at_least_zero, f"{what}: ") or 0,
    )


def _gate(path: Path | str, block: MappingNode) -> GateRules:
    check_keys(path, block, GATE_KEYS, "gate")
    return GateRules(
        metrics=_optional(path, block, "metrics", name_list, "gate: "),
        margin=_optional(path, block, "margin", _margin, "gate: "),
        anchor_margin=_optional(path, block, "anchor_margin", _margin, "gate: "),
        confidence=_optional(path, block, "confidence", _confidence, "gate: "),
        min_queries=_optional(path, block, "min_queries", _at_least_one, "gate: "),
        floors=_optional(path, block, "floors", fractions, "gate: ") or {},
        kinds=_optional(path, block, "kinds", _kinds, "gate: ") or {},
        slices=_optional(path, block, "slices", name_list, "gate: ") or (),
    )


def _kinds(path: Path | str, node: Node, what: str) -> dict[str, KindRules]:
    rules = {}
    for key, value in mapping_value(path, node, what).entries.values():
        kind = text_value(path, key, f"a kind in {what}")
        where = f"{what}: {kind}"
        block = mapping_value(path, value, where)
        check_keys(path, block, KIND_KEYS, where)
        rules[kind] = KindRules(
            margin=_optional(path, block, "margin", _margin, f"{where}: "),
            floors=_optional(path, block, "floors", fractions, f"{where}: ") or {},
            anchor_margin=_optional(path, block, "anchor_margin", _margin, f"{where}: "),
        )
    return rules


def _optional(
    path: Path | str, block: MappingNode, name: str, read: _Reading[_Value], within: str = ""
) -> _Value | None:
    entry = block.entries.get(name)
    return None if entry is None else read(path, entry.value, within + name)


def _retriever(path: Path | str, node: Node, what: str) -> str:
    if isinstance(node, ListNode):
        if not node.items:
            raise GoldenError(path, node.line, f"{what} is an empty list; name at least one or leave it out")
        node = node.items[0]
    return str(read_composed(path, node, what))


def _listed(path: Path | str, node: Node, what: str) -> tuple[Listed, ...]:
    return read_listed(path, node, what) if isinstance(node, ListNode) and len(node.items) > 1 else ()


def _at_least_one(path: Path | str, node: Node, what: str) -> int:
    return whole_number(path, node, what, low=1)


def _at_least_zero(path: Path | str, node: Node, what: str) -> int:
    return whole_number(path, node, what, low=0)


def _any_seconds(path: Path | str, node: Node, what: str) -> float:
    return seconds(path, node, what, zero=True)


def _globs(path: Path | str, node: Node, what: str) -> tuple[str, ...]:
    # A comma may be part of a file name, so one text is one glob.
    globs = name_list(path, node, what) if isinstance(node, ListNode) else (text_value(path, node, what),)
    if any("\0" in pattern for pattern in globs):
        raise GoldenError(path, node.line, f"{what} holds the control character U+0000")
    return globs


def _plain_mapping(path: Path | str, node: Node, what: str) -> dict[str, object]:
    block = mapping_value(path, node, what)
    return {name: plain_data(path, entry.value) for name, entry in block.entries.items()}


def _document_id(path: Path | str, node: Node, what: str) -> str:
    pattern = text_value(path, node, what)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            groups = re.compile(pattern).groups
    except (re.error, RecursionError, OverflowError) as error:
        raise GoldenError(path, node.line, f"{what} is no regular expression: {error}") from None
    if groups == 0:
        raise GoldenError(
            path,
            node.line,
            f"{what} {pattern!r} needs a group for the document of a hit, as in '^(.*)#' for page#3",
        )
    return pattern


def _margin(path: Path | str, node: Node, what: str) -> float | dict[str, float]:
    return fractions(path, node, what) if isinstance(node, MappingNode) else fraction(path, node, what)


def _confidence(path: Path | str, node: Node, what: str) -> float:
    try:
        value = fraction(path, node, what)
    except GoldenError:
        value = 1.0
    if not 0.5 <= value < 1:
        raise GoldenError(path, node.line, f"{what} must be at least 0.5 and below 1, such as 0.95")
    return value


def _lines(block: MappingNode, prefix: str = "") -> Iterator[tuple[str, int]]:
    for name, (key, value) in block.entries.items():
        if not prefix and name == "queries":
            continue
        yield prefix + name, key.line
        if isinstance(value, MappingNode) and (prefix or name in ("ask", "gate")):
            yield from _lines(value, f"{prefix}{name}.")
