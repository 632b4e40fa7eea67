"""From the retriever's name in a header or on a command line to the thing that is asked."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path
from typing import TypeAlias

from pytest_retrieval.golden.composed import BM25, Composed, parse_composed
from pytest_retrieval.golden.documents import Document, read_documents
from pytest_retrieval.golden.errors import GoldenError, InputError
from pytest_retrieval.golden.model import Chunking, GoldenSet, Query
from pytest_retrieval.retrieval.calling import BadRetriever, signature_of
from pytest_retrieval.retrieval.runs import read_run

_RUN = "run:"
_IMPORT_PATH = re.compile(
    r"(?P<module>[^\W\d]\w*(?:\.[^\W\d]\w*)*):(?P<attribute>[^\W\d]\w*(?:\.[^\W\d]\w*)*)"
)


@dataclass(frozen=True, slots=True)
class RunFile:
    """``run:PATH``: rankings made elsewhere. The path is as written, perhaps relative."""

    path: Path


@dataclass(frozen=True, slots=True)
class ImportPath:
    """``package.module:object``; both sides are dotted identifiers."""

    module: str
    attribute: str

    def __str__(self) -> str:
        return f"{self.module}:{self.attribute}"


@dataclass(frozen=True, slots=True)
class Name:
    """The name of a fixture, or else of a built-in."""

    name: str


@dataclass(frozen=True, slots=True)
class Composition:
    """``hybrid(...)`` or ``rerank(...)`` over other retrievers; ``scorer`` is a rerank's."""

    how: str
    parts: tuple[Spec, ...]
    scorer: ImportPath | Name | None
    k: int | None
    candidates: int | None


@dataclass(frozen=True, slots=True)
class Chunked:
    """``bm25(fixed, words=120)``: a built-in that cuts documents in a way of its own."""

    name: str
    chunking: Chunking


Spec: TypeAlias = "RunFile | ImportPath | Name | Chunked | Composition"


def parse_retriever(text: str) -> Spec:
    """Tell which of these a ``retriever`` is; nothing is opened or imported.

    Raises:
        BadRetriever: the text is empty, ``run:`` without a path, or a composition that is none.
    """
    try:
        composed = parse_composed(text)
    except ValueError as error:
        raise BadRetriever(f"the retriever {error}") from None
    if isinstance(composed, Composed):
        return _chunked(composed) if composed.how == BM25 else _composition(composed)
    text = text.strip()
    if text.startswith(_RUN):
        path = text[len(_RUN) :].strip()
        if not path:
            raise BadRetriever(f"the retriever {text!r} names no file; expected run:PATH")
        return RunFile(Path(path))
    if not text:
        raise BadRetriever(
            "the retriever's name is empty; expected run:PATH, package.module:object, "
            f"the name of a fixture, or a built-in ({', '.join(BUILT_IN)})"
        )
    match = _IMPORT_PATH.fullmatch(text)
    return ImportPath(match["module"], match["attribute"]) if match else Name(text)


def _chunked(composed: Composed) -> Chunked:
    return Chunked(composed.how, Chunking(str(composed.parts[0]), composed.words, composed.overlap or 0))


def _composition(composed: Composed) -> Composition:
    scorer = None if composed.scorer is None else parse_retriever(composed.scorer)
    if isinstance(scorer, (RunFile, Chunked, Composition)):
        raise BadRetriever(
            f"the scorer {composed.scorer!r} must be the name of a fixture, or package.module:function"
        )
    parts = tuple(parse_retriever(str(part)) for part in composed.parts)
    return Composition(composed.how, parts, scorer, composed.k, composed.candidates)


@dataclass(frozen=True, slots=True)
class RunRetriever:
    """Answers by query id from a run; a query that the run does not hold has an empty answer.

    ``rankings`` maps a query id to document ids, best first.
    """

    path: Path
    rankings: Mapping[str, tuple[str, ...]]

    def answer_query(self, query: Query, depth: int) -> Sequence[str]:
        """Return the first ``depth`` documents of the query's ranking."""
        return self.rankings.get(query.id, ())[:depth]

    def check(self, ids: Iterable[str]) -> None:
        """Make sure that the run belongs to a golden set with these query ids.

        Raises:
            InputError: the run and ``ids`` have no query id in common.
        """
        wanted = tuple(ids)
        if wanted and self.rankings.keys().isdisjoint(wanted):
            raise InputError(
                self.path,
                None,
                f"the run holds no query of the golden set: its query ids are {_examples(self.rankings)}, "
                f"those of the golden set are {_examples(wanted)}",
            )


