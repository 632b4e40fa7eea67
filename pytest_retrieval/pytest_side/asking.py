"""From the header's ``retriever`` to something that answers: one value per process and definition."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Any

import pytest

from pytest_retrieval.golden.errors import GoldenError
from pytest_retrieval.pytest_side.plan import Plan
from pytest_retrieval.pytest_side.private import ItemWithFixtures, fixture_definition
from pytest_retrieval.retrieval.calling import Asker, BadRetriever, prepare
from pytest_retrieval.retrieval.resolving import (
    BUILT_IN,
    ImportPath,
    Name,
    RunFile,
    build_built_in,
    import_retriever,
    load_run,
    parse_retriever,
)
from pytest_retrieval.retrieval.retrying import prepare_retries


@dataclass(frozen=True)
class _Failure:
    """What building a retriever raised."""

    error: BaseException
    traceback: TracebackType | None


_ASKERS = pytest.StashKey[dict[Hashable, Asker | _Failure]]()


# By identity: one object per golden set and role.
@dataclass(frozen=True, eq=False)
class Source:
    """Where a retriever of one golden set comes from; ``definition`` where that is a fixture.

    ``retriever`` is its name as it was written, ``home`` the folder of a relative path in it.
    """

    plan: Plan
    retriever: str
    home: Path
    spec: RunFile | ImportPath | Name
    definition: Any | None

    @cached_property
    def key(self) -> Hashable:
        """Equal for the golden sets that share a retriever."""
        if isinstance(self.spec, ImportPath):
            return self.retriever
        # The definition, not its name: two packages may each define a fixture `retriever`.
        return (self.retriever, self.definition or self.plan.golden.path)


def find_retriever(node: pytest.Collector, plan: Plan) -> Source:
    """Refuse a retriever that cannot work, before anything is built; raises GoldenError."""
    try:
        prepare_retries(plan.manner, lambda result: None)
    except BadRetriever as error:
        line = plan.golden.header.lines.get("ask")
        raise GoldenError(plan.golden.path or plan.name, line, str(error)) from None
    return _find(node, plan, plan.retriever, plan.retriever_home, "retriever")


def find_exact(node: pytest.Collector, plan: Plan) -> Source | None:
    """The exact index that the header names, None where it names none; raises GoldenError."""
    exact, path = plan.golden.header.exact, plan.golden.path
    if exact is None:
        return None
    return _find(node, plan, exact, path.parent if path else Path(), "exact")


def _find(node: pytest.Collector, plan: Plan, retriever: str, home: Path, key: str) -> Source:
    line = plan.golden.header.lines.get(key)
    try:
        spec = parse_retriever(retriever)
    except BadRetriever as error:
        raise GoldenError(plan.golden.path or plan.name, line, str(error)) from None
    if not isinstance(spec, Name):
        return Source(plan, retriever, home, spec, None)
    definition = fixture_definition(node, spec.name)
    if definition is None and spec.name not in BUILT_IN:
        raise GoldenError(
            plan.golden.path or plan.name,
            line,
            f"retriever {spec.name!r} is no fixture here and not built in ({', '.join(sorted(BUILT_IN))}): "
            f"define a session fixture {spec.name!r} in conftest.py, "
            "or name package.module:object or run:PATH",
        )
    if definition is not None and definition.scope != "session":
        raise GoldenError(
            plan.golden.path or plan.name,
            line,
            f"fixture {spec.name!r} has scope {definition.scope!r}, and a retriever is built once for all "
            'queries: write @pytest.fixture(scope="session")',
        )
    if definition is not None and definition.params:
        raise GoldenError(
            plan.golden.path or plan.name,
            line,
            f"fixture {spec.name!r} has params, and a golden set is asked of one retriever: "
            "write a fixture for each of them, and choose one with --retrieval-retriever",
        )
    return Source(plan, retriever, home, spec, definition)


def asker_for(item: ItemWithFixtures, source: Source) -> Asker:
    """The prepared retriever of an item, built at its first use in this process.

    Whatever building raised is raised again for every later query: a failure is not retried.
    """
    askers = item.config.stash.setdefault(_ASKERS, {})
    if source.key not in askers:
        try:
            askers[source.key] = prepare(_builder(item, source)())
        except (Exception, pytest.skip.Exception) as error:
            askers[source.key] = _Failure(error, error.__traceback__)
    asker = askers[source.key]
    if isinstance(asker, _Failure):
        # Its first traceback: every further raise would make it longer.
        raise asker.error.with_traceback(asker.traceback)
    return asker


def _builder(item: ItemWithFixtures, source: Source) -> Callable[[], object]:
    plan, spec = source.plan, source.spec
    if isinstance(spec, RunFile):
        return lambda: _checked_run(source.home / spec.path, plan)
    if isinstance(spec, ImportPath):
        return lambda: import_retriever(spec)
    if source.definition is not None:
        return lambda: item.fixture_value(spec.name)
    return lambda: build_built_in(spec.name, plan.golden)


def _checked_run(path: Path, plan: Plan) -> object:
    run = load_run(path)
    run.check(query.id for query in plan.golden.queries)
    return run
