"""How a retriever is asked: what its signature takes, inspected once, and a call of it."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from inspect import Parameter, Signature, getattr_static
from typing import Any, Protocol, cast

from pytest_retrieval.golden.model import Query
from pytest_retrieval.retrieval.errors import BadRetriever as BadRetriever
from pytest_retrieval.retrieval.protocol import is_async, read_answer, read_answers
from pytest_retrieval.retrieval.ranking import Ranking, rank_documents
from pytest_retrieval.retrieval.recognising import recognise
from pytest_retrieval.retrieval.threads import Clock

COUNT_NAMES = (
    *("k", "top_k", "topk", "limit", "n", "size", "depth", "top_n"),
    *("n_results", "num_results", "max_results", "count"),
)
"""Names (in any case) of a parameter that says how many results are wanted."""

_ACCEPTED = "a retriever takes (text), (text, k) or (text, k, **params), or has a method search that does"
_POSITIONAL = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
_VARIADIC = (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)
# What stands in for a signature that cannot be inspected: the text, the count, and any params.
_UNKNOWN = (
    Parameter("args", Parameter.VAR_POSITIONAL),
    Parameter("params", Parameter.VAR_KEYWORD),
)
# Methods that search libraries have in place of `search`; named in the message, never called.
_OTHER_METHODS = ("retrieve", "query", "invoke", "similarity_search", "get_relevant_documents")


class AnswersQuery(Protocol):
    """A retriever that needs the whole query, such as one that looks answers up by query id."""

    def answer_query(self, query: Query, depth: int) -> object:
        """Return at most ``depth`` results in any shape that a retriever may return."""


@dataclass(frozen=True, slots=True)
class Asker:
    """A prepared retriever: ``ask(query, depth)`` calls it and returns what it returned.

    ``ask_together`` asks several queries of equal params in one call, which returns one
    answer per query; it is there where the retriever has a method ``search_batch``. ``ask``
    is None where it has no other.
    """

    ask: Callable[[Query, int], object] | None
    ask_together: Callable[[Sequence[Query], int], object] | None = None
    fits: Callable[[Query], bool] = lambda query: True

    def together(self, query: Query) -> bool:
        """Whether a query is asked by ``ask_together``: wherever that takes its params."""
        return self.ask_together is not None and (self.ask is None or self.fits(query))


def prepare(retriever: object) -> Asker:
    """Find out, once, how ``retriever`` wants to be called.

    It is an :class:`AnswersQuery`, an object of a known library (:func:`recognise
    <pytest_retrieval.retrieval.recognising.recognise>`), a callable, or an object with a
    method ``search``, in this order.

    The text goes to the first positional parameter. The number of results
    goes to the second one if that has a name of :data:`COUNT_NAMES`; else to another
    parameter of such a name; else to the second one if that has no default and the query
    does not set it by name; else to ``*args``; else it is not passed. Without an
    inspectable signature the call is ``(text, k)``.

    A method ``search_batch`` is called by the same rules with a list of texts in place of
    the text. It needs no method ``search`` beside it.

    Raises:
        BadRetriever: ``retriever`` is nothing that can be asked; the message says what it is.
    """
    # Asked of the type, since a stand-in such as a mock has every attribute one asks it for.
    if callable(getattr(type(retriever), "answer_query", None)):
        return Asker(cast(AnswersQuery, retriever).answer_query)
    retriever = recognise(retriever)
    batch = None if inspect.isclass(retriever) else getattr_static(retriever, "search_batch", None)
    if batch is None:
        return Asker(_prepared(*_function(retriever)).ask)
    together = _prepared(
        cast(Any, retriever).search_batch, f"{type(retriever).__name__}.search_batch", "query texts"
    )
    if not callable(retriever) and not callable(getattr(retriever, "search", None)):
        return Asker(None, together.ask_together)
    return Asker(_prepared(*_function(retriever)).ask, together.ask_together, together.fits)


def _prepared(function: Callable[..., object], name: str, first: str = "query text") -> _Call:
    try:
        signature = signature_of(function)
    except (TypeError, ValueError):
        return _Call(function, name, _UNKNOWN)
    shown = f"{name}{signature}"
    parameters = tuple(signature.parameters.values())
    if not parameters or parameters[0].kind not in (*_POSITIONAL, Parameter.VAR_POSITIONAL):
        raise BadRetriever(f"{shown} takes no {first}; {_ACCEPTED}")
    return _Call(function, shown, parameters)


def answer(asker: Asker, query: Query, depth: int, document_id: re.Pattern[str] | None) -> Ranking:
    """Ask one query for ``depth`` results and rank the documents behind them.

    ``document_id`` as in :func:`~pytest_retrieval.retrieval.ranking.rank_documents`.

    Raises:
        BadRetriever: the signature and the query's ``params`` do not fit.
        BadAnswer: the answer is of no accepted shape.
        Exception: whatever the retriever itself raises, untouched.
    """
    (result,) = results(asker, [query], depth)
    return rank_documents(read_answer(result, depth).hits, document_id)


def results(
    asker: Asker, queries: Sequence[Query], depth: int, limit: float | None = None, clock: Clock | None = None
) -> Sequence[object]:
    """What the retriever returns for each query, several of equal params in one call; async answers awaited.

    An async answer that takes longer than ``limit`` seconds raises TimedOut, and the ``clock`` of
    its call is stopped: nobody else need watch over it.
    """
    if asker.together(queries[0]):
        assert asker.ask_together is not None
        together = _awaited(asker.ask_together(queries, depth), len(queries), limit, clock)
        return read_answers(together, len(queries))
    assert asker.ask is not None
    return [_awaited(asker.ask(query, depth), depth, limit, clock) for query in queries]


def _awaited(result: object, count: int, limit: float | None, clock: Clock | None) -> object:
    if not is_async(result):
        return result
    from pytest_retrieval.retrieval.looping import settle

    if clock is not None:
        clock.stop()
    return settle(result, count, limit)


def error_text(error: BaseException) -> str:
    """``TypeName: message``; an exception may fail to say what it is."""
    try:
        message = str(error)
    except Exception:
        message = "(its message cannot be shown)"
    return f"{type(error).__name__}: {message}"


@dataclass(frozen=True, slots=True)
class _Call:
    """A function with its parameters; ``shown`` is its name and signature for messages."""

    function: Callable[..., object]
    shown: str
    parameters: tuple[Parameter, ...]
    counts: dict[tuple[str, ...], Parameter | None] = field(default_factory=dict)
    """Names of a query's params -> the parameter for the number of results: found out once."""

    def ask(self, query: Query, depth: int) -> object:
        """One text."""
        return self._call(query.text, query, depth)

    def ask_together(self, queries: Sequence[Query], depth: int) -> object:
        """The texts of queries of equal params."""
        return self._call([query.text for query in queries], queries[0], depth)

    def fits(self, query: Query) -> bool:
        """Whether the signature takes the query's params."""
        try:
            self._count(query)
        except BadRetriever:
            return False
        return True

    def _call(self, first: object, query: Query, depth: int) -> object:
        count = self._count(query)
        second = count is not None and self._is_passed_by_position(count)
        named = {} if count is None or second else {count.name: depth}
        arguments = (first, depth) if second else (first,)
        return self.function(*arguments, **named, **query.params)

    def _count(self, query: Query) -> Parameter | None:
        names = tuple(query.params)
        if names not in self.counts:
            count = self._count_parameter(query.params)
            self._check(query, count)
            self.counts[names] = count
        return self.counts[names]

    def _count_parameter(self, given: Mapping[str, object]) -> Parameter | None:
        first, *others = self.parameters
        if first.kind is Parameter.VAR_POSITIONAL:
            return first
        for place, parameter in enumerate(others):
            reachable = parameter.kind is not Parameter.POSITIONAL_ONLY or place == 0
            if parameter.kind not in _VARIADIC and reachable and parameter.name.lower() in COUNT_NAMES:
                return parameter
        if not others:
            return None
        second = others[0]
        if second.kind is Parameter.VAR_POSITIONAL:
            return second
        required = second.kind in _POSITIONAL and second.default is Parameter.empty
        settable = second.kind is not Parameter.POSITIONAL_ONLY
        return second if required and not (settable and second.name in given) else None

    def _is_passed_by_position(self, count: Parameter) -> bool:
        return count.kind is Parameter.VAR_POSITIONAL or (
            count is self.parameters[1] and count.kind is not Parameter.KEYWORD_ONLY
        )

    def _check(self, query: Query, count: Parameter | None) -> None:
        filled = [parameter for parameter in (self.parameters[0], count) if parameter is not None]
        by_name = {p.name for p in self.parameters if p.kind not in (Parameter.POSITIONAL_ONLY, *_VARIADIC)}
        takes_any = any(p.kind is Parameter.VAR_KEYWORD for p in self.parameters)
        taken = {p.name for p in filled} & by_name
        for name in query.params:
            if name in taken:
                used = "its text" if name == self.parameters[0].name else "the number of results (depth)"
                raise BadRetriever(
                    f"query {query.id!r} sets the param {name!r}, which is {used}: {self.shown}"
                )
            if name not in by_name and not takes_any:
                raise BadRetriever(
                    f"query {query.id!r} has the param {name!r}, "
                    f"which the retriever does not take: {self.shown}"
                )
        missing = [
            parameter.name
            for parameter in self.parameters
            if parameter.default is Parameter.empty
            and parameter.kind not in _VARIADIC
            and parameter not in filled
            and not (parameter.name in query.params and parameter.name in by_name)
        ]
        if missing:
            raise BadRetriever(
                f"{self.shown} needs {', '.join(missing)} as well; {_ACCEPTED}. "
                f"Give it a default, or set it under params of query {query.id!r}"
            )


