"""Any database with a DB-API 2.0 driver (PEP 249), asked with one SELECT per question."""

from __future__ import annotations

import os
import re
import sys
import threading
import weakref
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Protocol
from uuid import UUID

from pytest_retrieval.retrieval.calling import BadRetriever
from pytest_retrieval.retrieval.protocol import BadAnswer

# What may hold a colon or a percent sign that is none of ours comes first.
_PART = re.compile(
    r"""
      (?P<other> \b[eE]'(?:\\.|''|[^'\\])*' | '(?:''|[^'])*' | "(?:""|[^"])*"
               | \$(?P<tag>\w*)\$.*?\$(?P=tag)\$ | --[^\n]* | /\*.*?\*/ | :: )
    | :(?P<name>[A-Za-z_]\w*)
    """,
    re.VERBOSE | re.DOTALL,
)
_STYLES = ("qmark", "numeric", "named", "format", "pyformat")
_WORD = re.compile(r"\S+")


class Cursor(Protocol):
    """The part of a DB-API cursor that is used."""

    @property
    def description(self) -> Sequence[Sequence[Any]] | None:
        """A sequence per column, its name first; None where nothing was selected."""

    def execute(self, operation: str, parameters: Any, /) -> Any:
        """Run a statement."""

    def fetchall(self) -> Sequence[Any]:
        """All rows."""

    def close(self) -> object:
        """Give the cursor up."""


class Connection(Protocol):
    """The part of a DB-API connection that is used."""

    def cursor(self) -> Any:
        """A new cursor."""

    def close(self) -> object:
        """Give the connection up."""


def sql_search(
    connect: Callable[[], Connection],
    statement: str,
    *,
    query: Callable[[str], object] | None = None,
    paramstyle: str | None = None,
) -> SqlSearch:
    """A retriever that runs ``statement`` for each question.

    ``connect`` opens a connection; it is called once per process and thread. ``statement`` is a
    SELECT with ``:text``, ``:k`` and the names of a query's ``params``, whatever the driver's own
    style. Its first column is the id of a hit, a column named ``score`` the score, others are passed
    over; the order of the rows is the ranking. ``query`` turns the question into what is bound to
    ``:text``, such as :func:`fts5_any` or an embedding. ``paramstyle`` is that of PEP 249, found out
    from the driver unless given.

    Each question is a transaction that is rolled back.

    Raises:
        BadRetriever: ``statement`` has no ``:text``, or ``paramstyle`` is none.
    """
    if "text" not in _names(statement):
        raise BadRetriever("the statement of sql_search asks no question: write :text where it belongs")
    if paramstyle is not None and paramstyle not in _STYLES:
        raise BadRetriever(f"the paramstyle is {paramstyle!r}, expected one of {', '.join(_STYLES)}")
    search = SqlSearch(connect, statement, query, paramstyle)
    weakref.finalize(search, _close, search.connections)
    return search


