"""What an update of a baseline changes: old and new means by kind."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pytest_retrieval.reporting import wording
from pytest_retrieval.reporting.line import Line, Segment, styled
from pytest_retrieval.reporting.printable import harmless, wrap
from pytest_retrieval.reporting.table import Row, wrapped_table

Means = Mapping[str, Mapping[str, float]]
"""kind, or "all" -> metric -> mean (0 to 1)"""


def update_lines(golden: str, baseline_path: str, old: Means | None, new: Means, width: int) -> list[Line]:
    """A heading and a table with kinds as rows, ``all`` last, and ``old -> new`` means.

    Kinds that only the old baseline has are listed too. ``old`` is None where there was
    no baseline; the new means stand alone then.
    """
    what = "new baseline, means" if old is None else "baseline means, old -> new"
    heading = f"{harmless(golden)}: {what}: {harmless(baseline_path)}"
    before = old or {}
    kinds = sorted(dict.fromkeys([*new, *before]), key=lambda kind: kind == "all")
    metrics = list(dict.fromkeys(metric for means in (*new.values(), *before.values()) for metric in means))
    rows = []
    for kind in kinds:
        after = new.get(kind, {})
        if old is None:
            cells = [(wording.score(after.get(metric)), "") for metric in metrics]
        else:
            cells = [_change(before.get(kind, {}).get(metric), after.get(metric)) for metric in metrics]
        rows.append(Row(((harmless(kind), ""), *cells)))
    lines = [styled(text, "bold") for text in wrap(heading, width)]
    return lines + wrapped_table(["", *map(harmless, metrics)], rows, width, repeated=1)


def accepted_changes(theirs: Means, ours: Means) -> Iterator[str]:
    """A sentence for each kind whose means a branch's own baseline moves, against the target branch's."""
    if not ours:
        yield "this branch removes the baseline"
        return
    for kind in sorted({*theirs, *ours}, key=lambda kind: (kind == "all", kind)):
        before, after = theirs.get(kind, {}), ours.get(kind, {})
        moved = [
            f"{metric} {was} -> {now}"
            for metric in dict.fromkeys([*before, *after])
            if (was := wording.score(before.get(metric))) != (now := wording.score(after.get(metric)))
        ]
        if moved:
            yield f"this branch's own baseline accepts for {kind}: {', '.join(moved)}"


def _change(old: float | None, new: float | None) -> Segment:
    before, after = wording.score(old), wording.score(new)
    style = ""
    if old is not None and new is not None and before != after:
        style = "green" if new > old else "red"
    return f"{before} -> {after}", style
