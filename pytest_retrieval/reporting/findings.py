"""What is wrong, each with the line of the golden file: for annotations in a diff."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pytest_retrieval.gating.verdict import NOT_EVALUATED, Verdict
from pytest_retrieval.reporting import wording
from pytest_retrieval.reporting.failure import kind_failure_lines
from pytest_retrieval.reporting.result import ERROR, QueryResult, RunResult, SetResult
from pytest_retrieval.reporting.worst import worst_queries


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong: ``title`` in a few words, ``message`` in one sentence, without control signs.

    ``check`` is the kind of finding, ``subject`` the node or query: both together name it from run
    to run. ``path`` is relative to the checkout. ``grave`` findings fail the build.
    """

    check: str
    subject: str
    path: str
    line: int
    title: str
    message: str
    grave: bool = True


def findings(run: RunResult) -> list[Finding]:
    """The failing gates of all sets, then the failed queries, then the worst queries of red slices."""
    sets = [(result, run.in_checkout(result.golden)) for result in run.sets]
    return [
        *(one for result, path in sets for one in _gates(result, path)),
        *(one for result, path in sets for one in _failed(result, path)),
        *(one for result, path in sets for one in _worst(result, path)),
    ]


def _gates(result: SetResult, path: str) -> Iterator[Finding]:
    # what a kind says is more than what it does to the whole
    kinds_first = sorted(dict.fromkeys(row.node for row in result.gates), key=lambda one: one == result.node)
    for node in kinds_first:
        verdicts = [row.verdict for row in result.gates if row.node == node]
        if any(_fails(verdict, result) for verdict in verdicts):
            message, _ = kind_failure_lines(result, node)
            name = node.removeprefix(f"{result.golden}::") if node != result.golden else "the whole set"
            yield Finding(
                "retrieval-gate", node, path, _line(result, verdicts), f"retrieval: {name}", message
            )


def _fails(verdict: Verdict, result: SetResult) -> bool:
    unjudged = verdict.verdict == NOT_EVALUATED and result.gated
    return unjudged or wording.is_red(verdict, result.fail_on)


def _line(result: SetResult, verdicts: list[Verdict]) -> int:
    """The first query of a kind, the first line of the file for other slices."""
    kinds = {verdict.slice.get("kind") for verdict in verdicts}
    lines = [query.line for query in result.queries if query.kind in kinds]
    return max(1, min(lines, default=1))


def _failed(result: SetResult, path: str) -> Iterator[Finding]:
    for query in result.queries:
        if query.outcome == ERROR or query.must_failed:
            what = query.error or f"must: {'; '.join(query.must_failed)}"
            grave = query.outcome != ERROR or not result.tolerable
            yield _of_query("retrieval-query", result, query, path, what, grave)


def _worst(result: SetResult, path: str) -> Iterator[Finding]:
    for entry in worst_queries(result, [row.verdict for row in result.gates]):
        if entry.query.must_failed:
            continue  # which is told already
        text = f", {entry.query.text!r}" if entry.query.text else ""
        yield _of_query(
            "retrieval-worst", result, entry.query, path, f"{entry.metric} {entry.change}{text}", grave=False
        )


def _of_query(
    check: str, result: SetResult, query: QueryResult, path: str, message: str, grave: bool
) -> Finding:
    name = query.id if result.variant is None else f"{result.variant}::{query.id}"
    return Finding(check, name, path, max(1, query.line), f"retrieval: {name}", message, grave)
