"""Each recipe for a search service is tried with a response in the vendor's documented shape."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
from page_markdown import blocks

pytest.importorskip("httpx")

from pytest_retrieval import http_search

PAGE = Path(__file__).resolve().parents[2] / "docs" / "http.md"
RECIPES = {block.value: block.text for block in blocks(PAGE) if block.name == "recipe"}
HARD = 'is "that" & [this] {text} a question?'

# name -> the response, what is read from it, and where the request holds the question and the number
CASES: dict[str, tuple[Any, list[Any], str]] = {
    "sap": (
        {
            "results": [
                {
                    "filterId": "all",
                    "results": [
                        {
                            "dataRepository": {
                                "id": "r1",
                                "title": "help",
                                "metadata": [],
                                "documents": [
                                    {
                                        "id": "6ba7",
                                        "metadata": [
                                            {"key": "title", "value": ["Credit"]},
                                            {"key": "url", "value": ["help/credit"]},
                                        ],
                                        "chunks": [{"id": "c1", "content": "...", "metadata": []}],
                                    }
                                ],
                            }
                        }
                    ],
                }
            ]
        },
        ["help/credit"],
        '{"query": Q, "filters": [{"id": "all", "searchConfiguration": {"maxChunkCount": 20}, '
        '"dataRepositories": ["*"], "dataRepositoryType": "vector"}]}',
    ),
    "azure": (
        {
            "@odata.context": "...",
            "value": [{"@search.score": 7.5, "id": "a"}, {"@search.score": 1, "id": "b"}],
        },
        [("a", 7.5), ("b", 1)],
        '{"search": Q, "top": 20, "select": "id"}',
    ),
    "vespa": (
        {
            "root": {
                "id": "toplevel",
                "relevance": 1.0,
                "fields": {"totalCount": 1},
                "children": [{"id": "id:help:help::a", "relevance": 2.5, "fields": {"id": "a"}}],
            }
        },
        [("a", 2.5)],
        '{"yql": "select * from help where userInput(@question)", "question": Q, '
        '"hits": 20, "ranking": "bm25"}',
    ),
    "typesense": (
        {"found": 1, "hits": [{"document": {"id": "a", "title": "A"}, "text_match": 578730123}]},
        [("a", 578730123)],
        "/collections/help/documents/search?q=Q&query_by=title,text&per_page=20",
    ),
    "meilisearch": (
        {"hits": [{"id": 7, "_rankingScore": 0.9}], "query": "...", "estimatedTotalHits": 1},
        [(7, 0.9)],
        '{"q": Q, "limit": 20, "showRankingScore": true}',
    ),
    "weaviate": (
        {"data": {"Get": {"Help": [{"slug": "a", "_additional": {"score": "1.5"}}]}}},
        ["a"],
        '{"query": "query($text: String!, $k: Int!) { Get { Help(bm25: {query: $text}, limit: $k) '
        '{ slug _additional { score } } } }", "variables": {"text": Q, "k": 20}}',
    ),
}


class Service(HTTPServer):
    """Answers with ``response`` and keeps the last request."""

    response: Any = None
    path = ""
    body = b""


class Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        service = self.server
        assert isinstance(service, Service)
        service.path = self.path
        service.body = self.rfile.read(int(self.headers.get("content-length") or 0))
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps(service.response).encode())

    do_POST = do_GET  # noqa: N815

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    with Service(("127.0.0.1", 0), Handler) as running:
        for name in ("AI_API", "AZURE_SEARCH", "VESPA", "TYPESENSE", "MEILI", "WEAVIATE"):
            monkeypatch.setenv(f"{name}_URL", f"http://127.0.0.1:{running.server_port}")
            monkeypatch.setenv(f"{name}_KEY", "key")
        monkeypatch.setenv("AI_CORE_TOKEN", "token")
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")
        thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield running
        running.shutdown()
        thread.join()


def search(recipe: str) -> list[object]:
    names: dict[str, Any] = {"http_search": http_search}
    exec(RECIPES[recipe], names)
    with names["search"] as built:
        return list(built.search(HARD, 20))


def test_every_recipe_is_tried() -> None:
    assert set(RECIPES) == set(CASES)


@pytest.mark.parametrize("recipe", CASES)
def test_a_recipe_sends_the_question_whole_and_reads_the_documented_response(
    recipe: str, service: Service
) -> None:
    response, found, request = CASES[recipe]
    service.response = response
    assert search(recipe) == found
    if request.startswith("/"):
        quoted = "is%20%22that%22%20%26%20%5Bthis%5D%20%7Btext%7D%20a%20question%3F"
        assert service.path == request.replace("Q", quoted)
    else:
        assert json.loads(service.body) == json.loads(request.replace("Q", json.dumps(HARD)))


def test_a_response_of_vespa_without_hits_is_an_empty_answer(service: Service) -> None:
    service.response = {"root": {"id": "toplevel", "relevance": 1.0, "fields": {"totalCount": 0}}}
    assert search("vespa") == []


def test_an_error_of_weaviate_is_no_empty_answer(service: Service) -> None:
    from pytest_retrieval.retrieval.adapters.http import HttpError

    service.response = {"data": None, "errors": [{"message": "no such class"}]}
    with pytest.raises(HttpError, match=r"there is no 'Get' at \$\.data, which is null"):
        search("weaviate")
