"""How a header says that documents are cut: ``whole``, ``sections`` or ``fixed``."""

from __future__ import annotations

from pathlib import Path

from pytest_retrieval.golden.errors import GoldenError
from pytest_retrieval.golden.fields import check_keys
from pytest_retrieval.golden.model import Chunking
from pytest_retrieval.golden.nodes import MappingNode, Node
from pytest_retrieval.golden.values import mapping_value, text_value, whole_number

CHUNKINGS = ("whole", "sections", "fixed")


def read_chunking(path: Path | str, node: Node, what: str) -> Chunking:
    """The chunking that a header names; GoldenError with the line for anything else."""
    words = overlap = None
    if isinstance(node, MappingNode):
        check_keys(path, node, ("fixed",), what)
        if "fixed" not in node.entries:
            raise GoldenError(path, node.line, f"{what} is an empty mapping; expected {_EXPECTED}")
        name = "fixed"
        block = mapping_value(path, node.entries[name].value, f"{what}: fixed")
        check_keys(path, block, ("words", "overlap"), f"{what}: fixed")
        if "words" in block.entries:
            words = whole_number(path, block.entries["words"].value, f"{what}: words", low=1)
        if "overlap" in block.entries:
            overlap = whole_number(path, block.entries["overlap"].value, f"{what}: overlap", low=0)
    else:
        name = text_value(path, node, what)
    try:
        return check_chunking(name, words, overlap)
    except ValueError as error:
        raise GoldenError(path, node.line, f"{what}: {error}") from None


def check_chunking(name: str, words: int | None, overlap: int | None) -> Chunking:
    """A chunking whose numbers fit; ValueError says what does not."""
    if name not in CHUNKINGS:
        raise ValueError(f"there is no chunking {name!r}; expected {_EXPECTED}")
    if name != "fixed":
        if words is not None or overlap is not None:
            raise ValueError(f"the chunking {name!r} takes no words and no overlap")
        return Chunking(name)
    if words is None:
        raise ValueError("the chunking 'fixed' needs the number of words in a chunk, such as words: 120")
    if (overlap or 0) >= words:
        raise ValueError(f"an overlap of {overlap} leaves nothing new in a chunk of {words} words")
    return Chunking(name, words, overlap or 0)


_EXPECTED = "whole, sections, or {fixed: {words: 120, overlap: 20}}"
