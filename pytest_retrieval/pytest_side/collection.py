"""A golden set as test items: file -> kind -> query."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any

import pytest

from pytest_retrieval.golden.errors import GoldenError, InputError, NotGoldenError
from pytest_retrieval.golden.model import Query
from pytest_retrieval.golden.reader import check_labels
from pytest_retrieval.pytest_side.asking import Source, find_exact, find_retriever
from pytest_retrieval.pytest_side.contracts import broken_contracts
from pytest_retrieval.pytest_side.discovery import PLANS, Role, read_golden
from pytest_retrieval.pytest_side.failures import forget, frames_of_others, told_by
from pytest_retrieval.pytest_side.loose_ends import kept_for
from pytest_retrieval.pytest_side.node_names import node_name, repeated
from pytest_retrieval.pytest_side.options import SETTINGS
from pytest_retrieval.pytest_side.outcome import Outcome, attach
from pytest_retrieval.pytest_side.plan import baseline_path, make_plans
from pytest_retrieval.pytest_side.prefetch import answer_to, prepare_desk, watch_workers_queue
from pytest_retrieval.pytest_side.private import ItemWithFixtures, fixture_closure
from pytest_retrieval.pytest_side.withholding import WithheldError, is_private, keep_logs_out, withheld
from pytest_retrieval.reporting.printable import harmless
from pytest_retrieval.retrieval.calling import BadRetriever, error_text
from pytest_retrieval.retrieval.protocol import BadAnswer
from pytest_retrieval.retrieval.threads import TimedOut

_LONGEST_ERROR = 2_000

Sources = tuple[Source, Source | None]
"""The retriever that is measured, and the exact index that it is held against where there is one."""


class PassedOverWarning(pytest.PytestWarning):
    """A file with a golden set's name holds no queries."""


class BrokenMust(Exception):  # noqa: N818 - a verdict on the answer
    """A query's own contract does not hold."""


class GoldenFile(pytest.File):
    """One golden set."""

    def __init__(self, *, role: Role, **rest: Any) -> None:
        super().__init__(**rest)
        self._role = role
        self.add_marker("retrieval")

    def collect(self) -> Iterator[KindNode | RetrieverNode]:
        """One node per kind of the declared population, below one per retriever where there are several."""
        try:
            golden = read_golden(self.path, self._role)
        except NotGoldenError as error:
            if self._role is not Role.FOUND or self._has_baseline():
                raise
            self.warn(PassedOverWarning(f"passed over, no golden set: {error}"))
            return
        if golden is None:
            return
        plans = make_plans(self.nodeid, golden, self.config.stash[SETTINGS], self.config.rootpath)
        for one in (golden, *plans[0].local):
            check_labels(one, plans[0].document_id)
        sources = [(find_retriever(self, plan), find_exact(self, plan)) for plan in plans]
        self.config.stash.setdefault(PLANS, {})[self.nodeid] = plans
        watch_workers_queue(self.config)
        closure = fixture_closure(self)
        for pair in sources:
            variant = pair[0].plan.variant
            if variant is None:
                yield from _kind_nodes(self, pair, closure)
            else:
                yield RetrieverNode.from_parent(self, name=variant, sources=pair, closure=closure)

    def _has_baseline(self) -> bool:
        """Whether this file held a golden set once, so that passing it over would hide a loss."""
        settings, root = self.config.stash[SETTINGS], self.config.rootpath
        kept = kept_for(baseline_path(self.nodeid, settings, root), settings.baseline_folder(root), root)
        return any(kept)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """A mistake in the file is told in its own words, without our frames."""
        if isinstance(excinfo.value, InputError):
            return str(_relative(excinfo.value, self.config.rootpath))
        return super().repr_failure(excinfo)


class RetrieverNode(pytest.Collector):
    """One of several retrievers of a golden set."""

    def __init__(self, *, sources: Sources, closure: Any, **rest: Any) -> None:
        super().__init__(**rest)
        self._sources, self._closure = sources, closure

    def collect(self) -> Iterator[KindNode]:
        """One node per kind of the declared population."""
        return _kind_nodes(self, self._sources, self._closure)


def _kind_nodes(parent: pytest.Collector, sources: Sources, closure: Any) -> Iterator[KindNode]:
    kinds: dict[str, list[Query]] = {}
    for query in sources[0].plan.asked:
        kinds.setdefault(query.kind, []).append(query)
    for kind, queries in kinds.items():
        yield KindNode.from_parent(
            parent, name=node_name(kind), sources=sources, closure=closure, queries=queries
        )


class KindNode(pytest.Collector):
    """The queries of one kind; its node id is also the id of the kind's gate."""

    def __init__(self, *, sources: Sources, closure: Any, queries: list[Query], **rest: Any) -> None:
        super().__init__(**rest)
        self._sources, self._closure, self._queries = sources, closure, queries

    def collect(self) -> Iterator[QueryItem]:
        """One item per query, and one more for each time it is repeated."""
        for run in range(self._sources[0].plan.repeats):
            for query in self._queries:
                yield QueryItem.from_parent(
                    self,
                    name=repeated(node_name(query.id), run),
                    sources=self._sources,
                    closure=self._closure,
                    query=query,
                    run=run,
                )


