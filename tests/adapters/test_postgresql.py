"""PostgreSQL's full text through the SQL adapter and the whole plugin."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from plugin_runs import timeless_report

pytestmark = pytest.mark.adapters

psycopg = pytest.importorskip("psycopg")
import postgresql_server  # noqa: E402

if postgresql_server.find_program("initdb") is None:
    pytest.skip("PostgreSQL is not installed", allow_module_level=True)

from pytest_retrieval import sql_search  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
PAGES = {
    "orders": "A sales order is blocked when the credit limit of the customer is exceeded.",
    "prices": "Error PRC-112: a mandatory price condition is missing on the order item.",
    "stock/\u00fc?": "Safety stock is a buffer that planning keeps for uncertain demand.",
    "bank": "A change of the bank details of a customer needs a second person.",
}


@pytest.fixture(scope="module")
def database() -> Iterator[str]:
    with postgresql_server.running() as address:
        with psycopg.connect(address) as connection:
            connection.execute(
                "CREATE TABLE pages (id text PRIMARY KEY, body text, words tsvector"
                " GENERATED ALWAYS AS (to_tsvector('english', body)) STORED)"
            )
            connection.cursor().executemany("INSERT INTO pages VALUES (%s, %s)", PAGES.items())
        yield address


def recipe(name: str, **names: Any) -> Any:
    """A retriever as the page about SQL shows it."""
    page = (ROOT / "docs" / "sql.md").read_text("utf-8")
    code = page.partition(f'```python recipe="{name}"\n')[2].partition("```")[0]
    known = {"sql_search": sql_search, **names}
    exec(code, known)
    return known["search"]


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("missing price", ["prices"]),
        ("PRC-112", ["prices"]),
        ('"credit limit" -bank', ["orders"]),
        ("customers", ["bank", "orders"]),
        ("it's (an] \"order & | ! <-> :* %s %(text)s :k", []),
        ("?", []),
        ("", []),
    ],
)
def test_the_recipe_for_all_words_takes_what_people_type(
    database: str, question: str, found: list[str]
) -> None:
    with recipe("postgresql-all", connect=partial(psycopg.connect, database)) as search:
        assert sorted(document for document, _ in search.search(question, 10)) == found


@pytest.mark.parametrize(
    ("question", "first", "count"),
    [
        ("which missing price of the order?", "prices", 2),
        ("uncertain & | ! ( ' demand :* <-> %s", "stock/\u00fc?", 1),
        ("the of and", None, 0),
        ("", None, 0),
    ],
)
def test_the_recipe_for_any_word_finds_more(
    database: str, question: str, first: str | None, count: int
) -> None:
    with recipe("postgresql-any", connect=partial(psycopg.connect, database)) as search:
        hits = search.search(question, 10)
    assert len(hits) == count
    assert first is None or hits[0][0] == first
    scores = [score for _, score in hits]
    assert scores == sorted(scores, reverse=True)


def test_an_error_of_the_database_does_not_spoil_the_next_question(database: str) -> None:
    statement = "SELECT id FROM pages WHERE words @@ to_tsquery('english', :text) ORDER BY id LIMIT :k"
    with sql_search(partial(psycopg.connect, database), statement) as search:
        with pytest.raises(psycopg.errors.SyntaxError):
            search.search("credit (", 5)
        assert search.search("credit", 5) == ["orders"]


def test_no_lock_is_left_behind(database: str) -> None:
    with psycopg.connect(database, autocommit=True) as other:
        other.execute("CREATE TABLE passing (id text)")
        with sql_search(
            partial(psycopg.connect, database), "SELECT id FROM passing WHERE id = :text"
        ) as search:
            assert search.search("x", 5) == []
            other.execute("SET lock_timeout = '5s'")
            other.execute("DROP TABLE passing")


CONFTEST = """
from functools import partial

import psycopg
import pytest

from pytest_retrieval import sql_search


@pytest.fixture(scope="session")
def retriever():
    connect = partial(psycopg.connect, {address!r})
    statement = (
        "SELECT id, ts_rank(words, question) AS score FROM pages,"
        " CAST(replace(CAST(plainto_tsquery('english', :text) AS text), '&', '|') AS tsquery) AS question"
        " WHERE words @@ question AND id <> :hidden ORDER BY score DESC, id LIMIT :k"
    )
    with sql_search(connect, statement) as search:
        yield search
"""


def test_the_whole_plugin_gets_the_same_from_four_workers_as_from_one(database: str, tmp_path: Path) -> None:
    texts = ["blocked order", "price 'PRC-112'", "safety (stock)", "bank details", 'uncertain "demand"?']
    rows = [
        {
            "id": f"q{number:02}",
            "text": f"{texts[number % 5]} {number}",
            "relevant": [["orders", "prices", "stock/\u00fc?", "bank", "stock/\u00fc?"][number % 5]],
            "params": {"hidden": "none"},
        }
        for number in range(20)
    ]
    (tmp_path / "golden.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf-8")
    (tmp_path / "conftest.py").write_text(CONFTEST.format(address=database), "utf-8")
    alone, together = (timeless_report(tmp_path, workers) for workers in ("0", "4"))
    assert alone == together
    means = next(row for row in alone["sets"][0]["means"] if row["slice"] == {})
    assert (means["n"], means["metrics"]["recall@5"], means["metrics"]["mrr"]) == (20, 1.0, 1.0)
