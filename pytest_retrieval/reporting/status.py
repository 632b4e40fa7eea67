"""One word for the whole run: what a dashboard or a next build step reads first."""

from __future__ import annotations

from collections.abc import Sequence

from pytest_retrieval.gating.verdict import NOT_EVALUATED, TOO_FEW
from pytest_retrieval.reporting.result import ERROR, NOT_RUN, SetResult
from pytest_retrieval.reporting.wording import is_red

REGRESSED = "regression"
INCOMPLETE = "incomplete"
FAILED = "failed"
PASSED = "pass"
MEASURED = "measured"


def run_status(sets: Sequence[SetResult], complete: bool = True) -> str:
    """The status of a run, the first of these that applies.

    ``regression``: a regression, a floor that is broken, or what else was to make the build red.
    ``incomplete``: something that was asked for was not judged (no set at all, failed queries that
    are not let pass, a gate that is not evaluated, a gated set of which nothing was
    compared with its baseline, or ``complete`` is False because the selection left something out).
    ``failed``: a query broke its own contract, or a local question failed. ``pass``: every gate that
    was asked for was judged. ``measured``: no gate was asked for.
    """
    verdicts = [row.verdict.verdict for result in sets for row in result.gates]
    if any(is_red(row.verdict, result.fail_on) for result in sets for row in result.gates):
        return REGRESSED
    if not complete or not sets or any(_unjudged(result) for result in sets):
        return INCOMPLETE
    asked = [query for result in sets for query in (*result.queries, *result.local)]
    # An error of the set itself is told above: it keeps things from being judged.
    if any(query.must_failed or (query.local and query.outcome == ERROR) for query in asked):
        return FAILED
    return PASSED if verdicts else MEASURED


def _unjudged(result: SetResult) -> bool:
    if result.count(NOT_RUN) or not result.tolerable:
        return True
    if any(row.verdict.verdict == NOT_EVALUATED for row in result.gates):
        return True
    compared = any(row.verdict.against != "floor" and row.verdict.verdict != TOO_FEW for row in result.gates)
    return result.gated and not compared
