"""One word for the whole run: what a dashboard or a next build step reads first."""

from __future__ import annotations

from collections.abc import Sequence

from pytest_retrieval.gating.verdict import BELOW_FLOOR, NOT_EVALUATED, REGRESSION, TOO_FEW
from pytest_retrieval.reporting.result import SCORED, SetResult

REGRESSED = "regression"
INCOMPLETE = "incomplete"
FAILED = "failed"
PASSED = "pass"
MEASURED = "measured"


def run_status(sets: Sequence[SetResult], complete: bool = True) -> str:
    """The status of a run, the first of these that applies.

    ``regression``: a regression or a floor that is broken. ``incomplete``: something that
    was asked for was not judged (no set at all, a query without a score, a gate that is
    not evaluated, a gated set of which nothing was compared with its baseline, or
    ``complete`` is False because the selection left something out). ``failed``: a query
    broke its own contract. ``pass``: every gate that was asked for was judged.
    ``measured``: no gate was asked for.
    """
    verdicts = [row.verdict.verdict for result in sets for row in result.gates]
    if REGRESSION in verdicts or BELOW_FLOOR in verdicts:
        return REGRESSED
    if not complete or not sets or any(_unjudged(result) for result in sets):
        return INCOMPLETE
    if any(query.must_failed for result in sets for query in result.queries):
        return FAILED
    return PASSED if verdicts else MEASURED


def _unjudged(result: SetResult) -> bool:
    if any(query.outcome != SCORED for query in result.queries):
        return True
    if any(row.verdict.verdict == NOT_EVALUATED for row in result.gates):
        return True
    compared = any(row.verdict.against != "floor" and row.verdict.verdict != TOO_FEW for row in result.gates)
    return result.gated and not compared
