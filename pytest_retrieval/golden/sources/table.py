"""CSV and its relatives -> rows, whatever separates the columns."""

from __future__ import annotations

import csv
import io
from pathlib import Path

from pytest_retrieval.golden.errors import GoldenError
from pytest_retrieval.golden.nodes import Entry, MappingNode, Scalar
from pytest_retrieval.golden.text_file import read_text

_CANDIDATES = (",", "\t", ";", "|", ":")
_LOOKED_AT = 20
_LARGEST_CELL = 10_000_000


def read_table(path: Path, separator: str | None) -> tuple[list[MappingNode], str]:
    """The rows under a head of column names, and the separator, found out where it is None.

    Cells are as in RFC 4180: in double quotes where they hold a separator or a line end.
    GoldenError with the line of a row of another length, of an unclosed quote, and for a head
    with a name that is empty or there twice.
    """
    text = read_text(path)
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise GoldenError(path, line, "holds the control character U+0000; remove it")
    chosen = separator or _separator(path, text)
    records = _records(path, text, chosen)
    if not records:
        raise GoldenError(path, None, "holds no head: expected names of columns in its first line")
    (head_line, head), *body = records
    names = [name.strip() for name in head]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        what = f"the column {twice!r} is there twice" if twice else "several columns have no name"
        raise GoldenError(path, head_line, what)
    keys = [Scalar(name, True, head_line) for name in names]
    rows = []
    for line, cells in body:
        if len(cells) != len(names):
            raise GoldenError(
                path,
                line,
                f"found {len(cells)} columns, expected {len(names)} as in the head (separator {chosen!r})",
            )
        # Text that was UTF-8 holds no half characters, so that nothing is to be checked here.
        entries = {
            key.text: Entry(key, Scalar(cell, False, line))
            for key, cell in zip(keys, cells, strict=True)
            if key.text
        }
        rows.append(MappingNode(line, entries))
    return rows, chosen


def _separator(path: Path, text: str) -> str:
    """The candidate that gives the first records the same number of columns, the more the better."""
    best, most = None, 1
    for candidate in _CANDIDATES:
        try:
            records = _records(path, text, candidate, _LOOKED_AT)
        except GoldenError:
            continue
        widths = {len(cells) for _, cells in records}
        if len(widths) == 1 and max(widths) > most:
            best, most = candidate, max(widths)
    if best is None:
        raise GoldenError(
            path, 1, "finds no separator that gives every row the same columns; name it: --separator ';'"
        )
    return best


def _records(path: Path, text: str, separator: str, limit: int | None = None) -> list[tuple[int, list[str]]]:
    """Line of the beginning and cells of each record that is not blank."""
    records: list[tuple[int, list[str]]] = []
    try:
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    except (TypeError, ValueError):
        raise GoldenError(path, None, f"the separator must be one character, found {separator!r}") from None
    line = 1
    usual = csv.field_size_limit(_LARGEST_CELL)
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                records.append((line, cells))
            line = reader.line_num + 1
            if limit is not None and len(records) > limit:
                break
    except csv.Error as error:
        raise GoldenError(path, line, f"is no table: {error}") from None
    finally:
        csv.field_size_limit(usual)
    return records
