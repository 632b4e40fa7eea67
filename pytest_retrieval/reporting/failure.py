"""The text of a gate that failed as a test: one line for the summary, the rest for the body."""

from __future__ import annotations

from collections.abc import Sequence

from pytest_retrieval.gating.verdict import IMPROVED, NOT_EVALUATED, REGRESSION, SUSPECTED, Verdict
from pytest_retrieval.reporting import wording
from pytest_retrieval.reporting.advice import advice, step_lines
from pytest_retrieval.reporting.printable import harmless, wrap
from pytest_retrieval.reporting.result import SetResult
from pytest_retrieval.reporting.worst import worst_lines, worst_queries


def kind_failure_lines(result: SetResult, node: str, width: int = 80) -> tuple[str, list[str]]:
    """Why the gate ``node`` failed: the reason in one line, and the lines of the body.

    The worst of several failing metrics gives the reason, the others are named after it.
    """
    failing = [
        row.verdict
        for row in result.gates
        if row.node == node
        and (wording.is_red(row.verdict, result.fail_on) or row.verdict.verdict == NOT_EVALUATED)
    ]
    if not failing:
        return "not evaluated: nothing was judged", []
    failing.sort(key=_worst_first)
    body = []
    for place, verdict in enumerate(failing):
        # The first one's sentence is the reason already, which stands above the body.
        facts = [_sentence(verdict)] if place else []
        facts += [power] if (power := wording.power(verdict)) else []
        body += wrap("; ".join(facts), width) if facts else []
    if node != result.node or not _a_kind_is_red(result):
        body += [line.text for line in worst_lines(worst_queries(result, failing), width)]
    body += [line.text for line in step_lines(advice(result, failing), width)]
    return _sentence(failing[0]) + _others(failing), body


def _a_kind_is_red(result: SetResult) -> bool:
    """Whether a kind's own failure names the worst queries, so that the file's need not."""
    return any(
        row.node != result.node and wording.is_red(row.verdict, result.fail_on) for row in result.gates
    )


def _worst_first(verdict: Verdict) -> tuple[bool, float]:
    if verdict.verdict in (REGRESSION, SUSPECTED):
        return verdict.verdict == SUSPECTED, verdict.difference or 0.0
    if wording.is_red(verdict):
        return False, (verdict.after or 0.0) - (verdict.floor or 0.0)
    return True, 0.0


def _sentence(verdict: Verdict) -> str:
    place = _place(verdict)
    metric = harmless(verdict.metric)
    if verdict.verdict == NOT_EVALUATED:
        return f"not evaluated: {place}{metric}: {harmless(verdict.reason) or 'no reason is known'}"
    if verdict.verdict not in (REGRESSION, SUSPECTED, IMPROVED):
        floor = wording.NONE if verdict.floor is None else wording.agreed(verdict.floor)
        return f"{place}{metric} {wording.score(verdict.after)}, floor {floor}, n {verdict.n}: below floor"
    moved = "rose" if verdict.verdict == IMPROVED else "fell"
    facts = [f"{place}{metric} {moved} {_size(verdict.difference)} ({wording.before_after(verdict)})"]
    if verdict.against != "baseline":
        facts.append(f"against the {verdict.against}")
    if verdict.interval is not None:
        facts.append(f"interval {wording.interval(verdict.interval)}")
    if verdict.margin is not None:
        facts.append(f"margin {wording.agreed(verdict.margin)}")
    stale = ", the baseline is stale" if verdict.verdict == IMPROVED else ""
    return f"{', '.join(facts)}, n {verdict.n}: {verdict.verdict}{stale}"


def _place(verdict: Verdict) -> str:
    # a kind is named by the node id already
    return "" if set(verdict.slice) <= {"kind"} else f"{wording.slice_label(verdict.slice)}: "


def _size(difference: float | None) -> str:
    return wording.score(None if difference is None else abs(difference))


def _others(failing: Sequence[Verdict]) -> str:
    first, *rest = failing
    names = []
    for verdict in rest:
        place = "" if verdict.slice == first.slice else f" of {wording.slice_label(verdict.slice)}"
        against = "" if verdict.against == first.against else f" against the {verdict.against}"
        state = "" if verdict.verdict == first.verdict else f" ({verdict.verdict})"
        names.append(f"{harmless(verdict.metric)}{place}{against}{state}")
    return "".join(f", and {name}" for name in names)
