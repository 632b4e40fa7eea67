import sqlite3
import sys
import threading
import types
import uuid
from contextlib import closing
from functools import partial

import pytest

from pytest_retrieval.golden.model import Query
from pytest_retrieval.retrieval.adapters.sql import bind, fts5_all, fts5_any, sql_search, vector_text
from pytest_retrieval.retrieval.calling import BadRetriever, answer, prepare
from pytest_retrieval.retrieval.protocol import BadAnswer

FTS5 = "SELECT id, -bm25(pages) AS score FROM pages WHERE pages MATCH :text ORDER BY score DESC, id LIMIT :k"
PAGES = {
    "credit": "an order is blocked by the credit check",
    "price": "error PRC-112 means that a price is missing",
    "a/b?\u00fc": "the planning run flags missing parts",
    "AND": "and so on",
}


@pytest.fixture
def database(tmp_path):
    path = tmp_path / "pages.db"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE VIRTUAL TABLE pages USING fts5(id UNINDEXED, text)")
        connection.executemany("INSERT INTO pages VALUES (?, ?)", PAGES.items())
    return path


@pytest.fixture
def search(database):
    with sql_search(partial(sqlite3.connect, database), FTS5, query=fts5_any) as search:
        yield search


# -- questions that FTS5 would read as its own language


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("PRC-112", ["price"]),
        ('"order" (blocked) [credit]', ["credit"]),
        ("NOT credit", ["credit"]),
        ("missing AND", ["AND", "a/b?\u00fc", "price"]),
        ("NEAR(price missing, 1)", ["price", "a/b?\u00fc"]),
        ("text: credit", ["credit"]),
        ("cred* credit^2 {credit} 'credit'", ["credit"]),
        ('credit "" " ; DROP TABLE pages; --', ["credit"]),
        ("credit\0", ["credit"]),
        ("?", []),
        ("", []),
        ("()", []),
    ],
)
def test_a_raw_question_breaks_no_query(search, question, found):
    got = [document for document, _ in search.search(question, 10)]
    assert set(got) == set(found)
    assert len(got) == len(found)


def test_without_quoting_the_same_questions_break(database):
    with (
        sql_search(partial(sqlite3.connect, database), FTS5) as search,
        pytest.raises(sqlite3.OperationalError, match="no such column: 112"),
    ):
        search.search("PRC-112", 10)


def test_all_words_or_any_of_them():
    assert fts5_any('a "b" c-d') == '"a" OR """b""" OR "c-d"'
    assert fts5_all('a "b" c-d') == '"a" """b""" "c-d"'
    assert (fts5_any(" "), fts5_all("")) == ('""', '""')


def test_scores_descend_and_k_is_kept(search):
    hits = search.search("missing price", 10)
    assert [document for document, _ in hits] == ["price", "a/b?\u00fc"]
    assert hits[0][1] > hits[1][1] > 0
    assert search.search("missing price", 1) == hits[:1]
    assert len(search.search("missing price", 1_000)) == 2


# -- rows


def rows(connect, statement, text="x", k=3, **params):
    with sql_search(connect, statement) as search:
        return search.search(text, k, **params)


def test_the_first_column_is_the_id_and_score_is_known_by_its_name():
    memory = partial(sqlite3.connect, ":memory:")
    assert rows(memory, "SELECT 'a', :text, 0.5 AS Score") == [("a", 0.5)]
    assert rows(memory, "SELECT 7, 0.5 AS distance, :text") == [7]
    assert rows(memory, "SELECT :text AS score") == ["x"]
    assert rows(memory, "SELECT :text WHERE 0") == []


def test_rows_may_be_sqlites_own_or_mappings():
    def connect(factory):
        connection = sqlite3.connect(":memory:")
        connection.row_factory = factory
        return connection

    def mapping(cursor, row):
        return dict(zip([column[0] for column in cursor.description], row, strict=True))

    for factory in (sqlite3.Row, mapping):
        assert rows(partial(connect, factory), "SELECT :text AS id, 2 AS score") == [("x", 2)]


def test_the_plugin_reads_what_it_returns(search):
    asker = prepare(search)
    assert answer(asker, Query("q", "missing parts"), 20, None).documents == ("a/b?\u00fc", "price")


def test_params_are_bound_by_name():
    statement = "SELECT :user WHERE :text = 'x' AND :k = 3"
    memory = partial(sqlite3.connect, ":memory:")
    assert rows(memory, statement, user="clerk' OR 1=1 --") == ["clerk' OR 1=1 --"]
    with pytest.raises(BadRetriever, match="has :user, and the query no param of that name"):
        rows(memory, statement)
    with pytest.raises(BadRetriever, match="the param 'lang', and the statement has no :lang"):
        rows(memory, statement, user="a", lang="en")


def test_a_statement_that_selects_nothing_is_told():
    def connect():
        connection = sqlite3.connect(":memory:")
        connection.execute("CREATE TABLE pages (id)")
        return connection

    with pytest.raises(BadAnswer, match="the statement selected nothing"):
        rows(connect, "DELETE FROM pages WHERE id = :text")


def test_a_statement_without_the_question_is_refused():
    with pytest.raises(BadRetriever, match="write :text where it belongs"):
        sql_search(partial(sqlite3.connect, ":memory:"), "SELECT ':text' -- :text")