def load_run(path: Path) -> RunRetriever:
    """Read a TREC or JSONL run as a retriever.

    Raises:
        InputError: the file cannot be read as a run.
    """
    return RunRetriever(path, read_run(path))


def import_retriever(spec: ImportPath) -> object:
    """Import the object; a class or a function without required parameters is called once to build it.

    Anything else is returned as it is: a function with a required parameter or with
    ``*args`` is taken for the search itself.

    Raises:
        BadRetriever: there is no such module or attribute, or a class needs arguments.
        Exception: whatever the imported module or the builder raises, untouched.
    """
    found = _imported(spec)
    if inspect.isclass(found):
        missing = _required(found)
        if missing:
            raise BadRetriever(
                f"retriever {str(spec)!r} is a class that needs {', '.join(missing)} to be built; "
                "name an instance of it, or a function without parameters that builds one"
            )
        return found()
    if inspect.isroutine(found) and not _required(found):
        return found()
    return found


def _imported(spec: ImportPath) -> object:
    try:
        module = import_module(spec.module)
    except ModuleNotFoundError as error:
        # A module that the user's own module lacks is the user's error, and its traceback tells more.
        if error.name is None or not f"{spec.module}.".startswith(f"{error.name}."):
            raise
        hint = "if it lies beside the tests, `pythonpath = .` in pytest's configuration makes it importable"
        if spec.module.endswith(".py"):
            hint = f"write {spec.module[:-3]}:{spec.attribute}, without .py"
        raise BadRetriever(
            f"retriever {str(spec)!r}: there is no module {error.name!r} to import; {hint}"
        ) from None
    found: object = module
    home = f"module {spec.module!r}"
    for part in spec.attribute.split("."):
        try:
            found = getattr(found, part)
        except AttributeError:
            public = [name for name in dir(found) if not name.startswith("_")]
            close = get_close_matches(part, public, n=3)
            hint = f"; did you mean {', '.join(close)}?" if close else ""
            raise BadRetriever(f"retriever {str(spec)!r}: {home} has no attribute {part!r}{hint}") from None
        home = f"{part!r}"
    return found


def _required(function: Callable[..., object]) -> list[str]:
    """What must be given to call ``function``; ``*args`` counts, as only a search takes those."""
    try:
        parameters = signature_of(function).parameters.values()
    except (TypeError, ValueError):
        return [] if inspect.isclass(function) else ["arguments"]
    variadic = () if inspect.isclass(function) else (inspect.Parameter.VAR_POSITIONAL,)
    return [
        parameter.name
        for parameter in parameters
        if parameter.kind in variadic
        or (
            parameter.default is inspect.Parameter.empty
            and parameter.kind not in (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
        )
    ]


def build_built_in(name: str, golden: GoldenSet, chunking: Chunking | None = None) -> object:
    """Build one of :data:`BUILT_IN` over the documents that the golden set's header declares.

    ``chunking`` is the header's unless given.

    Raises:
        GoldenError: the header declares no documents, or they cannot be searched.
        BadRetriever: there is no such built-in, or what it needs is not installed.
    """
    if name not in BUILT_IN:
        raise BadRetriever(f"there is no built-in retriever {name!r}; there is {', '.join(BUILT_IN)}")
    place = golden.path or "golden set"
    lines = golden.header.lines
    if not golden.header.documents:
        raise GoldenError(
            place,
            lines.get("retriever"),
            f"the built-in retriever {name!r} searches the documents of the golden set, and none are "
            "declared; add them to the header, such as `documents: [docs/**/*.md]`",
        )
    folder = golden.path.parent if golden.path else Path()
    documents = read_documents(folder, golden.header.documents)
    try:
        return BUILT_IN[name](documents, chunking or golden.header.chunking)
    except ValueError as error:
        raise GoldenError(place, lines.get("documents"), str(error)) from None


def _bm25(documents: Sequence[Document], chunking: Chunking | None) -> object:
    try:
        from pytest_retrieval.retrieval.adapters.bm25 import Bm25Index
    except ModuleNotFoundError as error:
        if error.name != "rank_bm25":
            raise
        raise BadRetriever(
            "the built-in retriever 'bm25' needs the package rank-bm25; "
            'run: pip install "pytest-retrieval[bm25]"'
        ) from None
    return Bm25Index(documents, chunking)


BUILT_IN: Mapping[str, Callable[[Sequence[Document], Chunking | None], object]] = {"bm25": _bm25}
"""The retrievers that come with the package, under their names; each imports its adapter when built."""


def _examples(ids: Iterable[str]) -> str:
    shown = [repr(id_) for id_ in ids]
    return ", ".join(shown[:2]) + (" ..." if len(shown) > 2 else "") if shown else "none"
