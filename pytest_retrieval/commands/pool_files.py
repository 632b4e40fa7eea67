"""Lists of unjudged pairs: written for a judge to fill in, and read back."""

from __future__ import annotations

import csv
import io
import json
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pytest_retrieval.golden.documents import Document
from pytest_retrieval.golden.errors import InputError
from pytest_retrieval.golden.jsonl_reader import parse_jsonl
from pytest_retrieval.golden.labels import MAX_GRADE
from pytest_retrieval.golden.model import GoldenSet, Pooling
from pytest_retrieval.golden.nodes import MappingNode, Scalar
from pytest_retrieval.golden.sources.table import read_table
from pytest_retrieval.golden.text_file import read_text
from pytest_retrieval.golden.values import nfc, whole_number
from pytest_retrieval.scoring.pooling import Hole

COLUMNS = ("query", "question", "document", "title", "text", "grade", "pool")
SUFFIXES = (".csv", ".jsonl")

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "'")
_FOR_READING = ("question", "title", "text")
_SKIPPED = ("", "s", "skip", "?", "-")


@dataclass(frozen=True, slots=True)
class Row:
    """One pair of a list; ``grade`` is None where the judge left it open."""

    hole: Hole
    grade: int | None
    line: int


@dataclass(frozen=True, slots=True)
class JudgedList:
    """A list that came back: its pairs, and which pool it was, where the list still says so."""

    path: Path
    rows: tuple[Row, ...]
    pooling: Pooling | None


def list_text(
    path: Path,
    golden: GoldenSet,
    holes: Sequence[Hole],
    documents: Mapping[str, Document],
    pooling: Pooling,
    characters: int,
) -> str:
    """A list of pairs in the format of the suffix of ``path``, the grades left open.

    Every row says the same of the pool, so that it tells nothing about the pair.
    """
    queries = golden.by_id()
    pool = json.dumps({"depth": pooling.depth, "sources": list(pooling.sources)}, ensure_ascii=False)
    rows: list[dict[str, object]] = []
    for hole in holes:
        document = documents.get(hole.document)
        rows.append(
            {
                "query": hole.query,
                "question": queries[hole.query].text,
                "document": hole.document,
                "title": document.title if document else "",
                "text": document.text[:characters] if document else "",
                "grade": None,
                "pool": pool,
            }
        )
    if path.suffix.lower() == ".jsonl":
        return "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows)
    file = io.StringIO(newline="")
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(COLUMNS)
    for row in rows:
        writer.writerow([_spreadsheet_cell(column, cell) for column, cell in row.items()])
    return file.getvalue()


def _spreadsheet_cell(column: str, cell: object) -> str:
    """A cell that a spreadsheet takes for text: one that begins like a formula would be computed."""
    text = "" if cell is None else str(cell)
    if column in _FOR_READING:
        text = "".join(sign for sign in text if sign in "\t\n" or unicodedata.category(sign)[0] != "C")
    text = text.replace("\0", "")
    return f"'{text}" if text.startswith(_FORMULA) else text


def _without_sign(cell: str) -> str:
    return cell[1:] if cell.startswith(tuple(f"'{sign}" for sign in _FORMULA)) else cell


def is_list(path: Path) -> bool:
    """Whether a file is a list of pairs, and not one of rankings."""
    if path.suffix.lower() == ".csv":
        return True
    if path.suffix.lower() != ".jsonl" or not path.is_file():
        return False
    first = next(parse_jsonl(path, read_text(path)), None)
    return first is not None and {"query", "document"} <= first.entries.keys()


def read_list(path: Path) -> JudgedList:
    """A list with grades filled in: whole numbers, or nothing, ``s`` or ``skip`` for none.

    InputError with the line of anything else, and of a pair that is there twice.
    """
    if path.suffix.lower() == ".jsonl":
        nodes = list(parse_jsonl(path, read_text(path)))
    else:
        nodes, _ = read_table(path, None)
    rows: dict[Hole, Row] = {}
    pooling: Pooling | None = None
    for node in nodes:
        hole = Hole(_cell(path, node, "query"), _cell(path, node, "document"))
        if hole in rows:
            raise InputError(
                path,
                node.line,
                f"the pair {hole.query}, {hole.document} is already on line {rows[hole].line}",
            )
        rows[hole] = Row(hole, _grade(path, node), node.line)
        pooling = pooling or _pooling(node)
    return JudgedList(path, tuple(rows.values()), pooling)


def _cell(path: Path, node: MappingNode, name: str) -> str:
    entry = node.entries.get(name)
    if entry is None or not isinstance(entry.value, Scalar) or not entry.value.text.strip():
        raise InputError(
            path, node.line, f"a row without {name}; expected the columns {', '.join(COLUMNS[:6])}"
        )
    text = entry.value.text.strip()
    return nfc(_without_sign(text) if path.suffix.lower() == ".csv" else text)


def _grade(path: Path, node: MappingNode) -> int | None:
    entry = node.entries.get("grade")
    if entry is None:
        raise InputError(path, node.line, "a row without grade; leave it empty where nobody judged")
    value = entry.value
    if isinstance(value, Scalar):
        text = value.text.strip()
        if value.is_null or text.lower() in _SKIPPED:
            return None
        value = value._replace(text=text)
    return whole_number(path, value, "a grade", -MAX_GRADE, MAX_GRADE)


def _pooling(node: MappingNode) -> Pooling | None:
    """Which pool a row is of; nothing where the column is gone or was edited."""
    entry = node.entries.get("pool")
    try:
        data = json.loads(entry.value.text) if entry and isinstance(entry.value, Scalar) else None
        return None if data is None else Pooling(int(data["depth"]), tuple(map(str, data["sources"])))
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
