"""Aligned tables that fit a width: columns wrap into further blocks, nothing is cut off."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pytest_retrieval.reporting.line import Line, Segment, styled
from pytest_retrieval.reporting.printable import cell_width, pad, shorten_distinct

INDENT = "  "
NARROWEST_NAME = 10


@dataclass(frozen=True, slots=True)
class Row:
    """The cells of one row, the name first; ``details`` are the lines that follow it."""

    cells: tuple[Segment, ...]
    details: tuple[Line, ...] = ()


def name_room(titles: Sequence[str], rows: Sequence[Row], width: int, gap: int) -> int:
    """How many cells of ``width`` the columns after the first leave to the name; may be negative."""
    return width - len(INDENT) - sum(gap + size for size in _sizes(titles, rows)[1:])


def table(titles: Sequence[str], rows: Sequence[Row], width: int, gap: int = 2, left: int = 0) -> list[Line]:
    """The table as lines: names to the left, numbers to the right.

    The last ``left`` columns are aligned to the left. A name that is wider than its
    column stands on a line of its own above its numbers.
    """
    sizes = _sizes(titles, rows)
    room = max(NARROWEST_NAME, name_room(titles, rows, width, gap))
    names = shorten_distinct((row.cells[0][0] for row in rows), width - len(INDENT))
    fitting = [cell_width(name) for name in names.values() if cell_width(name) <= room]
    sizes[0] = max([cell_width(titles[0]), *fitting])
    aligns = ["<"] + [">"] * (len(titles) - 1 - left) + ["<"] * left
    lines = [_line([(title, "faint") for title in titles], sizes, aligns, gap)]
    for row in rows:
        (raw, style), *numbers = row.cells
        name = names[raw]
        if cell_width(name) > sizes[0]:
            lines.append(styled(INDENT + name, style))
            name = ""
        lines.append(_line([(name, style), *numbers], sizes, aligns, gap))
        lines.extend(row.details)
    return lines


def wrapped_table(
    titles: Sequence[str], rows: Sequence[Row], width: int, repeated: int, gap: int = 2
) -> list[Line]:
    """A table whose columns after the first ``repeated`` ones go on in a further block where they must."""
    sizes = _sizes(titles, rows)
    # a few very long names must not push every column into a block of its own
    start = len(INDENT) + min(sizes[0], width // 2) + sum(gap + size for size in sizes[1:repeated])
    blocks: list[list[int]] = [[]]
    used = start
    for column in range(repeated, len(titles)):
        used += gap + sizes[column]
        if blocks[-1] and used > width:
            blocks.append([])
            used = start + gap + sizes[column]
        blocks[-1].append(column)
    lines: list[Line] = []
    for block in blocks:
        columns = [*range(repeated), *block]
        chosen = [Row(tuple(row.cells[column] for column in columns)) for row in rows]
        lines += table([titles[column] for column in columns], chosen, width, gap)
    return lines


def _sizes(titles: Sequence[str], rows: Sequence[Row]) -> list[int]:
    return [
        max([cell_width(title), *(cell_width(row.cells[column][0]) for row in rows)])
        for column, title in enumerate(titles)
    ]


def _line(cells: Sequence[Segment], sizes: Sequence[int], aligns: Sequence[str], gap: int) -> Line:
    segments = [(INDENT, "")]
    for index, ((text, style), size, align) in enumerate(zip(cells, sizes, aligns, strict=True)):
        space = " " * gap if index else ""
        segments.append((space + pad(text, size, align), style))
    while segments and not segments[-1][0].strip():
        segments.pop()
    if segments:
        segments[-1] = (segments[-1][0].rstrip(), segments[-1][1])
    return Line(tuple(segments))