def _function(retriever: object) -> tuple[Callable[..., object], str]:
    """The callable to ask and its name for messages."""
    if inspect.isclass(retriever):
        raise BadRetriever(f"the retriever is the class {retriever.__name__} itself; build an instance of it")
    if callable(retriever):
        return retriever, getattr(retriever, "__name__", type(retriever).__name__)
    search = getattr(retriever, "search", None)
    if callable(search):
        return search, f"{type(retriever).__name__}.search"
    if inspect.iscoroutine(retriever):
        retriever.close()  # or Python warns later, and elsewhere, that it was never awaited
    found = "None" if retriever is None else f"an object of type {type(retriever).__name__}"
    if isinstance(retriever, str):
        found = f"the string {retriever!r}"
    methods = [name for name in _OTHER_METHODS if callable(getattr(retriever, name, None))]
    hint = f". Its method {methods[0]} may be meant: return that in place of the object" if methods else ""
    raise BadRetriever(f"the retriever is {found}, which cannot be asked; {_ACCEPTED}{hint}")


def signature_of(function: Callable[..., Any]) -> Signature:
    """The signature without its annotations, which may name things that exist for type checkers only.

    Raises:
        TypeError, ValueError: ``function`` has no signature that can be inspected.
    """
    if sys.version_info >= (3, 14):
        from annotationlib import Format

        signature = inspect.signature(function, annotation_format=Format.STRING)
    else:
        signature = inspect.signature(function)
    bare = [parameter.replace(annotation=Parameter.empty) for parameter in signature.parameters.values()]
    return Signature(bare)
