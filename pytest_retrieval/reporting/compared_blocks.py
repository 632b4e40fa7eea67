"""Two retrievers of one run side by side, in a Markdown report."""

from __future__ import annotations

from collections.abc import Iterator

from pytest_retrieval.reporting import wording
from pytest_retrieval.reporting.fitting import Block
from pytest_retrieval.reporting.headline import compared_pairs
from pytest_retrieval.reporting.markdown_text import code, head, row, sentence, slice_name
from pytest_retrieval.reporting.result import ComparedRow, SetResult


def compared_blocks(result: SetResult) -> Iterator[Block]:
    """A table for each pair and metric in which this retriever stands second; none where there are none."""
    for other, metric in compared_pairs(result):
        rows = [one for one in result.compared if (one.other, one.metric) == (other, metric)]
        name = code(result.variant or result.retriever)
        title = (
            f"**{code(result.golden)}**: {name} against {code(other)}, {sentence(metric)}, with "
            f"{result.confidence * 100:.6g} % intervals of the difference"
        )
        titles = ("", "n", "better", "worse", "equal", code(other), name, "difference", "interval")
        yield Block(
            f"{title}\n\n{head(titles, len(titles) - 1)}",
            tuple(map(_compared, rows)),
            what="rows of a comparison of two retrievers",
        )


def _compared(one: ComparedRow) -> str:
    counts = ("-" if count is None else str(count) for count in (one.better, one.worse, one.equal))
    difference = sentence(one.reason) if one.difference is None else f"{one.difference:+.3f}"
    interval = "-" if one.interval is None else f"{one.interval[0]:+.3f} to {one.interval[1]:+.3f}"
    before, after = wording.score(one.before), wording.score(one.after)
    return row((slice_name(one.slice), str(one.n), *counts, before, after, difference or "-", interval))
