"""Two retrievers of one run side by side, by kind."""

from __future__ import annotations

from collections.abc import Sequence

from pytest_retrieval.reporting import wording
from pytest_retrieval.reporting.headline import compared_pairs
from pytest_retrieval.reporting.line import Line, Segment, styled
from pytest_retrieval.reporting.printable import harmless, wrap
from pytest_retrieval.reporting.result import ComparedRow, SetResult
from pytest_retrieval.reporting.table import Row, wrapped_table


def compared_lines(result: SetResult, width: int) -> list[Line]:
    """A table for each pair and metric in which this retriever stands second; none where there are none."""
    lines: list[Line] = []
    for other, metric in compared_pairs(result):
        rows = [row for row in result.compared if (row.other, row.metric) == (other, metric)]
        lines += _table(result, rows, width)
    return lines


def _table(result: SetResult, rows: Sequence[ComparedRow], width: int) -> list[Line]:
    other, name = harmless(rows[0].other), harmless(result.variant or result.retriever)
    heading = (
        f"{harmless(result.golden)}: {name} against {other}, {harmless(rows[0].metric)} "
        f"with {result.confidence * 100:.6g} % intervals of the difference"
    )
    titles = ["", "n", "better", "worse", "equal", other, name, "difference", "interval"]
    cells = [Row(_cells(row)) for row in rows]
    lines = [styled(text, "bold") for text in wrap(heading, width)]
    lines += wrapped_table(titles, cells, width, repeated=2)
    for row in rows:
        if row.reason:
            text = f"{wording.slice_label(row.slice)}: not compared: {harmless(row.reason)}"
            lines += [styled(part, "yellow") for part in wrap(text, width, first="  ", rest="    ")]
    return lines


def _cells(row: ComparedRow) -> tuple[Segment, ...]:
    counts = ["-" if count is None else str(count) for count in (row.better, row.worse, row.equal)]
    difference = "-" if row.difference is None else f"{row.difference:+.3f}"
    interval = "-" if row.interval is None else f"{row.interval[0]:+.3f} to {row.interval[1]:+.3f}"
    texts = [
        str(row.n),
        *counts,
        wording.score(row.before),
        wording.score(row.after),
        difference,
        interval,
    ]
    return ((wording.slice_label(row.slice), ""), *((text, "") for text in texts))
