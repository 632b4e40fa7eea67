"""A golden set as test items: file -> kind -> query."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pytest_retrieval.golden.errors import GoldenError, InputError, NotGoldenError
from pytest_retrieval.golden.model import Query
from pytest_retrieval.golden.reader import check_labels
from pytest_retrieval.pytest_side.asking import Source, asker_for, find_retriever
from pytest_retrieval.pytest_side.discovery import PLANS, Role, read_golden
from pytest_retrieval.pytest_side.node_names import node_name, repeated
from pytest_retrieval.pytest_side.options import SETTINGS
from pytest_retrieval.pytest_side.outcome import Outcome, attach
from pytest_retrieval.pytest_side.plan import Plan, baseline_path, make_plan
from pytest_retrieval.pytest_side.private import ItemWithFixtures, fixture_closure
from pytest_retrieval.pytest_side.withholding import WithheldError, is_private, withheld
from pytest_retrieval.reporting.printable import harmless
from pytest_retrieval.retrieval.calling import BadRetriever, answer, error_text
from pytest_retrieval.retrieval.protocol import BadAnswer

_OURS = Path(__file__).resolve().parents[1]
_LONGEST_ERROR = 2_000


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

    def collect(self) -> Iterator[KindNode]:
        """One node per kind of the declared population."""
        try:
            golden = read_golden(self.path, self._role)
        except NotGoldenError as error:
            if self._role is not Role.FOUND or self._has_baseline():
                raise
            self.warn(PassedOverWarning(f"passed over, no golden set: {error}"))
            return
        if golden is None:
            return
        plan = make_plan(self.nodeid, golden, self.config.stash[SETTINGS], self.config.rootpath)
        check_labels(golden, plan.document_id)
        source = find_retriever(self, plan)
        self.config.stash.setdefault(PLANS, {})[self.nodeid] = plan
        kinds: dict[str, list[Query]] = {}
        for query in plan.queries:
            kinds.setdefault(query.kind, []).append(query)
        closure = fixture_closure(self)
        for kind, queries in kinds.items():
            yield KindNode.from_parent(
                self, name=node_name(kind), source=source, closure=closure, queries=queries
            )

    def _has_baseline(self) -> bool:
        """Whether this file held a golden set once, so that passing it over would hide a loss."""
        return baseline_path(self.nodeid, self.config.stash[SETTINGS], self.config.rootpath).is_file()

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """A mistake in the file is told in its own words, without our frames."""
        if isinstance(excinfo.value, InputError):
            return str(_relative(excinfo.value, self.config.rootpath))
        return super().repr_failure(excinfo)


class KindNode(pytest.Collector):
    """The queries of one kind; its node id is also the id of the kind's gate."""

    def __init__(self, *, source: Source, closure: Any, queries: list[Query], **rest: Any) -> None:
        super().__init__(**rest)
        self._source, self._closure, self._queries = source, closure, queries

    def collect(self) -> Iterator[QueryItem]:
        """One item per query, and one more for each time it is repeated."""
        for run in range(self._source.plan.repeats):
            for query in self._queries:
                name = repeated(node_name(query.id), run)
                yield QueryItem.from_parent(
                    self, name=name, source=self._source, closure=self._closure, query=query, run=run
                )


class QueryItem(ItemWithFixtures):
    """One query as a test: it fails when the retriever does, or when its contract is broken."""

    def __init__(self, *, source: Source, query: Query, run: int, **rest: Any) -> None:
        super().__init__(**rest)
        self._source, self.plan, self.query, self.retrieval_run = source, source.plan, query, run
        self.outcome: Outcome | None = None

    def setup(self) -> None:
        """Fixtures that the file sees, then the retriever: its failure is an error of set-up."""
        self.outcome = None  # a rerun must not leave the first try's answer
        self.fill_fixtures()
        # With --setup-plan pytest builds no fixture, so there is nothing to prepare.
        if not self.config.option.setupplan:
            self._asker = asker_for(self, self._source)

    def runtest(self) -> None:
        """Ask the retriever and hold the answer against the query's own contract."""
        with withheld(is_private(self.config)):
            ranking = answer(self._asker, self.query, self.plan.depth, self.plan.document_id)
        broken = _broken_musts(self.query, self.plan, ranking.documents)
        self.outcome = Outcome("scored", ranking.documents, must_failed=tuple(broken))
        if broken:
            wanted = [(-grade, document) for document, grade in self.query.relevant.items() if grade > 0]
            expected = harmless(", ".join(document for _, document in sorted(wanted)))
            got = harmless(", ".join(ranking.documents[:5])) or "nothing"
            raise BrokenMust(f"must: {'; '.join(broken)}\n  expected {expected}\n  got      {got}")

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The user's frames and the golden file's line, nothing of ours."""
        value = excinfo.value
        if isinstance(value, InputError):
            return str(_relative(value, self.config.rootpath))
        if isinstance(value, (BadAnswer, BadRetriever, BrokenMust, WithheldError)):
            # The reason first: the short summary shows no more than fits its line.
            reason, _, rest = str(value).partition("\n")
            return "\n".join(filter(None, [f"{reason} ({self._place()})", rest]))
        if isinstance(value, pytest.FixtureLookupError) or getattr(value, "pytrace", True) is False:
            return super().repr_failure(excinfo)
        if self.config.getoption("fulltrace", False):
            shortened = None
        elif not _frames_of_others(excinfo):
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
        return self.path, max(self.query.line - 1, 0), harmless(f"{self.query.kind}: {self.query.id}")

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
        return f"{self.plan.name}:{self.query.line}: query {self.query.id!r}"


def _error_text(excinfo: pytest.ExceptionInfo[BaseException]) -> str:
    if isinstance(excinfo.value, pytest.skip.Exception):
        return f"skipped: {excinfo.value.msg}"
    if isinstance(excinfo.value, WithheldError):
        return str(excinfo.value)
    return error_text(excinfo.value)[:_LONGEST_ERROR]


def _broken_musts(query: Query, plan: Plan, documents: tuple[str, ...]) -> list[str]:
    musts = plan.musts.get(query.id)
    if not musts:
        return []
    from pytest_retrieval.scoring.metrics import score_rankings

    scores = score_rankings([documents], [query.relevant], tuple(musts))
    got = {metric: float(scores[metric][0]) for metric in musts}
    return [
        f"{metric} is {got[metric]:.4g}, must be at least {least:g}"
        for metric, least in musts.items()
        if got[metric] < least - 1e-9
    ]


def _without_our_frames(excinfo: pytest.ExceptionInfo[BaseException]) -> Any:
    """The traceback from the first frame of the user's on; the last frame where there is none."""
    return _frames_of_others(excinfo) or excinfo.traceback[-1:]


def _frames_of_others(excinfo: pytest.ExceptionInfo[BaseException]) -> Any:
    """The traceback from the first frame that is neither ours nor pytest's, None where all are."""
    for position, entry in enumerate(excinfo.traceback):
        path = Path(str(entry.path))
        ours = _OURS in path.parents and "adapters" not in path.parts
        if not ours and "_pytest" not in path.parts and "pluggy" not in path.parts:
            return type(excinfo.traceback)(excinfo.traceback[position:])
    return None


def _relative(error: InputError, root: Path) -> InputError:
    """The same error with its path as short as the node ids are."""
    path = Path(error.path)
    if not path.is_absolute() or not path.is_relative_to(root):
        return error
    return GoldenError(path.relative_to(root).as_posix(), error.line, error.message)
