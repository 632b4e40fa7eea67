"""From the header's ``retriever`` to something that answers: one value per process and definition."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

import pytest

from pytest_retrieval.golden.errors import GoldenError
from pytest_retrieval.pytest_side.plan import Plan
from pytest_retrieval.pytest_side.private import fixture_definition, fixture_value
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


@dataclass(frozen=True)
class _Failure:
    """What building a retriever raised."""

    error: BaseException
    traceback: TracebackType | None


_ASKERS = pytest.StashKey[dict[Hashable, Asker | _Failure]]()


def check_retriever(node: pytest.Collector, plan: Plan) -> None:
    """Refuse a retriever that cannot work, before anything is built; raises GoldenError."""
    try:
        spec = parse_retriever(plan.retriever)
    except BadRetriever as error:
        raise GoldenError(
            plan.golden.path or plan.name, plan.golden.header.lines.get("retriever"), str(error)
        ) from None
    if not isinstance(spec, Name):
        return
    definition = fixture_definition(node, spec.name)
    line = plan.golden.header.lines.get("retriever")
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


def asker_for(item: pytest.Item, plan: Plan) -> Asker:
    """The prepared retriever of an item, built at its first use in this process.

    Whatever building raised is raised again for every later query: a failure is not retried.
    """
    askers = item.config.stash.setdefault(_ASKERS, {})
    spec = parse_retriever(plan.retriever)
    definition = fixture_definition(item, spec.name) if isinstance(spec, Name) else None
    # The definition, not its name: two packages may each define a fixture `retriever`.
    home = definition if definition is not None else plan.golden.path
    key: Hashable = plan.retriever if isinstance(spec, ImportPath) else (plan.retriever, home)
    if key not in askers:
        try:
            askers[key] = prepare(_builder(item, plan, spec, definition)())
        except (Exception, pytest.skip.Exception) as error:
            askers[key] = _Failure(error, error.__traceback__)
    asker = askers[key]
    if isinstance(asker, _Failure):
        # Its first traceback: every further raise would make it longer.
        raise asker.error.with_traceback(asker.traceback)
    return asker


def _builder(
    item: pytest.Item, plan: Plan, spec: RunFile | ImportPath | Name, definition: Any
) -> Callable[[], object]:
    if isinstance(spec, RunFile):
        return lambda: _checked_run(plan.retriever_home / spec.path, plan)
    if isinstance(spec, ImportPath):
        return lambda: import_retriever(spec)
    if definition is not None:
        return lambda: fixture_value(item, spec.name)
    return lambda: build_built_in(spec.name, plan.golden)


def _checked_run(path: Path, plan: Plan) -> object:
    run = load_run(path)
    run.check(query.id for query in plan.golden.queries)
    return run