@dataclass(frozen=True, eq=False)
class SqlSearch:
    """What :func:`sql_search` builds; usable from several threads."""

    connect: Callable[[], Connection] = field(repr=False)
    statement: str
    query: Callable[[str], object] | None
    paramstyle: str | None
    connections: dict[tuple[int, int], Connection] = field(default_factory=dict, init=False, repr=False)
    """One per process and thread, under the numbers of both."""

    def __enter__(self) -> SqlSearch:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections of this process."""
        _close(self.connections)

    def search(self, text: str, k: int, **params: object) -> list[object]:
        """Ask one question; ids, or pairs of id and score, in the order of the rows.

        Raises:
            BadRetriever: ``params`` and the names in the statement do not fit.
            BadAnswer: the statement selects nothing.
            Exception: whatever the driver raises, untouched.
        """
        values = {**params, "text": self.query(text) if self.query else text, "k": k}
        _check_names(self.statement, params)
        connection = self._connection()
        operation, parameters = bind(self.statement, values, self.paramstyle or _style_of(connection))
        cursor: Cursor = connection.cursor()
        try:
            cursor.execute(operation, parameters)
            if cursor.description is None:
                raise BadAnswer("the statement selected nothing: sql_search needs a SELECT")
            columns = [str(column[0]).lower() for column in cursor.description]
            return _hits(columns, cursor.fetchall())
        finally:
            cursor.close()
            _roll_back(connection)

    def _connection(self) -> Connection:
        key = os.getpid(), threading.get_ident()
        if key not in self.connections:
            connection = self.connect()
            # What `connect` itself may have written must outlive the first rollback.
            with suppress(Exception):
                connection.commit()  # type: ignore[attr-defined]
            self.connections[key] = connection
        return self.connections[key]


def _close(connections: dict[tuple[int, int], Connection]) -> None:
    here = os.getpid()
    for key in [key for key in connections if key[0] == here]:
        # sqlite3 lets no other thread than the one that opened it close a connection.
        with suppress(Exception):
            connections.pop(key).close()


def _roll_back(connection: Connection) -> None:
    """End the transaction: after an error nothing else can be asked, and an open one holds locks."""
    # PEP 249 lets a driver without transactions lack the method or refuse it.
    with suppress(Exception):
        connection.rollback()  # type: ignore[attr-defined]


def bind(statement: str, values: Mapping[str, object], paramstyle: str) -> tuple[str, Any]:
    """A statement with ``:name`` in the style of a driver, and its parameters.

    Names in texts, quoted names and comments are left alone, as are casts (``::``). Where the
    driver's style has percent signs, the statement's own are doubled.
    """
    order: list[str] = []
    percent = "%%" if paramstyle in ("format", "pyformat") else "%"

    def place(name: str) -> str:
        order.append(name)
        return {
            "qmark": "?",
            "numeric": f":{len(order)}",
            "named": f":{name}",
            "format": "%s",
            "pyformat": f"%({name})s",
        }[paramstyle]

    parts: list[str] = []
    end = 0
    for match in _PART.finditer(statement):
        parts.append(statement[end : match.start()].replace("%", percent))
        parts.append(place(match["name"]) if match["name"] else match[0].replace("%", percent))
        end = match.end()
    parts.append(statement[end:].replace("%", percent))
    if paramstyle in ("named", "pyformat"):
        return "".join(parts), {name: values[name] for name in order}
    return "".join(parts), tuple(values[name] for name in order)


def fts5_any(text: str) -> str:
    """A question as an FTS5 query that matches any of its words; quotes and brackets mean nothing."""
    return _fts5(text, " OR ")


def fts5_all(text: str) -> str:
    """A question as an FTS5 query that matches all of its words; quotes and brackets mean nothing."""
    return _fts5(text, " ")


def vector_text(vector: Iterable[float]) -> str:
    """A vector as pgvector and others write it, ``[0.5,1.0]``: bind it as ``:text::vector``."""
    return f"[{','.join(repr(float(value)) for value in vector)}]"


def _fts5(text: str, between: str) -> str:
    # A text in double quotes is cut by the index's own tokenizer; FTS5 stops reading at a NUL.
    words = _WORD.findall(text.replace("\0", " "))
    return between.join('"' + word.replace('"', '""') + '"' for word in words) or '""'


def _names(statement: str) -> set[str]:
    return {match["name"] for match in _PART.finditer(statement) if match["name"]}


def _check_names(statement: str, params: Mapping[str, object]) -> None:
    names = _names(statement)
    for name in params:
        if name not in names:
            raise BadRetriever(f"the query has the param {name!r}, and the statement has no :{name}")
    for name in sorted(names - {"text", "k", *params}):
        raise BadRetriever(f"the statement has :{name}, and the query no param of that name")


def _style_of(connection: Connection) -> str:
    """The style of the module that a connection's class comes from, or of a package around it."""
    for kind in type(connection).__mro__:
        module = kind.__module__
        while module:
            style = getattr(sys.modules.get(module), "paramstyle", None)
            if style in _STYLES:
                return str(style)
            module = module.rpartition(".")[0]
    raise BadRetriever(
        f"the driver of {type(connection).__module__}.{type(connection).__name__} does not tell its "
        f"paramstyle; give sql_search one of {', '.join(_STYLES)}"
    )


def _hits(columns: Sequence[str], rows: Sequence[Any]) -> list[object]:
    place = columns.index("score", 1) if "score" in columns[1:] else None
    hits: list[object] = []
    for row in rows:
        # Some drivers hand out mappings; sqlite3's own Row is a sequence of its values.
        values = tuple(row.values()) if isinstance(row, Mapping) else tuple(row)
        document = str(values[0]) if isinstance(values[0], UUID) else values[0]
        hits.append(document if place is None else (document, values[place]))
    return hits
