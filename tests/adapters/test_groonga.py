"""A search server over HTTP, Groonga, through the HTTP adapter and the whole plugin."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from plugin_runs import timeless_report

pytestmark = pytest.mark.adapters

httpx = pytest.importorskip("httpx")

if shutil.which("groonga") is None:
    pytest.skip("Groonga is not installed", allow_module_level=True)

from pytest_retrieval import http_search  # noqa: E402
from pytest_retrieval.retrieval.adapters.http import HttpError  # noqa: E402

PAGES = [
    {"_key": "orders", "body": "a sales order is blocked when the credit limit is exceeded"},
    {"_key": "prices", "body": "error PRC-112: a mandatory price condition is missing"},
    {"_key": "stock/\u00fc?#", "body": "safety stock is a buffer (for uncertain demand)"},
]
SCHEMA = (
    "table_create?name=Pages&flags=TABLE_HASH_KEY&key_type=ShortText",
    "column_create?table=Pages&name=body&flags=COLUMN_SCALAR&type=Text",
    "table_create?name=Terms&flags=TABLE_PAT_KEY&key_type=ShortText"
    "&default_tokenizer=TokenBigram&normalizer=NormalizerAuto",
    "column_create?table=Terms&name=body&flags=COLUMN_INDEX%7CWITH_POSITION&type=Pages&source=body",
)
SELECT = (
    "{address}/d/select?command_version=3&table={table}&match_columns=body&query={{text}}{more}"
    "&output_columns=_key,_score&sort_keys=-_score,_key&limit={{k}}"
)
RECIPE = {"hits": "$.body.records[*]", "id": "[0]", "score": "[1]"}
# Its query language has brackets and quotes; this flag takes them as words where they make no sense.
ANYTHING = "&query_flags=QUERY_NO_SYNTAX_ERROR"


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("groonga")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    place = f"http://127.0.0.1:{port}"
    command = ["groonga", "-n", "-s", "--protocol", "http", "--bind-address", "127.0.0.1", "-p", str(port)]
    with subprocess.Popen(
        [*command, "--log-path", str(folder / "log"), str(folder / "db")],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as server:
        try:
            # Tries again until the server listens.
            transport = httpx.HTTPTransport(retries=6)
            with httpx.Client(base_url=place, transport=transport, timeout=30) as client:
                for part in SCHEMA:
                    client.get(f"/d/{part}").raise_for_status()
                loaded = client.post("/d/load", params={"table": "Pages"}, json=PAGES).json()
                assert loaded[1] == len(PAGES)
            yield place
        finally:
            server.terminate()
            server.wait(timeout=30)


def search(address: str, more: str = ANYTHING, table: str = "Pages") -> Any:
    return http_search(SELECT.format(address=address, table=table, more=more), **RECIPE)


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("price", ["prices"]),
        ("PRC-112", ["prices"]),
        ('"credit limit"', ["orders"]),
        ("order OR stock", ["orders", "stock/\u00fc?#"]),
        ("uncertain & buffer", []),
        ("no such word", []),
    ],
)
def test_a_question_finds_its_pages(address: str, question: str, found: list[str]) -> None:
    with search(address) as asked:
        assert sorted(document for document, _ in asked.search(question, 10)) == found


@pytest.mark.parametrize("question", ["price (", '"price', "price ) x", "<>=~*+-", "a&query=order#x?", "\\"])
def test_signs_of_its_query_language_are_no_error(address: str, question: str) -> None:
    with search(address) as asked:
        assert isinstance(asked.search(question, 10), list)


def test_the_number_of_results_is_kept(address: str) -> None:
    with search(address) as asked:
        assert len(asked.search("order OR stock OR price", 2)) == 2
        assert len(asked.search("order OR stock OR price", 1_000)) == 3


def test_its_own_error_is_told(address: str) -> None:
    with search(address, more="") as asked, pytest.raises(HttpError, match=r"status 400 .*Syntax error"):
        asked.search("price (", 10)
    with search(address, table="None") as asked, pytest.raises(HttpError, match="invalid name: <None>"):
        asked.search("price", 10)


CONFTEST = """
import pytest

from pytest_retrieval import http_search


@pytest.fixture(scope="session")
def retriever():
    with http_search({url!r}, **{recipe!r}) as search:
        yield search
"""


def test_the_whole_plugin_gets_the_same_from_two_workers_as_from_one(address: str, tmp_path: Path) -> None:
    rows = [
        {"id": "q1", "text": "credit limit", "relevant": ["orders"]},
        {"id": "q2", "text": "price (missing)", "relevant": ["prices"]},
        {"id": "q3", "text": "(for uncertain", "relevant": ["stock/\u00fc?#"]},
    ]
    (tmp_path / "golden.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf-8")
    url = SELECT.format(address=address, table="Pages", more=ANYTHING)
    (tmp_path / "conftest.py").write_text(CONFTEST.format(url=url, recipe=RECIPE), "utf-8")
    alone, together = (timeless_report(tmp_path, workers) for workers in ("0", "2"))
    assert alone == together
    assert [query["scores"]["mrr"] for query in alone["sets"][0]["queries"]] == [1.0, 1.0, 1.0]