# -- connections


def test_one_connection_per_thread_and_all_are_closed(database):
    opened = []

    def connect():
        opened.append(sqlite3.connect(database, check_same_thread=False))
        return opened[-1]

    barrier = threading.Barrier(3)

    def ask(search):
        barrier.wait(10)
        for _ in range(3):
            assert search.search("credit", 5)
        barrier.wait(10)

    with sql_search(connect, FTS5, query=fts5_any) as search:
        threads = [threading.Thread(target=ask, args=(search,)) for _ in range(2)]
        for thread in threads:
            thread.start()
        ask(search)
        for thread in threads:
            thread.join()
        assert len(opened) == 3
    for connection in opened:
        with pytest.raises(sqlite3.ProgrammingError, match="closed"):
            connection.execute("SELECT 1")


def test_an_error_leaves_the_connection_usable_and_what_connect_wrote_in_place():
    def connect():
        connection = sqlite3.connect(":memory:")
        connection.execute("CREATE VIRTUAL TABLE pages USING fts5(id UNINDEXED, text)")
        connection.execute("INSERT INTO pages VALUES ('a', 'credit')")
        return connection

    with sql_search(connect, FTS5) as search:
        with pytest.raises(sqlite3.OperationalError):
            search.search('"', 5)
        assert [document for document, _ in search.search("credit", 5)] == ["a"]


def test_no_transaction_is_left_open(tmp_path):
    asked = []

    class Connection(sqlite3.Connection):
        def rollback(self):
            asked.append("rollback")
            super().rollback()

    connect = partial(sqlite3.connect, ":memory:", factory=Connection)
    rows(connect, "SELECT :text")
    assert asked == ["rollback"]


# -- other drivers


class FakeCursor:
    description = (("id",), ("score",))

    def __init__(self, asked):
        self._asked = asked

    def execute(self, operation, parameters):
        self._asked.append((operation, parameters))

    def fetchall(self):
        return [(uuid.UUID(int=7), 0.5)]

    def close(self):
        pass


def driver(monkeypatch, style):
    """A driver in a package `fakedb` whose connections come from a module inside it; no transactions."""
    package, inner = types.ModuleType("fakedb"), types.ModuleType("fakedb.inner")
    package.paramstyle = style
    monkeypatch.setitem(sys.modules, "fakedb", package)
    monkeypatch.setitem(sys.modules, "fakedb.inner", inner)

    class Connection:
        __module__ = "fakedb.inner"

        def cursor(self):
            return FakeCursor(self.asked)

        def close(self):
            pass

    Connection.asked = []
    return Connection


STATEMENT = (
    "SELECT id, ts_rank(v, q) AS score, '50 % :k ''x''', \"a:text\", x::text, $t$ :k $t$ -- :k 5%\n"
    "FROM d WHERE a LIKE '%b' AND v @@ f(:text) /* :text */ AND w = :text LIMIT :k"
)
REST = STATEMENT.partition("f(")[0]


@pytest.mark.parametrize(
    ("style", "end", "parameters"),
    [
        ("qmark", "f(?) /* :text */ AND w = ? LIMIT ?", ("it's 5 %", "it's 5 %", 3)),
        ("numeric", "f(:1) /* :text */ AND w = :2 LIMIT :3", ("it's 5 %", "it's 5 %", 3)),
        ("named", "f(:text) /* :text */ AND w = :text LIMIT :k", {"text": "it's 5 %", "k": 3}),
        ("format", "f(%s) /* :text */ AND w = %s LIMIT %s", ("it's 5 %", "it's 5 %", 3)),
        (
            "pyformat",
            "f(%(text)s) /* :text */ AND w = %(text)s LIMIT %(k)s",
            {"text": "it's 5 %", "k": 3},
        ),
    ],
)
def test_each_drivers_own_style_is_found_and_used(monkeypatch, style, end, parameters):
    connection = driver(monkeypatch, style)
    with sql_search(connection, STATEMENT) as search:
        hits = search.search("it's 5 %", 3)
    rest = REST.replace("%", "%%") if style in ("format", "pyformat") else REST
    assert connection.asked == [(rest + end, parameters)]
    assert hits == [("00000000-0000-0000-0000-000000000007", 0.5)]


def test_an_escaped_quote_of_postgresql_ends_no_text():
    assert bind(r"SELECT E'\' :text', :text", {"text": 1}, "qmark") == (r"SELECT E'\' :text', ?", (1,))


def test_a_driver_that_does_not_tell_its_style_needs_it_said(monkeypatch):
    connection = driver(monkeypatch, None)
    with pytest.raises(BadRetriever, match=r"the driver of fakedb\.inner\.Connection does not tell"):
        rows(connection, "SELECT :text")
    with sql_search(connection, "SELECT :text", paramstyle="format") as search:
        search.search("x", 3)
    assert connection.asked == [("SELECT %s", ("x",))]
    with pytest.raises(BadRetriever, match="the paramstyle is 'percent', expected one of qmark"):
        sql_search(connection, "SELECT :text", paramstyle="percent")


def test_a_vector_is_written_as_pgvector_reads_it():
    assert vector_text([1, 0.5, -2e-7]) == "[1.0,0.5,-2e-07]"
