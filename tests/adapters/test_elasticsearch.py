"""The real clients of Elasticsearch and OpenSearch, against answers on loopback."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from parcels import RAW, ask

from pytest_retrieval.retrieval.adapters.elasticsearch import hits
from pytest_retrieval.retrieval.errors import BadAnswer, BadRetriever


class Answers(BaseHTTPRequestHandler):
    """Answers every search with the response that the server holds, and keeps what was asked."""

    protocol_version = "HTTP/1.1"

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append(asked)
        body = json.dumps(self.server.response).encode()
        self.send_response(self.server.status)
        self.send_header("X-Elastic-Product", "Elasticsearch")
        self.send_header("Content-Type", self.headers.get("Accept", "application/json"))
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        pass


def response(*found, **named):
    return {
        "took": 1,
        "timed_out": False,
        "_shards": {"total": 1, "failed": 0},
        **named,
        "hits": {"hits": [*found]},
    }


@pytest.fixture
def server():
    with ThreadingHTTPServer(("127.0.0.1", 0), Answers) as server:
        server.asked, server.status, server.response = [], 200, response()
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture(params=["elasticsearch", "opensearch"])
def client(request, server):
    url = f"http://127.0.0.1:{server.server_port}"
    if request.param == "elasticsearch":
        library = pytest.importorskip("elasticsearch", reason="elasticsearch is not installed")
        made = library.Elasticsearch(url, max_retries=0)
    else:
        library = pytest.importorskip("opensearchpy", reason="opensearch-py is not installed")
        made = library.OpenSearch(url, max_retries=0)
    yield made
    made.close()


def searching(client):
    """A search as the messages and the page show it, with each client's own arguments."""

    def search(text, k):
        query = {"match": {"body": text}}
        if type(client).__module__.startswith("elasticsearch"):
            return client.search(index="docs", query=query, size=k)
        return client.search(index="docs", body={"query": query, "size": k})

    return search


def test_a_response_is_read_as_it_is_in_its_order_with_awkward_ids_and_scores(client, server):
    server.response = response(
        {"_id": "guides/fees?x", "_score": None, "_source": {"id": "not this"}, "sort": [3]},
        {"_id": "Größe", "_score": 0.0, "_source": {}},
        {"_id": "42", "_score": 7.5},
    )
    assert ask(searching(client), RAW) == ["guides/fees?x", "Größe", "42"]
    assert server.asked == [{"query": {"match": {"body": RAW}}, "size": 20}]


def test_an_answer_without_hits_is_empty(client):
    assert ask(searching(client), RAW) == []


def test_pieces_count_for_the_document_that_a_field_names(client, server):
    found = [
        {"_id": f"p{number}", "_score": 1.0, "_source": {"meta": {"page": page}}}
        for number, page in enumerate(["D2", "D1", "D2"])
    ]
    server.response = response(*found)
    search = searching(client)
    assert ask(search, RAW) == ["p0", "p1", "p2"]
    assert ask(lambda text, k: hits(search(text, k), "meta.page"), RAW) == ["D2", "D1"]


@pytest.mark.parametrize(
    ("partial", "words"),
    [({"timed_out": True}, "timed out"), ({"_shards": {"total": 5, "failed": 1}}, "1 shards failed")],
)
def test_a_partial_answer_is_an_error_and_no_ranking(client, server, partial, words):
    server.response = response({"_id": "D1", "_score": 1.0}, **partial)
    with pytest.raises(BadAnswer, match=words):
        ask(searching(client), RAW)


def test_what_the_server_refuses_is_raised_by_the_client(client, server):
    server.status, server.response = 400, {"error": {"type": "parsing_exception"}, "status": 400}
    with pytest.raises(Exception, match="parsing_exception") as raised:
        ask(searching(client), RAW)
    assert not isinstance(raised.value, BadAnswer)


def test_a_bare_client_is_refused_with_what_to_return(client):
    with pytest.raises(BadRetriever, match=r"return a function, such as lambda text, k: client\.search"):
        ask(client, RAW)
