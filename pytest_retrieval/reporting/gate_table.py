"""The judged slices as tables: one for each metric and opponent, one for the floors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pytest_retrieval.gating.verdict import ANCHOR, BASELINE, NOT_EVALUATED, PASS, UNCHANGED, Verdict
from pytest_retrieval.reporting import wording
from pytest_retrieval.reporting.line import Line, styled
from pytest_retrieval.reporting.printable import cell_width, harmless, wrap
from pytest_retrieval.reporting.result import SetResult
from pytest_retrieval.reporting.table import Row, name_room, table

INTERVAL = "interval: of the change of the mean"
WIDE = 110
DETAIL_INDENT = "      "
_LONGEST_WAITED_FOR = 24


@dataclass(frozen=True, slots=True)
class _Layout:
    """How much a row says itself; what it leaves out is said by a detail line below it."""

    gap: int
    interval_digits: int | None
    chances: bool


_LAYOUTS = (
    _Layout(2, 3, True),
    _Layout(2, 3, False),
    _Layout(1, 2, False),
    _Layout(2, None, False),
    _Layout(1, None, False),
)
"""From the richest to the leanest."""


def gate_lines(result: SetResult, width: int, interval: str = INTERVAL) -> list[Line]:
    """All gates of one set; empty where there are none. ``interval`` says what that column holds."""
    verdicts = [row.verdict for row in result.gates]
    groups: dict[tuple[str, str], list[Verdict]] = {}
    for verdict in verdicts:
        if verdict.against != "floor":
            groups.setdefault((verdict.metric, verdict.against), []).append(verdict)
    lines: list[Line] = []
    for (metric, against), group in groups.items():
        opponent = _opponent(result, against)
        if against == ANCHOR and [replace(one, against=BASELINE) for one in group] == groups.get(
            (metric, BASELINE)
        ):
            lines.append(styled(f"{harmless(metric)} against {opponent}: the same", "bold"))
        else:
            lines += _comparison(metric, opponent, group, width)
    if any(verdict.better is not None for group in groups.values() for verdict in group):
        legend = f"queries: + better, - worse, = equal; {interval}"
        lines += [styled(text, "faint") for text in wrap(legend, width, "  ")]
    floors = [verdict for verdict in verdicts if verdict.against == "floor"]
    return lines + (_floors(floors, width) if floors else [])


def _opponent(result: SetResult, against: str) -> str:
    at = f" at {harmless(result.target)}" if result.target else ""
    if against == BASELINE and result.baseline:
        return harmless(result.baseline) + at
    return f"the {against}{at}"


def _comparison(metric: str, opponent: str, verdicts: Sequence[Verdict], width: int) -> list[Line]:
    margins = {verdict.margin for verdict in verdicts if verdict.margin is not None}
    same_margin = f", margin {wording.agreed(*margins)}" if len(margins) == 1 else ""
    heading = f"{harmless(metric)} against {opponent}{same_margin}"
    reasons = {verdict.reason for verdict in verdicts}
    if len(reasons) == 1 and all(verdict.verdict == NOT_EVALUATED for verdict in verdicts):
        text = f"{heading}: not evaluated: {harmless(verdicts[0].reason)}"
        return [styled(part, "yellow") for part in wrap(text, width)]
    lines = [styled(part, "bold") for part in wrap(heading, width)]
    names = [wording.slice_label(verdict.slice) for verdict in verdicts]
    # the label of the small kinds together is long by nature and may stand on its own line
    short = [name for name, verdict in zip(names, verdicts, strict=True) if "kinds" not in verdict.slice]
    waited_for = min(max(map(cell_width, short), default=0), _LONGEST_WAITED_FOR)
    layouts = _LAYOUTS if width >= WIDE else _LAYOUTS[1:]
    for layout in layouts:
        titles, rows = _rows(names, verdicts, layout, len(margins) > 1, width)
        if name_room(titles, rows, width, layout.gap) >= waited_for:
            break
    return lines + table(titles, rows, width, layout.gap, left=1)


def _rows(
    names: Sequence[str], verdicts: Sequence[Verdict], layout: _Layout, with_margin: bool, width: int
) -> tuple[list[str], list[Row]]:
    titles = ["", "n", "before   after", "change"]
    titles += ["interval"] if layout.interval_digits is not None else []
    titles += ["+ - ="]
    titles += ["margin"] if with_margin else []
    titles += ["p", "adjusted", "can see"] if layout.chances else []
    rows = []
    for name, verdict in zip(names, verdicts, strict=True):
        cells = [name, str(verdict.n), wording.before_after(verdict), wording.signed(verdict.difference)]
        if layout.interval_digits is not None:
            cells.append(wording.interval(verdict.interval, layout.interval_digits))
        cells.append(wording.wins(verdict))
        if with_margin:
            cells.append(wording.NONE if verdict.margin is None else wording.agreed(verdict.margin))
        if layout.chances:
            cells += [
                wording.probability(verdict.p),
                wording.probability(verdict.p_adjusted),
                wording.score(verdict.detectable_drop),
            ]
        style = wording.STYLES.get(verdict.verdict, "")
        rows.append(
            Row((*((cell, "") for cell in cells), (verdict.verdict, style)), _details(verdict, layout, width))
        )
    return [*titles, "verdict"], rows


def _details(verdict: Verdict, layout: _Layout, width: int) -> tuple[Line, ...]:
    parts = []
    if verdict.reason:
        parts.append(harmless(verdict.reason))
    if layout.interval_digits is None and verdict.interval is not None:
        parts.append(f"interval {wording.interval(verdict.interval)}")
    parts.append(_chances(verdict, layout))
    return _detail_lines([part for part in parts if part], width)


def _chances(verdict: Verdict, layout: _Layout) -> str:
    """What the columns do not say: all of it for a row that needs a look, its power for every row."""
    if layout.chances:
        return wording.ability(replace(verdict, detectable_drop=None))
    return wording.ability(verdict) if verdict.verdict in (PASS, UNCHANGED) else wording.power(verdict)


def _detail_lines(parts: Sequence[str], width: int) -> tuple[Line, ...]:
    if not parts:
        return ()
    lines = wrap("; ".join(parts), width, DETAIL_INDENT, DETAIL_INDENT)
    return tuple(styled(text, "faint") for text in lines)


def _floors(verdicts: Sequence[Verdict], width: int) -> list[Line]:
    rows = []
    for verdict in verdicts:
        cells = [
            wording.slice_label(verdict.slice),
            str(verdict.n),
            wording.NONE if verdict.floor is None else wording.agreed(verdict.floor),
            wording.score(verdict.after),
            harmless(verdict.metric),
        ]
        verdict_cell = (verdict.verdict, wording.STYLES.get(verdict.verdict, ""))
        reason = [harmless(verdict.reason)] if verdict.reason else []
        rows.append(Row((*((cell, "") for cell in cells), verdict_cell), _detail_lines(reason, width)))
    return [
        styled("floors", "bold"),
        *table(["", "n", "floor", "mean", "metric", "verdict"], rows, width, left=2),
    ]
