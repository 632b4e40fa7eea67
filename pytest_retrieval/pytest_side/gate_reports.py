"""Gates as test reports: which node fails and why, and how pytest is told.

A gate reports under the node id of its collector (the kind, or the file), so the id after
FAILED can be pasted, and ``--lf`` runs the whole kind again.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

import pytest

from pytest_retrieval.gating.verdict import NOT_EVALUATED, TOO_FEW
from pytest_retrieval.pytest_side.assembly import kind_node
from pytest_retrieval.pytest_side.details import gate_properties
from pytest_retrieval.reporting.result import ERROR, SCORED, GateRow, SetResult
from pytest_retrieval.reporting.terminal import kind_failure_lines
from pytest_retrieval.reporting.wording import is_red

if TYPE_CHECKING:
    from pytest_retrieval.pytest_side.golden_run import GoldenRun


@dataclass(frozen=True)
class NodeOutcome:
    """What the ``gates`` of one node come to; ``message`` is one line, ``body`` the rest."""

    node: str
    outcome: Literal["passed", "failed", "skipped"]
    message: str = ""
    body: tuple[str, ...] = ()
    gates: tuple[GateRow, ...] = ()


def node_outcomes(run: GoldenRun, result: SetResult) -> list[NodeOutcome]:
    """One outcome per judged node: the kinds in the golden set's order, then the file.

    In an accidental selection only complete kinds report, since a report for the rest would
    wipe their failures from pytest's memory of the last run; when a comparison was asked for
    and no kind at all was judged, the file fails.
    """
    plan = run.plan
    whole = {kind_node(plan, kind) for kind in run.whole_kinds()} if run.partial else None
    rows: dict[str, list[GateRow]] = {}
    for kind in dict.fromkeys(query.kind for query in plan.queries):
        rows[kind_node(plan, kind)] = []
    rows[plan.node] = []
    for gate in result.gates:
        rows[gate.node].append(gate)
    outcomes = [
        replace(_node_outcome(node, gates, result), gates=tuple(gates))
        for node, gates in rows.items()
        if gates and (whole is None or node in whole)
    ]
    failed = any(one.outcome == "failed" for one in outcomes)
    if run.tolerated and not failed and not result.count(SCORED):
        message = f"nothing was evaluated: all {result.count(ERROR)} queries failed"
        outcomes = [one for one in outcomes if one.node != plan.node]
        outcomes.append(NodeOutcome(plan.node, "failed", message))
    if whole is not None and result.gated and not _any_judged(result, whole):
        left_out = len(plan.queries) - len(run.whole_queries())
        outcomes.append(
            NodeOutcome(
                plan.node,
                "failed",
                f"not evaluated: {left_out} of {len(plan.queries)} queries were not selected, "
                "and no complete kind could be judged: run the whole file, or a whole kind",
            )
        )
    return outcomes


def gone(baseline: str, ref: str) -> NodeOutcome:
    """The failure of a baseline that the target branch holds and nothing here answers for."""
    return NodeOutcome(
        baseline,
        "failed",
        f"not evaluated: {ref} holds this baseline, and its golden set or retriever is gone here: nothing "
        "measures that search any more; restore it, or leave the decision to the reviewer of the merge",
    )


def _any_judged(result: SetResult, nodes: set[str]) -> bool:
    return any(
        gate.node in nodes and gate.verdict.verdict not in (TOO_FEW, NOT_EVALUATED) for gate in result.gates
    )


def _node_outcome(node: str, gates: list[GateRow], result: SetResult) -> NodeOutcome:
    verdicts = {gate.verdict.verdict for gate in gates}
    red = any(is_red(gate.verdict, result.fail_on) for gate in gates)
    if red or NOT_EVALUATED in verdicts:
        message, body = kind_failure_lines(result, node)
        if red or result.gated or result.count(ERROR):
            return NodeOutcome(node, "failed", message, tuple(body))
        # Only floors were asked for, and the project itself skipped the questions.
        return NodeOutcome(node, "skipped", message)
    if verdicts == {TOO_FEW}:
        return NodeOutcome(node, "skipped", f"too few queries to judge alone: {gates[0].verdict.reason}")
    return NodeOutcome(node, "passed")


@dataclass
class _Crash:
    """What readers of ``longrepr.reprcrash`` ask for."""

    path: str
    lineno: int
    message: str


@dataclass
class _FailureText:
    """A failure without a traceback: the terminal, the short summary and junit read it."""

    reprcrash: _Crash
    body: tuple[str, ...]

    def __str__(self) -> str:
        return "\n".join([self.reprcrash.message, *self.body])

    def toterminal(self, tw: Any) -> None:
        tw.line(self.reprcrash.message, red=True, bold=True)
        for line in self.body:
            tw.line(line)


def emit(config: pytest.Config, outcome: NodeOutcome) -> None:
    """Report one node's gates as an ordinary test, in all three phases.

    A call report alone would be dropped by pytest-html.
    """
    hook = config.hook
    path, _, domain = outcome.node.partition("::")
    location = (path, None, domain or path)
    hook.pytest_runtest_logstart(nodeid=outcome.node, location=location)
    for when in ("setup", "call", "teardown"):
        longrepr: Any = None
        if when == "call" and outcome.outcome == "failed":
            longrepr = _FailureText(_Crash(path, 0, outcome.message), outcome.body)
        elif when == "call" and outcome.outcome == "skipped":
            longrepr = (path, 0, f"Skipped: {outcome.message}")
        report = pytest.TestReport(
            nodeid=outcome.node,
            location=location,
            keywords={"retrieval": 1},
            outcome=outcome.outcome if when == "call" else "passed",
            longrepr=longrepr,
            when=when,
            duration=0.0,
            user_properties=gate_properties(outcome.gates),
            start=0.0,
            stop=0.0,
        )
        hook.pytest_runtest_logreport(report=report)
    hook.pytest_runtest_logfinish(nodeid=outcome.node, location=location)
