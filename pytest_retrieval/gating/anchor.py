"""The anchor: the first baseline, kept so that small accepted drops cannot add up unseen.

Accepting a new baseline never moves the anchor; only a reason does, and the reasons stay in its file.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from pytest_retrieval.gating.baseline import Baseline, BaselineRow, rounded_means
from pytest_retrieval.gating.bounds import judge_within_bounds
from pytest_retrieval.gating.judging import Comparison
from pytest_retrieval.gating.pairing import pair
from pytest_retrieval.gating.policy import Policy
from pytest_retrieval.gating.verdict import ANCHOR, NOT_EVALUATED, REGRESSION, SUSPECTED, Verdict
from pytest_retrieval.retrieval.ranking import Ranking
from pytest_retrieval.scoring.evaluation import Evaluation, mark

SUFFIX = ".anchor.json"


def anchor_path(baseline: Path) -> Path:
    """Where the anchor of a baseline lies: beside it."""
    return baseline.with_name(baseline.name.removesuffix(".json") + SUFFIX)


def next_anchor(
    old: Baseline | None, anchor: Baseline | None, new: Baseline, evaluation: Evaluation
) -> Baseline | None:
    """The anchor from now on when ``new`` replaces the baseline ``old``; None where none is needed.

    It is the one there was, or else the old baseline as soon as a ranking differs. A query that is
    new, or has another text, joins with its first accepted ranking; one that is gone leaves.
    ``evaluation`` is what ``new`` was taken from.
    """
    if anchor is None and (old is None or not _replaces(new, old)):
        return None
    kept = anchor or old
    assert kept is not None
    known = kept.by_id()
    rows = tuple(_joined(row, known.get(row.id), kept.depth) for row in new.rows)
    golden, metrics = evaluation.golden, evaluation.metrics
    marked = mark(golden, {row.id: Ranking(row.ranked) for row in rows}, metrics, kept.depth)
    means = rounded_means(marked)
    return replace(kept, rows=rows, labels=new.labels, version=new.version, means=means)


def moved_anchor(anchor: Baseline | None, new: Baseline, reason: str) -> Baseline:
    """The new baseline as the anchor, with the reasons of all moves, oldest first."""
    return replace(new, reasons=(*(anchor.reasons if anchor else ()), reason))


def against_anchor(
    evaluation: Evaluation, anchor: Baseline, policy: Policy, fail_on: Sequence[str] = ()
) -> tuple[Verdict, ...]:
    """The verdicts that keep a run from becoming the baseline: what is red, and what cannot be compared.

    ``fail_on`` may name ``suspected`` as red: or every later run would be, with no way out.
    """
    paired = pair(evaluation, anchor, queries=evaluation.golden.queries)
    verdicts = judge_within_bounds((Comparison(paired, ANCHOR),), policy)
    red = {REGRESSION, NOT_EVALUATED, *({SUSPECTED} & set(fail_on))}
    return tuple(one for one in verdicts if one.verdict in red)


def _replaces(new: Baseline, old: Baseline) -> bool:
    """Whether a query that both hold has another ranking now."""
    before = old.by_id()
    return any(
        (row.ranked, row.repeats) != (before[row.id].ranked, before[row.id].repeats)
        for row in new.rows
        if row.id in before and row.text == before[row.id].text
    )


def _joined(row: BaselineRow, known: BaselineRow | None, depth: int) -> BaselineRow:
    """Today's row with the ranking of the anchor, or with its own as far as the anchor looks."""
    if known is not None and known.text == row.text:
        return replace(row, ranked=known.ranked, repeats=known.repeats)
    return replace(row, ranked=row.ranked[:depth], repeats=tuple(again[:depth] for again in row.repeats))
