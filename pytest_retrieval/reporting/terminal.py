"""One golden set's result for people at a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from pytest_retrieval.reporting import wording
from pytest_retrieval.reporting.advice import advice, step_lines
from pytest_retrieval.reporting.diagnosis_table import diagnosis_lines
from pytest_retrieval.reporting.failure import kind_failure_lines
from pytest_retrieval.reporting.gate_table import gate_lines
from pytest_retrieval.reporting.line import Line, styled
from pytest_retrieval.reporting.noise import noise_lines
from pytest_retrieval.reporting.printable import clip, harmless, listed, wrap
from pytest_retrieval.reporting.result import ERROR, NOT_RUN, SCORED, MeanRow, SetResult, Unanswerable
from pytest_retrieval.reporting.table import Row, wrapped_table
from pytest_retrieval.reporting.worst import worst_lines, worst_queries

__all__ = ["kind_failure_lines", "set_lines"]

NARROWEST = 80
_LONGEST_ERROR = 300


def set_lines(result: SetResult, width: int) -> list[Line]:
    """The whole story of one set in lines of at most ``width`` cells (at least 80).

    Only an id, a path or a command that somebody may copy can be wider. Everything that
    came from outside is harmless; the furniture is ASCII.
    """
    width = max(width, NARROWEST)
    verdicts = [row.verdict for row in result.gates]
    return [
        *_title(result, width),
        *_means(result, width),
        *(noise_lines(result.noise, width) if result.noise else ()),
        *(diagnosis_lines(result.diagnosis, width) if result.diagnosis else ()),
        *gate_lines(result, width),
        *worst_lines(worst_queries(result, verdicts), width),
        *_differences(result, width),
        *step_lines(advice(result, verdicts), width),
    ]


def _title(result: SetResult, width: int) -> list[Line]:
    asked = [harmless(result.retriever), f"depth {result.depth}"]
    if result.version is not None:
        asked.append(f"labels version {harmless(result.version)}")
    for name, value in result.population.items():
        asked.append(f"only {harmless(name)} {wording.values(value, ' or ')}")
    first, *rest = wrap(f"{harmless(result.node)}: {', '.join(asked)}", width)
    errors, not_run = result.count(ERROR), result.count(NOT_RUN)
    calls = _calls(result)
    counts = f"  {result.count(SCORED)} of {len(result.queries)} queries scored"
    troubled = "yellow" if errors or not_run else ""
    return [
        styled(first, "bold"),
        *(styled(text, "bold") for text in rest),
        Line(((counts, ""), (f", {errors} errors, {not_run} not run", troubled))),
        *(_unanswerable(result.unanswerable, width) if result.unanswerable else []),
        *(_local(result, width) if result.local else []),
        *([styled(f"  {calls}")] if calls else []),
        *_nothing_evaluated(result, width),
    ]


def _unanswerable(apart: Unanswerable, width: int) -> list[Line]:
    """The queries that no document answers: in no mean, and so told apart."""
    facts = [f"{apart.n} without an answer, in no mean: {apart.empty} of {apart.asked} answered with nothing"]
    if apart.top_scores:
        least, most = apart.top_scores
        facts.append(f"best scores {least:.6g} to {most:.6g}")
    if apart.must:
        facts.append(f"{apart.broken} of {apart.must} contracts broken")
    return [styled(text) for text in wrap(", ".join(facts), width, first="  ", rest="    ")]


def _local(result: SetResult, width: int) -> list[Line]:
    """The local questions, which nobody else has."""
    files = ", ".join(dict.fromkeys(harmless(query.local or "") for query in result.local))
    scored = sum(query.outcome == SCORED for query in result.local)
    means = ", ".join(
        f"{harmless(metric)} {wording.score(mean)}" for metric, mean in result.local_means.items()
    )
    text = (
        f"local: {scored} of {len(result.local)} queries of {files} scored, in no table, gate or baseline"
        f"{': ' if means else ''}{means}"
    )
    return [styled(line) for line in wrap(text, width, first="  ", rest="    ")]


def _calls(result: SetResult) -> str:
    """What asking took, in time and in the user's unit of cost."""
    facts = []
    if result.latency:
        shown = ", ".join(f"{name} {wording.duration(seconds)}" for name, seconds in result.latency.items())
        facts.append(f"latency {shown}")
    if result.cost is not None:
        facts.append(f"cost {result.cost:.6g}")
    return ", ".join(facts)


def _nothing_evaluated(result: SetResult, width: int) -> list[Line]:
    """The one line that matters where every query failed."""
    errors = [query.error or "" for query in result.queries if query.outcome == ERROR]
    if not errors or len(errors) < len(result.queries):
        return []
    alike = len(set(errors)) == 1 and len(errors) > 1
    told = f"{'each' if alike else 'the first'} with {clip(harmless(errors[0]), _LONGEST_ERROR)}"
    text = f"nothing was evaluated: all {len(errors)} queries failed, {told}"
    return [styled(f"  {line}", "red") for line in wrap(text, width - 2)]


def _means(result: SetResult, width: int) -> list[Line]:
    if not result.means:
        return []
    present = {metric for row in result.means for metric in row.metrics}
    metrics = list(dict.fromkeys([*result.metrics, *result.gate_metrics, *sorted(present)]))
    kinds_first = sorted(result.means, key=lambda row: not row.slice)
    rows = [
        Row(
            (
                (wording.slice_label(row.slice), ""),
                (str(row.n), ""),
                *((wording.score(row.metrics.get(metric)), "") for metric in metrics),
            )
        )
        for row in kinds_first
    ]
    lines = wrapped_table(["", "n", *map(harmless, metrics)], rows, width, repeated=2)
    # A gate has an interval of its own, that of the change, which answers what was asked.
    return lines if result.gated else [*lines, *_intervals(result, kinds_first, metrics, width)]


def _intervals(result: SetResult, means: Sequence[MeanRow], metrics: Sequence[str], width: int) -> list[Line]:
    """How sure the means are, and how many of how many where they are shares."""
    known = [metric for metric in metrics if any(metric in row.intervals for row in means)]
    if not known:
        return []
    rows = [
        Row(
            (
                (wording.slice_label(row.slice), ""),
                *((wording.range_of_mean(row, metric), "") for metric in known),
            )
        )
        for row in means
    ]
    title = f"{result.confidence * 100:.6g} % intervals of the means"
    return [styled(title, "bold"), *wrapped_table(["", *map(harmless, known)], rows, width, repeated=1)]


def _differences(result: SetResult, width: int) -> list[Line]:
    lines = []
    for word, meaning, ids in (
        ("added", "not in the baseline yet", result.added),
        ("removed", "only in the baseline", result.removed),
        ("changed", "another text than in the baseline, not compared", result.changed),
        ("relabelled", "old rankings scored under today's labels", result.relabelled),
    ):
        if ids:
            head = f"{word} {len(ids)} ({meaning}): "
            lines.append(styled(head + listed([harmless(name) for name in ids], width - len(head))))
    for note in result.notes:
        lines += [styled(text) for text in wrap(f"note: {harmless(note)}", width)]
    return lines
