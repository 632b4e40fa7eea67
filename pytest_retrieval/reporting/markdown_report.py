"""The report that is read first in a pull request: the verdict, one table, and details to unfold."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from pytest_retrieval.gating.verdict import (
    BASELINE,
    BELOW_FLOOR,
    IMPROVED,
    NOT_EVALUATED,
    REGRESSION,
    SUSPECTED,
    Verdict,
)
from pytest_retrieval.golden.whole_file import write_whole
from pytest_retrieval.reporting import wording
from pytest_retrieval.reporting.advice import Step, advice
from pytest_retrieval.reporting.compared_blocks import compared_blocks
from pytest_retrieval.reporting.fitting import Block, Size, fitted
from pytest_retrieval.reporting.headline import headline
from pytest_retrieval.reporting.markdown_text import code, head, row, sentence, slice_name
from pytest_retrieval.reporting.movers import Mover, movers
from pytest_retrieval.reporting.result import ERROR, NOT_RUN, SCORED, QueryResult, RunResult, SetResult
from pytest_retrieval.reporting.status import FAILED, INCOMPLETE, MEASURED, PASSED

T = TypeVar("T")

LIMIT = 65_536
"""Characters that GitHub takes in a comment."""

MARK = "<!-- pytest-retrieval -->"
"""The first line, by which a comment is found again."""

INTERVAL = "interval: of the change of the mean"
_SIGNS = {PASSED: "✅", MEASURED: "ℹ️", FAILED: "❌", INCOMPLETE: "⚠️"}
_URGENT = (REGRESSION, BELOW_FLOOR, SUSPECTED, NOT_EVALUATED, IMPROVED)
_SAID = {
    REGRESSION: "Got worse",
    BELOW_FLOOR: "Below the floor",
    SUSPECTED: "Suspected to be worse",
    IMPROVED: "Improved",
    NOT_EVALUATED: "Not evaluated",
}
_SHOWN_SLICES = 20
_SHOWN_QUERIES = 50  # more is for a page that can be searched
_SHOWN_DOCUMENTS = 5

Steps = Mapping[int, Sequence[Step]]
"""place of a set in the run -> what to do next about it"""


def write_markdown_report(path: Path, run: RunResult) -> None:
    """Write the report of a run in one step; raises OSError when the file system refuses."""
    write_whole(path, markdown_report(run))


def markdown_report(run: RunResult, limit: int = LIMIT, size: Size = len) -> str:
    """The report of a run in at most ``limit`` characters, or in what else ``size`` counts."""
    steps = {
        place: advice(result, [gate.verdict for gate in result.gates])
        for place, result in enumerate(run.sets)
    }
    return fitted(list(report_blocks(run, steps, INTERVAL, measured)), limit, size)


def report_blocks(
    run: RunResult, steps: Steps, interval: str, lead: Callable[[SetResult], str]
) -> Iterator[Block]:
    """The parts of a report, the most urgent first.

    ``interval`` says what that column holds, ``lead`` gives the sentence that opens a set.
    """
    sign = _SIGNS.get(run.status, "❌")
    yield Block(f"{MARK}\n## {sign} {headline(run)}", what="the headline")
    if not run.sets:
        yield Block("The run has judged no golden set, or it has not come to its end.", what="a remark")
    if run.left_out:
        yield Block(_left_out(run.left_out), what="the golden sets that were left out")
    for place, result in enumerate(run.sets):
        summary = _summary(result, steps.get(place, ()), lead(result))
        yield Block(summary, what=f"the summary of {result.node}")
        yield from _table(result, interval)
    for result in run.sets:
        yield from compared_blocks(result)
    for result in run.sets:
        yield from _details(result, len(run.sets) > 1)


def _left_out(nodes: Sequence[str]) -> str:
    more = f" and {len(nodes) - _SHOWN_SLICES} more" if len(nodes) > _SHOWN_SLICES else ""
    return f"Not asked and not judged: {', '.join(map(code, nodes[:_SHOWN_SLICES]))}{more}."


def measured(result: SetResult) -> str:
    """The sentence about one set: what was asked, and what it is compared with."""
    asked = f"**{code(result.node)}** asked {code(result.retriever)}"
    errors, not_run = result.count(ERROR), result.count(NOT_RUN)
    counts = (
        f"{result.count(SCORED)} of {len(result.queries)} queries scored, {errors} errors, {not_run} not run"
    )
    against = f", compared with {code(result.baseline)}" if result.gated and result.baseline else ""
    at = f" at {code(result.target)}" if result.target else ""
    return f"{asked}{only(result)}: {counts}{against}{at}."


def only(result: SetResult) -> str:
    """The declared filters, each behind a comma."""
    return "".join(
        f", only {code(name)} {code(wording.values(value, ' or '))}"
        for name, value in result.population.items()
    )


def _summary(result: SetResult, steps: Sequence[Step], lead: str) -> str:
    lines = [lead, ""]
    for word in _URGENT:
        lines += _said(word, [gate.verdict for gate in result.gates if gate.verdict.verdict == word])
    if result.gated and not any(gate.verdict.verdict in _URGENT for gate in result.gates):
        lines.append("- No change is larger than what was agreed, or than what luck explains.")
    for step in steps:
        command = (
            f"\n  ```sh\n  {step.command}\n  ```" if _is_plain(step.command) else code(step.command, 500)
        )
        lines.append(f"- **Next:** {sentence(step.sentence)}{command if step.command else ''}")
    return "\n".join(lines).rstrip()


def _is_plain(command: str) -> bool:
    """Whether nothing in a command can end a block of code."""
    return "`" not in command and "\n" not in command


def _said(word: str, verdicts: Sequence[Verdict]) -> Iterator[str]:
    """One line for each slice with this verdict."""
    slices: dict[str, list[Verdict]] = {}
    for verdict in verdicts:
        slices.setdefault(slice_name(verdict.slice), []).append(verdict)
    for label, rows in list(slices.items())[:_SHOWN_SLICES]:
        yield f"- {_SAID[word]}: **{label}**: {'; '.join(map(_fact, rows))}"
    if len(slices) > _SHOWN_SLICES:
        yield f"- {_SAID[word]}: and {len(slices) - _SHOWN_SLICES} more, see the table"


def _fact(verdict: Verdict) -> str:
    metric = sentence(verdict.metric)
    against = "" if verdict.against in (BASELINE, "floor") else f" since the {verdict.against}"
    if verdict.verdict == NOT_EVALUATED:
        return f"{metric}{against} ({sentence(verdict.reason)})"
    if verdict.floor is not None:
        return f"{metric} is {wording.score(verdict.after)}, floor {wording.agreed(verdict.floor)}"
    moved = "rose" if (verdict.difference or 0) > 0 else "fell"
    size = wording.score(abs(verdict.difference or 0))
    return f"{metric} {moved} {size}{against} ({wording.before_after(verdict)})"


_TITLES = ("", "metric", "n", "before", "after", "change", "interval", "better, worse, equal", "verdict")


def _table(result: SetResult, interval: str) -> Iterator[Block]:
    """Every gate, the urgent ones first."""
    if not result.gates:
        yield from _means(result)
        return
    gates = sorted((gate.verdict for gate in result.gates), key=_urgency)
    legend = f"{interval}; margins: {_margins(result)}" if result.gated else ""
    yield Block(head(_TITLES), tuple(map(_gate, gates)), f"\n{legend}" if legend else "", "rows of the table")


def _urgency(verdict: Verdict) -> int:
    return _URGENT.index(verdict.verdict) if verdict.verdict in _URGENT else len(_URGENT)


def _margins(result: SetResult) -> str:
    margins = sorted({gate.verdict.margin for gate in result.gates if gate.verdict.margin is not None})
    return " or ".join(map(wording.agreed, margins)) or wording.NONE


def _gate(verdict: Verdict) -> str:
    against = "" if verdict.against in (BASELINE, "floor") else f", since the {verdict.against}"
    before = wording.score(verdict.before)
    if verdict.floor is not None:
        before = f"floor {wording.agreed(verdict.floor)}"
    word = f"**{verdict.verdict}**" if verdict.verdict in _URGENT else verdict.verdict
    return row(
        (
            slice_name(verdict.slice),
            sentence(verdict.metric) + against,
            str(verdict.n),
            before,
            wording.score(verdict.after),
            wording.signed(verdict.difference),
            wording.interval(verdict.interval),
            wording.wins(verdict),
            word,
        )
    )


def _means(result: SetResult) -> Iterator[Block]:
    """The means, for a set without gates."""
    metrics = [metric for metric in result.metrics if any(metric in one.metrics for one in result.means)]
    rows = tuple(
        row(
            (
                slice_name(one.slice),
                str(one.n),
                *(wording.score(one.metrics.get(metric)) for metric in metrics),
            )
        )
        for one in result.means
    )
    if rows:
        yield Block(
            head(("", "n", *map(sentence, metrics)), len(metrics) + 1), rows, what="rows of the table"
        )


def _details(result: SetResult, named: bool) -> Iterator[Block]:
    """What is unfolded by who wants to know more; ``named`` tells that there are other sets."""
    place = f" of {code(result.node)}" if named else ""
    failed = [query for query in result.queries if query.outcome == ERROR or query.must_failed]
    if failed:
        yield _folded(f"Failed queries{place}", ("query", "text", "what happened"), failed, _failed)
    found = movers(result)
    losses, gains = (
        [one for one in found if one.change < 0],
        [one for one in reversed(found) if one.change > 0],
    )
    for words, chosen in (("Queries that got worse", losses), ("Queries that got better", gains)):
        if chosen:
            titles = ("query", "text", "kind", "metric", "before", "after", "expected", "was", "is")
            yield _folded(f"{words}{place}", titles, chosen, _mover)
    said = [gate.verdict for gate in result.gates if gate.verdict.reason]
    reasons = tuple(_reason(verdict) for verdict in said if verdict.verdict != NOT_EVALUATED)
    if reasons:
        yield _unfolded(f"What else is to be said of the verdicts{place}", reasons)
    if result.gates and result.means:
        (block, *_) = _means(result)
        yield Block(
            f"<details><summary>All means{place}</summary>\n\n{block.before}", block.rows, "\n</details>"
        )
    unlike = tuple(_differences(result))
    if unlike:
        yield _unfolded(f"What else differs{place}", unlike)


def _reason(verdict: Verdict) -> str:
    what = f"{slice_name(verdict.slice)}, {sentence(verdict.metric)}, {verdict.verdict}"
    return f"- {what}: {sentence(verdict.reason)}"


def _folded(summary: str, titles: Sequence[str], entries: Sequence[T], as_row: Callable[[T], str]) -> Block:
    before = f"<details><summary>{summary}: {len(entries)}</summary>\n\n{head(titles)}"
    more = len(entries) - _SHOWN_QUERIES
    told = f"\n{more} more queries stand in the JSON and HTML reports.\n" if more > 0 else ""
    return Block(before, tuple(map(as_row, entries[:_SHOWN_QUERIES])), f"{told}\n</details>", "queries")


def _unfolded(summary: str, remarks: tuple[str, ...]) -> Block:
    return Block(f"<details><summary>{summary}</summary>\n", remarks, "\n</details>", "remarks")


def _failed(query: QueryResult) -> str:
    return row((code(query.id), code(query.text), code(query.error or "; ".join(query.must_failed))))


def _mover(mover: Mover) -> str:
    query = mover.query
    wanted = sorted(query.relevant.items(), key=lambda item: (-item[1], item[0]))
    expected = [name for name, grade in wanted if grade > 0]
    return row(
        (
            code(query.id),
            code(query.text),
            code(query.kind),
            sentence(mover.metric),
            wording.score(mover.before),
            wording.score(mover.after),
            _documents(expected),
            _documents(query.baseline_ranked or ()),
            _documents(query.ranked),
        )
    )


def _documents(names: Sequence[str]) -> str:
    shown = ", ".join(code(name, 80) for name in names[:_SHOWN_DOCUMENTS])
    rest = len(names) - _SHOWN_DOCUMENTS
    return (shown + (f" and {rest} more" if rest > 0 else "")) or "nothing"


def _differences(result: SetResult) -> Iterator[str]:
    for words, ids in (
        ("Not in the baseline yet", result.added),
        ("Only in the baseline", result.removed),
        ("Another text than in the baseline, not compared", result.changed),
        ("Old rankings scored under today's labels", result.relabelled),
    ):
        if ids:
            yield f"- {words}: {len(ids)}: {_documents(ids)}"
    for note in result.notes:
        yield f"- {sentence(note)}"
