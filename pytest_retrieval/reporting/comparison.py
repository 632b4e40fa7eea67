"""Sides compared on request, for people at a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest

from pytest_retrieval.gating.verdict import Verdict
from pytest_retrieval.reporting import wording
from pytest_retrieval.reporting.gate_table import gate_lines
from pytest_retrieval.reporting.line import Line, styled
from pytest_retrieval.reporting.movers import (
    NOT_RELEVANT,
    RELEVANT,
    UNJUDGED,
    Mover,
    biggest,
    came_and_went,
    deepest_cut,
    judgement,
    movers,
    turnover,
)
from pytest_retrieval.reporting.printable import cell_width, clip, harmless, listed, pad, shorten, wrap
from pytest_retrieval.reporting.result import MeanRow, SetResult
from pytest_retrieval.reporting.table import Row, table, wrapped_table
from pytest_retrieval.scoring.names import parse_metric

NARROWEST = 80
SHOWN_RANKS = 10
MARKS = {RELEVANT: "*", UNJUDGED: "?", NOT_RELEVANT: " "}
RANKINGS_LEGEND = "* relevant, ? nobody has judged it; + new in the top, - gone from it"


def comparison_lines(result: SetResult, width: int, shown: int) -> list[Line]:
    """One side against another in lines of at most ``width`` cells (at least 80).

    Up to ``shown`` losses and as many gains stand with both rankings side by side.
    """
    width = max(width, NARROWEST)
    return [
        *_title(result, width),
        *gate_lines(result, width, interval_legend(result)),
        *_judged(result, width),
        *_turnover(result, width),
        *_movers(result, width, shown),
        *_unlike(result, width),
    ]


def compared_queries(result: SetResult) -> int:
    """How many queries have a score on both sides."""
    return sum(query.scores is not None and query.baseline is not None for query in result.queries)


def interval_legend(result: SetResult) -> str:
    """What the column of intervals holds."""
    return f"interval: two-sided, {result.confidence * 100:.6g} %, of the change of the mean"


def overview_lines(means: Mapping[str, Sequence[MeanRow]], metrics: Sequence[str], width: int) -> list[Line]:
    """The means of several sides, a table for each metric with a column for each side."""
    width = max(width, NARROWEST)
    lines = []
    for metric in metrics:
        slices = {str(row.slice): row.slice for rows in means.values() for row in rows}
        scores = {
            (side, str(row.slice)): row.metrics.get(metric) for side, rows in means.items() for row in rows
        }
        # all of them last, as in every table of means
        names = sorted(slices, key=lambda name: not slices[name])
        rows = [
            Row(
                (
                    (wording.slice_label(slices[name]), ""),
                    *((wording.score(scores.get((side, name))), "") for side in means),
                )
            )
            for name in names
        ]
        titles = [f"{harmless(metric)}", *(shorten(harmless(side), 30, 0.0) for side in means)]
        lines += wrapped_table(titles, rows, width, repeated=1)
    return lines


def _title(result: SetResult, width: int) -> list[Line]:
    only = [
        f"only {harmless(name)} {wording.values(value, ' or ')}" for name, value in result.population.items()
    ]
    sides = f"{harmless(result.retriever)} against {harmless(result.baseline)}"
    counts = f"{compared_queries(result)} of {len(result.queries)} queries compared"
    title = f"{harmless(result.node)}: {', '.join([sides, *only])}"
    return [*(styled(text, "bold") for text in wrap(title, width)), styled(f"  {counts}")]


def _judged(result: SetResult, width: int) -> list[Line]:
    """How many of the documents that a metric looks at carry a label, before and after."""
    cuts: dict[str, dict[str, Verdict]] = {}
    slices: dict[str, str] = {}
    for row in result.gates:
        verdict = row.verdict
        if verdict.judged_before is None or verdict.judged_after is None:
            continue
        k = parse_metric(verdict.metric).k
        name = "judged" if k is None else f"judged@{k}"
        slices.setdefault(str(verdict.slice), wording.slice_label(verdict.slice))
        cuts.setdefault(name, {}).setdefault(str(verdict.slice), verdict)
    if not cuts:
        return []
    rows = [
        Row(((label, ""), *((_share(found.get(key)), "") for found in cuts.values())))
        for key, label in slices.items()
    ]
    return [styled("documents that carry a label", "bold"), *table(["", *cuts], rows, width)]


def _share(verdict: Verdict | None) -> str:
    if verdict is None:
        return wording.NONE
    return f"{wording.score(verdict.judged_before)} -> {wording.score(verdict.judged_after)}"


def _turnover(result: SetResult, width: int) -> list[Line]:
    found = turnover(result)
    if not found.queries:
        return []
    where = "all ranks" if found.k is None else f"the top {found.k}"
    text = f"documents in {where}: {_counted('new', found.new)}; {_counted('lost', found.lost)}"
    return [styled(part) for part in wrap(text, width)]


def _counted(word: str, counts: Mapping[str, int]) -> str:
    parts = [f"{number} {judged}" for judged, number in sorted(counts.items())]
    return f"{sum(counts.values())} {word}" + (f" ({', '.join(parts)})" if parts else "")


def _movers(result: SetResult, width: int, shown: int) -> list[Line]:
    found = movers(result)
    lines: list[Line] = []
    losses, gains = biggest(found, shown)
    for heading, chosen, total in (
        ("biggest losses", losses, sum(one.change < 0 for one in found)),
        ("biggest gains", gains, sum(one.change > 0 for one in found)),
    ):
        if chosen:
            lines.append(styled(f"{heading}, {len(chosen)} of {total}", "bold"))
            for mover in chosen:
                lines += _mover(result, mover, width)
    return [*lines, styled(f"  {RANKINGS_LEGEND}", "faint")] if lines else []


def _mover(result: SetResult, mover: Mover, width: int) -> Iterator[Line]:
    query = mover.query
    change = f"{wording.score(mover.before)} -> {wording.score(mover.after)}"
    head = f"  {harmless(query.id)}  {harmless(mover.metric)} {change}"
    text = harmless(query.text)
    room = width - cell_width(head) - 4
    if text and room >= min(cell_width(text), 20):
        yield Line(((head, ""), (f'  "{clip(text, room)}"', "faint")))
    else:
        yield styled(head)
        if text:
            yield styled(f'    "{clip(text, width - 6)}"', "faint")
    yield from _rankings(result, mover, width)


def _rankings(result: SetResult, mover: Mover, width: int) -> Iterator[Line]:
    """Both rankings side by side, as deep as the metric looks; documents that came and went are marked."""
    query = mover.query
    k = min(deepest_cut([mover.metric]) or SHOWN_RANKS, SHOWN_RANKS)
    cut = deepest_cut([mover.metric])
    came, went = map(set, came_and_went(query, cut))
    column = (width - 10) // 2
    old = [
        _document(one, "-" if one in went else " ", query.relevant)
        for one in (query.baseline_ranked or ())[:k]
    ]
    new = [_document(one, "+" if one in came else " ", query.relevant) for one in query.ranked[:k]]
    sides = [(shorten(harmless(result.baseline), column), shorten(harmless(result.retriever), column))]
    wide = min(column, max(map(cell_width, [sides[0][0], *old])))
    yield styled(f"        {pad(sides[0][0], wide)}  {sides[0][1]}", "faint")
    for rank, (left, right) in enumerate(zip_longest(old, new, fillvalue=""), start=1):
        yield styled(f"    {rank:>2}  {pad(shorten(left, wide), wide)}  {shorten(right, column)}".rstrip())
    for word, ids in (("lost", went), ("new", came)):
        relevant = [one for one in ids if judgement(one, query.relevant) == RELEVANT]
        if relevant:
            head = f"        {word} and relevant: "
            yield styled(head + listed(sorted(map(harmless, relevant)), width - len(head)))


def _document(name: str, sign: str, labels: Mapping[str, int]) -> str:
    return f"{sign}{MARKS[judgement(name, labels)]} {harmless(name)}"


def _unlike(result: SetResult, width: int) -> list[Line]:
    """What the sides do not have in common."""
    lines = []
    for word, ids in (
        (f"only in {harmless(result.retriever)}", result.added),
        (f"only in {harmless(result.baseline)}", result.removed),
        ("another text, not compared", result.changed),
    ):
        if ids:
            head = f"{word}, {len(ids)}: "
            lines.append(styled(head + listed([harmless(name) for name in ids], width - cell_width(head))))
    for note in result.notes:
        lines += [styled(text) for text in wrap(f"note: {harmless(note)}", width)]
    return lines