class QueryItem(ItemWithFixtures):
    """One query as a test: it fails when the retriever does, or when its contract is broken."""

    def __init__(self, *, sources: Sources, query: Query, run: int, **rest: Any) -> None:
        super().__init__(**rest)
        self.source, self.exact = sources
        self.plan, self.query, self.retrieval_run = self.source.plan, query, run
        self.outcome: Outcome | None = None

    def setup(self) -> None:
        """Fixtures that the file sees, then the retriever: its failure is an error of set-up."""
        self.outcome = None  # a rerun must not leave the first try's answer
        forget(self)
        if is_private(self.config):
            keep_logs_out(self.config)
        self.fill_fixtures()
        # With --setup-plan pytest builds no fixture, so there is nothing to prepare.
        if not self.config.option.setupplan:
            prepare_desk(self, self.source)
            if self.exact is not None:
                prepare_desk(self, self.exact)

    def runtest(self) -> None:
        """Ask the retriever and hold the answer against the query's own contract."""
        with withheld(is_private(self.config)):
            answer = answer_to(self, self.source)
            ranking = answer.take()
            exact = answer_to(self, self.exact).take().documents if self.exact is not None else None
        musts = self.plan.musts.get(self.query.id, {})
        broken = broken_contracts(self.query, musts, ranking.documents, answer.top_score)
        self.outcome = Outcome(
            "scored",
            ranking.documents,
            must_failed=tuple(broken),
            seconds=answer.seconds,
            cost=answer.cost,
            exact=exact,
            places=ranking.places,
            cited=answer.cited,
            top_score=answer.top_score,
        )
        if broken:
            wanted = [(-grade, document) for document, grade in self.query.relevant.items() if grade > 0]
            expected = harmless(", ".join(document for _, document in sorted(wanted))) or "nothing"
            got = harmless(", ".join(ranking.documents[:5])) or "nothing"
            raise BrokenMust(
                f"must: {'; '.join(map(harmless, broken))}\n  expected {expected}\n  got      {got}"
            )

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The user's frames and the golden file's line, nothing of ours."""
        value = excinfo.value
        if isinstance(value, InputError):
            return str(_relative(value, self.config.rootpath))
        if isinstance(value, (BadAnswer, BadRetriever, BrokenMust, TimedOut, WithheldError)):
            # The reason first: the short summary shows no more than fits its line.
            reason, _, rest = str(value).partition("\n")
            return "\n".join(filter(None, [f"{reason} ({self._place()})", rest]))
        if isinstance(value, pytest.xfail.Exception) and is_private(self.config):
            return str(value)  # its frames and their locals hold the text
        if isinstance(value, pytest.FixtureLookupError) or getattr(value, "pytrace", True) is False:
            return super().repr_failure(excinfo)
        if self.config.getoption("fulltrace", False):
            shortened = None
        elif first := told_by(self, excinfo):
            return f"{excinfo.exconly()} ({self._place()}), raised where query {first.query.id!r} failed"
        elif not frames_of_others(excinfo):
            return f"{excinfo.exconly()} ({self._place()})"
        else:
            shortened = _without_our_frames
            excinfo = pytest.ExceptionInfo.from_exception(value)
            # The native style knows no filter.
            excinfo.traceback = _without_our_frames(excinfo)
        style = self.config.getoption("tbstyle")
        shown = excinfo.getrepr(
            showlocals=self.config.getoption("showlocals", False),
            style="long" if style == "auto" else style,
            tbfilter=shortened or False,
        )
        shown.addsection("golden set", f"{self._place()}: {harmless(repr(self.query.text))}")
        return shown

    def reportinfo(self) -> tuple[Path, int, str]:
        """Where the query stands, for reports that show a place."""
        return (
            self.path.with_name(self.query.local or self.path.name),
            max(self.query.line - 1, 0),
            harmless(f"{self.query.kind}: {self.query.id}"),
        )

    def complete_retrieval_report(self, call: pytest.CallInfo[None], report: pytest.TestReport) -> None:
        """Let the outcome ride on the report of the phase that decided it."""
        if is_private(self.config):
            report.sections = []  # what the retriever printed and logged
        if call.when != "call" and report.failed and call.excinfo is not None:
            # pytest asks an item for its own words about the call only.
            report.longrepr = self.repr_failure(call.excinfo)
        if call.when == "setup" and not report.passed:
            outcome = None
        elif call.when == "call":
            outcome = self.outcome
        else:
            return
        if outcome is None:
            reason = _error_text(call.excinfo) if call.excinfo else "no answer"
            outcome = Outcome("not run" if report.skipped else "error", error=reason)
        attach(report, outcome)

    def _place(self) -> str:
        file = self.plan.name
        if self.query.local is not None:
            file = PurePosixPath(file).with_name(self.query.local).as_posix()
        return f"{file}:{self.query.line}: query {self.query.id!r}"


def _error_text(excinfo: pytest.ExceptionInfo[BaseException]) -> str:
    if isinstance(excinfo.value, pytest.skip.Exception):
        return f"skipped: {excinfo.value.msg}"
    if isinstance(excinfo.value, WithheldError):
        return str(excinfo.value)
    return error_text(excinfo.value)[:_LONGEST_ERROR]


def _without_our_frames(excinfo: pytest.ExceptionInfo[BaseException]) -> Any:
    """The traceback from the first frame of the user's on; the last frame where there is none."""
    return frames_of_others(excinfo) or excinfo.traceback[-1:]


def _relative(error: InputError, root: Path) -> InputError:
    """The same error with its path as short as the node ids are."""
    path = Path(error.path)
    if not path.is_absolute() or not path.is_relative_to(root):
        return error
    return GoldenError(path.relative_to(root).as_posix(), error.line, error.message)
