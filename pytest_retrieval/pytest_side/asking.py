"""From the header's ``retriever`` to something that answers: one value per process and definition."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple

import pytest

from pytest_retrieval.golden.composed import HYBRID, Composed
from pytest_retrieval.golden.documents import read_documents
from pytest_retrieval.golden.errors import GoldenError
from pytest_retrieval.pytest_side.plan import Plan
from pytest_retrieval.pytest_side.private import ItemWithFixtures, fixture_definition
from pytest_retrieval.retrieval.calling import Asker, BadRetriever, prepare
from pytest_retrieval.retrieval.composition import DEFAULT_CANDIDATES, RRF_K, Hybrid, Rerank, as_scorer
from pytest_retrieval.retrieval.resolving import (
    BUILT_IN,
    Chunked,
    Composition,
    ImportPath,
    Name,
    RunFile,
    Spec,
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

    ``home`` is the folder of a relative path in it. ``parts`` are those of a composition,
    ``scorer`` is what a rerank orders by.
    """

    plan: Plan
    spec: Spec
    home: Path
    definition: Any | None = None
    parts: tuple[Source, ...] = ()
    scorer: Source | None = None

    @cached_property
    def key(self) -> Hashable:
        """Equal for the golden sets that share a retriever."""
        if isinstance(self.spec, ImportPath):
            return self.spec
        if isinstance(self.spec, Composition):
            rest = (self.spec.how, self.spec.k, self.spec.candidates, self.plan.document_id)
            return (
                *rest,
                self.scorer and (self.scorer.key, self.plan.golden.path),
                *(p.key for p in self.parts),
            )
        # The definition, not its name: two packages may each define a fixture `retriever`.
        return (self.spec, self.home, self.definition or self.plan.golden.path)


def find_retriever(node: pytest.Collector, plan: Plan) -> Source:
    """Refuse a retriever that cannot work, before anything is built; raises GoldenError."""
    try:
        prepare_retries(plan.manner, lambda result: None)
    except BadRetriever as error:
        line = plan.golden.header.lines.get("ask")
        raise GoldenError(plan.golden.path or plan.name, line, str(error)) from None
    wanted = _Wanted(plan, "retriever", plan.retriever_home)
    return _find(node, wanted, _parsed(plan, plan.retriever, "retriever"))


def find_exact(node: pytest.Collector, plan: Plan) -> Source | None:
    """The exact index that the header names, None where it names none; raises GoldenError."""
    exact, path = plan.golden.header.exact, plan.golden.path
    if exact is None:
        return None
    home = path.parent if path else Path()
    return _find(node, _Wanted(plan, "exact", home), _parsed(plan, exact, "exact"))


class _Wanted(NamedTuple):
    """Whose retriever is looked for: the header's ``key``, with relative paths from ``home``."""

    plan: Plan
    key: str
    home: Path


def _parsed(plan: Plan, retriever: str, key: str) -> Spec:
    try:
        return parse_retriever(retriever)
    except BadRetriever as error:
        line = plan.golden.header.lines.get(key)
        raise GoldenError(plan.golden.path or plan.name, line, str(error)) from None


def _find(
    node: pytest.Collector, wanted: _Wanted, spec: Spec, built_in: Collection[str] = BUILT_IN
) -> Source:
    plan, key, home = wanted
    if isinstance(spec, Composition):
        parts = tuple(_find(node, wanted, part, built_in) for part in spec.parts)
        scorer = None if spec.scorer is None else _find(node, wanted, spec.scorer, ())
        return Source(plan, spec, home, None, parts, scorer)
    if not isinstance(spec, Name):
        return Source(plan, spec, home)
    definition = fixture_definition(node, spec.name)
    if definition is None and spec.name == HYBRID and plan.variant is not None:
        return _find(node, wanted, _fusion_of_those_before(plan), built_in)
    line = plan.golden.header.lines.get(key)
    if definition is None and spec.name not in built_in:
        place = plan.golden.path or plan.name
        if not built_in:
            raise GoldenError(
                place,
                line,
                f"scorer {spec.name!r} is no fixture here: define a session fixture {spec.name!r} in "
                "conftest.py, or name package.module:function",
            )
        raise GoldenError(
            place,
            line,
            f"retriever {spec.name!r} is no fixture here and not built in ({', '.join(sorted(built_in))}): "
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
    return Source(plan, spec, home, definition)


def _fusion_of_those_before(plan: Plan) -> Spec:
    """What a bare ``hybrid`` in a list means where no fixture has that name."""
    listed = plan.golden.header.listed
    before = tuple(takewhile(lambda one: one.name != plan.variant, listed))
    if len(before) < 2:
        raise GoldenError(
            plan.golden.path or plan.name,
            plan.golden.header.lines.get("retriever"),
            "a bare 'hybrid' fuses the retrievers before it in the list, two or more: "
            "write {hybrid: [bm25, dense]} where others are meant",
        )
    return parse_retriever(str(Composed(HYBRID, tuple(one.retriever for one in before))))


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
    if isinstance(spec, Composition):
        return lambda: _composed(item, source, spec)
    if isinstance(spec, RunFile):
        return lambda: _checked_run(source.home / spec.path, plan)
    if isinstance(spec, ImportPath):
        return lambda: import_retriever(spec)
    if source.definition is not None:
        return lambda: item.fixture_value(spec.name)
    if isinstance(spec, Chunked):
        return lambda: build_built_in(spec.name, plan.golden, spec.chunking)
    return lambda: build_built_in(spec.name, plan.golden)


def _composed(item: ItemWithFixtures, source: Source, spec: Composition) -> object:
    pattern = source.plan.document_id
    askers = tuple(asker_for(item, part) for part in source.parts)
    if source.scorer is None:
        return Hybrid(askers, spec.k or RRF_K, spec.candidates, pattern)
    given = _builder(item, source.scorer)()
    texts = _texts(source.plan) if callable(getattr(given, "score", None)) else None
    scorer = as_scorer(given, texts, pattern)
    return Rerank(askers[0], scorer, spec.candidates or DEFAULT_CANDIDATES, pattern)


def _texts(plan: Plan) -> Mapping[str, str] | None:
    """The declared documents' titles and texts by id, for a scorer that reads them."""
    golden = plan.golden
    if not golden.header.documents or golden.path is None:
        return None
    documents = read_documents(golden.path.parent, golden.header.documents)
    return {document.id: f"{document.title}\n{document.text}" for document in documents}


def _checked_run(path: Path, plan: Plan) -> object:
    run = load_run(path)
    run.check(query.id for query in plan.golden.queries)
    return run
