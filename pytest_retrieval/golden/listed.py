"""Several retrievers of one golden set: the names they go by, and which pairs are compared."""

from __future__ import annotations

import re
from pathlib import Path

from pytest_retrieval.golden.composed import Composed, parse_composed, read_composed
from pytest_retrieval.golden.errors import GoldenError
from pytest_retrieval.golden.fields import check_keys
from pytest_retrieval.golden.model import Listed
from pytest_retrieval.golden.nodes import ListNode, MappingNode, Node
from pytest_retrieval.golden.values import text_value

RESERVED = "anchor"
_NAME = re.compile(r"[A-Za-z0-9_-]+")


def read_listed(path: Path | str, node: ListNode, what: str) -> tuple[Listed, ...]:
    """The retrievers of a list in its order, with distinct names; GoldenError with the line otherwise.

    An entry is what a single retriever may be, or a mapping with ``name`` and either ``use``, a
    text, or the keys of a composition.
    """
    listed: list[Listed] = []
    for item in node.items:
        one = _read_one(path, item, f"an entry of {what}")
        if not _NAME.fullmatch(one.name) or one.name == RESERVED:
            raise GoldenError(
                path,
                item.line,
                f"a retriever cannot be called {one.name!r}: a name has letters, digits, - and _, "
                f"and {RESERVED!r} is reserved",
            )
        # Names become file names, and some file systems know no case.
        if one.name.casefold() in (other.name.casefold() for other in listed):
            raise GoldenError(
                path,
                item.line,
                f"two retrievers are called {one.name!r}: give one a name, "
                "such as {name: other, use: package.module:object}",
            )
        listed.append(one)
    return tuple(listed)


def default_name(retriever: str) -> str:
    """The name of a retriever that was given none: that of its composition, else its letters and digits."""
    try:
        composed = parse_composed(retriever)
    except ValueError:
        composed = retriever
    if isinstance(composed, Composed):
        return composed.how
    return re.sub(r"[^A-Za-z0-9_-]+", "_", retriever.strip()).strip("_") or "retriever"


def read_pairs(path: Path | str, node: Node, names: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """The pairs of ``compare``: lists of two of ``names``; GoldenError for anything else."""
    pairs = []
    for item in node.items if isinstance(node, ListNode) else ():
        if not isinstance(item, ListNode) or len(item.items) != 2:
            break
        first, second = (text_value(path, one, "a name in compare") for one in item.items)
        for name in (first, second):
            if name not in names:
                known = ", ".join(names) or "none; list several under retriever"
                raise GoldenError(
                    path, item.line, f"compare names {name!r}, which is no retriever of the list: {known}"
                )
        if first == second:
            raise GoldenError(path, item.line, f"compare holds {first!r} against itself")
        pairs.append((first, second))
    if not isinstance(node, ListNode) or len(pairs) != len(node.items) or not pairs:
        raise GoldenError(path, node.line, "compare must be a list of pairs, such as [[bm25, hybrid]]")
    return tuple(pairs)


def _read_one(path: Path | str, item: Node, what: str) -> Listed:
    if not isinstance(item, MappingNode) or "name" not in item.entries:
        retriever = str(read_composed(path, item, what))
        return Listed(default_name(retriever), retriever)
    name = text_value(path, item.entries["name"].value, f"{what}: name")
    rest = {key: entry for key, entry in item.entries.items() if key != "name"}
    if "use" in rest:
        check_keys(path, item, ("name", "use"), what)
        return Listed(name, text_value(path, rest["use"].value, f"{what}: use"))
    return Listed(name, str(read_composed(path, MappingNode(item.line, rest), what)))
