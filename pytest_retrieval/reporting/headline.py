"""A run in a sentence, and a set in a few words: what stands at the top of a page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from pytest_retrieval.gating.verdict import BELOW_FLOOR, IMPROVED, REGRESSION, VERDICTS, Verdict
from pytest_retrieval.reporting import wording
from pytest_retrieval.reporting.result import RunResult, SetResult
from pytest_retrieval.reporting.status import FAILED, INCOMPLETE, MEASURED, PASSED, REGRESSED

_HEADLINES = {
    INCOMPLETE: "Not everything was judged",
    FAILED: "A query broke its own contract",
    PASSED: "No regression was found",
    MEASURED: "Measured, and compared with nothing",
}


def headline(run: RunResult) -> str:
    """The status of a run as people say it."""
    if run.status != REGRESSED:
        return _HEADLINES.get(run.status, run.status)
    words = {row.verdict.verdict for result in run.sets for row in result.gates}
    if REGRESSION in words:
        return "Search got worse"
    if BELOW_FLOOR in words:
        return "Search is below a floor"
    red = {
        row.verdict.verdict
        for result in run.sets
        for row in result.gates
        if wording.is_red(row.verdict, result.fail_on)
    }
    return (
        "Search improved, and the baseline is stale"
        if red == {IMPROVED}
        else "Search is suspected to be worse"
    )


def verdict_counts(sets: Iterable[SetResult]) -> Mapping[str, int]:
    """How many gates got each verdict: the most urgent words first, none that nobody got."""
    counts = Counter(row.verdict.verdict for result in sets for row in result.gates)
    urgent_first = (REGRESSION, BELOW_FLOOR, *VERDICTS)
    return {word: counts[word] for word in dict.fromkeys(urgent_first) if counts[word]}


def worse_slices(result: SetResult) -> tuple[str, ...]:
    """The labels of the slices with a gate that is red for what was lost."""
    return _labels(
        row.verdict
        for row in result.gates
        if wording.is_red(row.verdict, result.fail_on) and row.verdict.verdict != IMPROVED
    )


def better_slices(result: SetResult) -> tuple[str, ...]:
    """The labels of the slices with an improved gate."""
    return _labels(row.verdict for row in result.gates if row.verdict.verdict == IMPROVED)


def compared_pairs(result: SetResult) -> tuple[tuple[str, str], ...]:
    """The other retriever and the metric of each comparison in which this one stands second."""
    return tuple(dict.fromkeys((row.other, row.metric) for row in result.compared))


def _labels(verdicts: Iterable[Verdict]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(wording.slice_label(verdict.slice) for verdict in verdicts))
