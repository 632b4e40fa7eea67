"""The controller: one object in the process that owns the exit status, a method per event."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest

from pytest_retrieval.pytest_side.discovery import (
    OFFERED,
    PLANS,
    file_of,
    plans_of,
    received_offered,
)
from pytest_retrieval.pytest_side.options import OWNED_ELSEWHERE, SETTINGS

if TYPE_CHECKING:
    from pytest_retrieval.pytest_side.assembly import Asked
    from pytest_retrieval.pytest_side.golden_run import GoldenRun
    from pytest_retrieval.pytest_side.plan import Plan
    from pytest_retrieval.reporting.line import Line
    from pytest_retrieval.reporting.result import SetResult


class Controller:
    """Gathers outcomes from reports, wherever they were made, and tells the verdicts."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.settings = config.stash[SETTINGS]
        self.session: pytest.Session | None = None
        self.runs: dict[str, GoldenRun] | None = None
        self._by_node: dict[str, tuple[GoldenRun, Asked]] = {}
        self._files: set[str] = set()
        self._offered: set[str] = set()
        self._left_out: list[str] = []
        self._gone: list[str] = []
        self._broken = False
        """Whether something failed that no result tells: a worker, or writing the rankings."""
        self._finished = False
        self._lines: list[Line] = []
        self._annotations: list[str] = []
        self._unmet = ""

    # -- before the first call

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionstart(self, session: pytest.Session) -> None:
        """Mark every report as unfinished, so that a stale pass cannot be picked up."""
        self.session = session
        outputs = self.settings.report_paths or self.settings.run_path
        if outputs and not self.config.option.collectonly:
            from pytest_retrieval.pytest_side.output_paths import refuse_outputs
            from pytest_retrieval.pytest_side.report_files import write_placeholders

            refuse_outputs(self.config)
            write_placeholders(self.settings.report_paths)

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """One process: the items are here."""
        self._collected([item.nodeid for item in session.items])

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, node: object, ids: Sequence[str]) -> None:
        """pytest-xdist: every worker collects the same, and a replacement collects again."""
        if self.runs is None:
            self._collected(ids)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: object) -> None:
        """pytest-xdist: workers know which golden sets a selection left nothing of."""
        self._offered.update(received_offered(node))

    def _collected(self, node_ids: Iterable[str]) -> None:
        self.runs = {}
        by_file: dict[str, list[str]] = {}
        is_file = cache(lambda name: (self.config.rootpath / name).is_file())
        for node_id in node_ids:
            by_file.setdefault(file_of(node_id, is_file), []).append(node_id)
        # By name: reports must not depend on the order in which files were given or shuffled.
        self._files = set(by_file)
        for name in sorted(by_file):
            for plan in plans_of(name, self.config):
                self._add_run(plan, by_file[name])
        if self.runs and not self.config.option.collectonly:
            from pytest_retrieval.pytest_side.before_asking import check_before_asking
            from pytest_retrieval.pytest_side.progress import tell_progress

            self._gone = check_before_asking(self.runs.values(), self.config)
            tell_progress(self.config, self._by_node)

    def _offered_files(self) -> set[str]:
        return {*self._offered, *self.config.stash.get(OFFERED, ())}

    def _offered_plans(self) -> list[Plan]:
        """Of golden sets that can be read; mistakes are told where they are collected."""
        names = self._offered_files() if self.settings.population else ()
        plans: list[Plan] = []
        for name in sorted(names):
            with suppress(pytest.UsageError):
                plans += plans_of(name, self.config)
        return plans

    def _add_run(self, plan: Plan, node_ids: Sequence[str]) -> None:
        from pytest_retrieval.pytest_side.assembly import query_nodes
        from pytest_retrieval.pytest_side.golden_run import GoldenRun

        assert self.runs is not None
        nodes = query_nodes(plan)
        run = GoldenRun(plan, {node_id: nodes[node_id] for node_id in node_ids if node_id in nodes})
        if run.selected:
            self.runs[plan.node] = run
            self._by_node.update({node_id: (run, asked) for node_id, asked in run.selected.items()})
        elif plan.queries:
            self._left_out.append(plan.node)

    def pytest_report_collectionfinish(self) -> list[str]:
        """Sets that cannot tell a regression are told before anything is asked."""
        plans = self.config.stash.get(PLANS, {}).values()
        if not plans:
            return []
        from pytest_retrieval.pytest_side.asked_in_vain import never_fails

        return [line for several in plans for line in never_fails(several[0])]

    # -- while the queries are asked

    # tryfirst: the terminal must know of the gates to come before it says 100 per cent.
    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Take the outcome that rides on a query's report."""
        known = self._by_node.get(report.nodeid)
        if known is None:
            return
        from pytest_retrieval.pytest_side.details import add_query_details
        from pytest_retrieval.pytest_side.outcome import Outcome, detach, tolerate

        run, (query, number) = known
        outcomes = run.outcomes[number]
        if report.when == "teardown":
            add_query_details(self.config, report, run.plan, query, outcomes.get(query.id))
        before = outcomes.get(query.id)
        repeated = str(report.outcome) == "rerun"  # pytest-rerunfailures' word
        if repeated or (before is not None and before.outcome == "error"):
            return  # a try that is repeated does not count; an error stays an error
        outcome = detach(report)
        if outcome is not None:
            outcomes[query.id] = outcome
            if outcome.outcome == "error" and report.failed and run.tolerates(query):
                tolerate(report, [*run.tolerated].index(query.id) + 1, run.plan.max_errors)
        elif report.when not in ("setup", "call", "teardown"):
            # xdist's own report of a query that was under way when its worker died.
            outcomes[query.id] = Outcome("error", error=str(report.longrepr))
            self._broken = True
        elif report.when == "setup" and report.skipped:
            outcomes[query.id] = Outcome("not run", error="skipped")

    # trylast makes this the innermost wrapper: the gates are reported before the terminal
    # closes its progress line and before pytest-cov reads the failures. When the loop raised
    # (-x, Ctrl-C) nothing is emitted.
    @pytest.hookimpl(wrapper=True, trylast=True)
    def pytest_runtestloop(self, session: pytest.Session) -> Generator[None, object, object]:
        """After the last query: judge, write, and report each gate as a test."""
        result = yield
        if self.runs and not session.config.option.collectonly:
            self._finish(session)
        return result

    def _finish(self, session: pytest.Session) -> None:
        from pytest_retrieval.pytest_side import baselines, gate_reports, saved_runs
        from pytest_retrieval.pytest_side.compared import not_compared
        from pytest_retrieval.pytest_side.left_out import left_out_lines, whole_files
        from pytest_retrieval.reporting.compared_table import compared_lines
        from pytest_retrieval.reporting.terminal import set_lines

        assert self.runs is not None
        self._finished = True
        outcomes: list[gate_reports.NodeOutcome] = []
        results = self._results()
        for run, result in zip(self.runs.values(), results, strict=True):
            self._lines += set_lines(result, self._width())
            outcomes += gate_reports.node_outcomes(run, result)
            if self.settings.update:
                lines, refused = baselines.update(
                    run, result, self.settings, self.config.rootpath, self._width()
                )
                self._lines += lines
                outcomes += refused
        for result in results:
            self._lines += compared_lines(result, self._width())
        self._lines += not_compared(run.plan for run in self.runs.values())
        offered = self._offered_files() - self._files
        self._left_out += whole_files(offered, self.config)
        self._lines += left_out_lines(self._left_out, gated=self.settings.compare)
        if self.settings.run_path:
            lines, failed = saved_runs.save_runs(self.settings.run_path, results)
            self._lines += lines
            outcomes += failed
            self._broken |= bool(failed)
        outcomes += [gate_reports.gone(name, self.settings.value("baseline-ref", "")) for name in self._gone]
        session.testscollected += len(outcomes)
        for outcome in outcomes:
            gate_reports.emit(self.config, outcome)
        self._write(results, finished=True)

    def _results(self) -> list[SetResult]:
        from pytest_retrieval.pytest_side.compared import with_compared

        assert self.runs is not None
        runs = self.runs.values()
        return with_compared([run.plan for run in runs], [self._assemble(run) for run in runs])

    def _assemble(self, run: GoldenRun) -> SetResult:
        from pytest_retrieval.pytest_side.assembly import Accepted, assemble
        from pytest_retrieval.pytest_side.withholding import is_private

        accepted = None
        if self.settings.compare and run.plan.is_gated:
            accepted = Accepted(run.baseline, run.anchor, run.target, run.notes)
        result = assemble(run.plan, run.outcomes, accepted, self.config.rootpath)
        return result.without_texts() if is_private(self.config) else result

    # -- at the end

    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        """A run that stopped early still leaves what it measured, as incomplete; no silent green."""
        if self.config.option.collectonly:
            return
        if not self.runs and exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
            from pytest_retrieval.pytest_side.asked_in_vain import without_a_query

            self._unmet = without_a_query(self.config, self.settings, self._offered_plans())
            if self._unmet and exitstatus == pytest.ExitCode.OK:
                session.exitstatus = pytest.ExitCode.TESTS_FAILED
        if not self.runs or self._finished:
            return
        if self.settings.asked_by_flag and exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED
        if self._is_told():
            self._write(self._results(), finished=False)

    def _write(self, results: list[SetResult], *, finished: bool) -> None:
        if not self._is_told():
            return
        from pytest_retrieval.pytest_side import build_server
        from pytest_retrieval.pytest_side.report_files import write_reports
        from pytest_retrieval.reporting.result import RunResult
        from pytest_retrieval.reporting.status import INCOMPLETE, run_status

        assert self.runs is not None
        left_out = (*self._left_out, *self._gone)
        partial = left_out or self._broken or any(run.partial for run in self.runs.values())
        whole = finished and not partial
        status = run_status(results, complete=whole) if finished else INCOMPLETE
        folder = build_server.checkout_folder(self.config.rootpath)
        told = RunResult(tuple(results), status, whole, folder, left_out)
        self._lines += write_reports(self.settings.report_paths, told)
        self._annotations = build_server.annotations_of(told)

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """The tables, after pytest's own; nothing where no golden set was collected."""
        if self._unmet:
            terminalreporter.write_sep("=", "retrieval")
            terminalreporter.write_line(self._unmet, yellow=True)
        # Reading a baseline costs more than a session without golden sets should.
        folder = self.settings.baseline_folder(self.config.rootpath)
        idle = not self.runs and not self.config.option.collectonly
        if idle and self.settings.compare and folder.is_dir():
            from pytest_retrieval.pytest_side.loose_ends import loose_ends

            for text in loose_ends(self.config, self.settings, ()):
                terminalreporter.write_line(text, yellow=True)
        if not self.runs or self.config.option.collectonly:
            return
        if not self._finished and not any(any(run.outcomes) for run in self.runs.values()):
            return  # refused before the first call: pytest prints why
        terminalreporter.write_sep("=", "retrieval")
        if not self._finished:
            terminalreporter.write_line("not evaluated: the run stopped early", yellow=True)
        from pytest_retrieval.pytest_side.asked_in_vain import never_fails
        from pytest_retrieval.pytest_side.loose_ends import loose_ends
        from pytest_retrieval.pytest_side.terminal_lines import write_lines

        write_lines(terminalreporter, self._lines)
        plans = {run.plan.name: run.plan for run in self.runs.values()}
        told = [text for plan in plans.values() for text in never_fails(plan)]
        for text in (*told, *loose_ends(self.config, self.settings, plans)):
            terminalreporter.write_line(text, yellow=True)
        if self.config.stash.get(OWNED_ELSEWHERE, False):
            terminalreporter.write_line(
                "--update-baseline belongs to another plugin here: write --retrieval-update-baseline instead"
            )
        for text in self._annotations:
            terminalreporter.write_line(text)

    def _is_told(self) -> bool:
        """Whether anybody but the terminal wants the outcome."""
        from pytest_retrieval.pytest_side import build_server

        return bool(self.settings.report_paths) or build_server.listens()

    def _width(self) -> int:
        reporter: Any = self.config.pluginmanager.get_plugin("terminalreporter")
        return int(reporter._tw.fullwidth) if reporter is not None else 80
