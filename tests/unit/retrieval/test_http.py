import base64
import json
import logging
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

import pytest

from pytest_retrieval.golden.model import Query
from pytest_retrieval.retrieval.calling import BadRetriever, answer, error_text, prepare

httpx = pytest.importorskip("httpx")

from pytest_retrieval.retrieval.adapters.http import HttpError, http_search  # noqa: E402
from pytest_retrieval.retrieval.manner import Manner  # noqa: E402
from pytest_retrieval.retrieval.retrying import prepare_retries  # noqa: E402

HARD = """a & b? c=d #e "f" 'g' [h] (i) {k} ${HOME} / \\ %20 + \u00fc \U0001f600 AND NOT *"""


class Server:
    """Answers every request with one JSON value or with bytes, and keeps what it was asked."""

    def __init__(self):
        self.asked = []
        self.status, self.said, self.headers = 200, {"hits": []}, {}
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                length = int(self.headers.get("content-length") or 0)
                server.asked.append((self.command, self.path, dict(self.headers), self.rfile.read(length)))
                said = server.said(self) if callable(server.said) else server.said
                content = said if isinstance(said, bytes) else json.dumps(said).encode()
                self.send_response(server.status)
                self.send_header("content-length", str(len(content)))
                for name, value in server.headers.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(content)

            do_POST = do_PUT = do_GET  # noqa: N815

            def log_message(self, *_):
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.http.handle_error = lambda *_: None  # a client that waits no longer is part of the test
        self.address = f"127.0.0.1:{self.http.server_port}"
        self.url = f"http://{self.address}"


@pytest.fixture
def server(monkeypatch):
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    server = Server()
    thread = threading.Thread(target=server.http.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    server.http.shutdown()
    server.http.server_close()
    thread.join()


def ask(search, text="question", k=10, **params):
    with search:
        return search.search(text, k, **params)


def test_a_question_arrives_intact_in_an_address(server):
    ask(http_search(f"{server.url}/find?q={{text}}&limit={{k}}&x=1", hits="hits"), HARD, 7)
    [(method, path, _, body)] = server.asked
    assert (method, body) == ("GET", b"")
    assert urlsplit(path).path == "/find"
    assert parse_qs(urlsplit(path).query, strict_parsing=True) == {"q": [HARD], "limit": ["7"], "x": ["1"]}


def test_a_question_arrives_intact_in_a_body(server):
    body = {"query": {"match": "{text}"}, "size": "{k}", "fields": ["id"], "note": "for {user}"}
    ask(http_search(f"{server.url}/find", body=body, hits="hits"), HARD, 7, user="clerk")
    [(method, _, headers, sent)] = server.asked
    assert method == "POST"
    assert headers["Content-Type"] == "application/json"
    assert json.loads(sent) == {
        "query": {"match": HARD},
        "size": 7,
        "fields": ["id"],
        "note": "for clerk",
    }


def test_the_method_may_be_said(server):
    ask(http_search(f"{server.url}/", method="PUT", body={"q": "{text}"}, hits="hits"))
    assert server.asked[0][0] == "PUT"


def test_headers_come_from_the_environment_and_from_params(server, monkeypatch):
    monkeypatch.setenv("TOKEN", "abc\n")  # as it comes out of a file
    headers = {"Authorization": "Bearer ${TOKEN}", "X-User": "{user}"}
    ask(http_search(f"{server.url}/?q={{text}}", headers=headers, hits="hits"), user="clerk-1000")
    sent = server.asked[0][2]
    assert (sent["Authorization"], sent["X-User"]) == ("Bearer abc", "clerk-1000")


def test_hits_ids_and_scores_are_taken_from_their_paths(server):
    server.said = {"r": {"found": [{"doc": {"key": "\u00e4/?"}, "s": 2}, {"doc": {"key": 7}, "s": 2.5}]}}
    recipe = {"hits": "$.r.found[*]", "id": "$.doc.key"}
    url = f"{server.url}/?q={{text}}"
    assert ask(http_search(url, **recipe)) == ["\u00e4/?", 7]
    assert ask(http_search(url, score="s", **recipe)) == [("\u00e4/?", 2), (7, 2.5)]


def test_the_plugin_reads_what_it_returns(server):
    server.said = [{"id": 7, "score": 1}, {"id": "b", "score": 3}]
    with http_search(f"{server.url}/?q={{text}}", hits="$", score="score") as search:
        ranking = answer(prepare(search), Query("q1", "x", params={}), 20, None)
    assert ranking.documents == ("7", "b")


def test_no_hits_is_an_answer(server):
    assert ask(http_search(f"{server.url}/?q={{text}}", hits="hits[*]")) == []


def failure(search, text="question", **params):
    with pytest.raises(HttpError) as caught:
        ask(search, text, **params)
    assert caught.value.__suppress_context__
    return str(caught.value)


@pytest.mark.parametrize(
    ("status", "passes"), [(400, False), (401, False), (404, False), (429, True), (500, True), (503, True)]
)
def test_a_status_that_may_pass_is_a_connection_error(server, status, passes):
    server.status = status
    with pytest.raises(HttpError) as caught:
        ask(http_search(f"{server.url}/?q={{text}}", hits="hits"))
    assert isinstance(caught.value, ConnectionError) == passes


def test_a_service_that_is_not_there_is_a_connection_error():
    with pytest.raises(HttpError) as caught:
        ask(http_search("http://127.0.0.1:1/?q={text}", hits="hits"))
    assert isinstance(caught.value, ConnectionError)


def test_a_busy_service_is_asked_again(server):
    pytest.importorskip("tenacity")
    server.status = 503
    again = prepare_retries(
        Manner(retries=2), lambda error: error, sleep=lambda seconds: setattr(server, "status", 200)
    )

    def call():
        try:
            search.search("x", 1)
        except HttpError as error:
            return error
        return None

    with http_search(f"{server.url}/?q={{text}}", hits="hits") as search:
        assert again(call) is None
    assert len(server.asked) == 2


def test_a_status_is_told_with_what_the_server_said(server):
    server.status, server.said = 400, {"error": "no  such\nindex"}
    assert failure(http_search(f"{server.url}/find?q={{text}}&n=5", hits="hits")) == (
        f'GET {server.url}/find?q=...&n=...: status 400 Bad Request: {{"error": "no such\\nindex"}}'
    )


def test_a_long_page_of_an_error_is_cut(server):
    server.status, server.said = 500, b"x" * 5000
    assert failure(http_search(f"{server.url}/?q={{text}}", hits="hits")).endswith(f": {'x' * 300} ...")


def test_a_redirect_is_not_followed(server):
    server.status, server.headers = 302, {"location": f"{server.url}/elsewhere"}
    assert "status 302 Found, a redirect, which is not followed: give the final address" in failure(
        http_search(f"{server.url}/?q={{text}}", hits="hits", headers={"Authorization": "Bearer abc"})
    )
    assert len(server.asked) == 1


@pytest.mark.parametrize("said", [b"<html>log in</html>", b"", b"\xff\xfe", b"[" * 100_000])
def test_an_answer_that_is_no_json_is_told(server, said):
    server.said = said
    assert "the answer is no JSON" in failure(http_search(f"{server.url}/?q={{text}}", hits="hits"))


def test_a_path_that_leads_nowhere_is_told_with_the_keys(server):
    server.said = {"results": [{"name": "a", "score": 1}]}
    url = f"{server.url}/?q={{text}}"
    assert failure(http_search(url, hits="$.hits[*]")).endswith(
        "there is no 'hits' at $, which is an object with the keys 'results'"
    )
    assert failure(http_search(url, hits="$.results[*]")).endswith(
        "there is no 'id' at $, which is an object with the keys 'name', 'score'"
    )


def test_a_server_that_is_not_there_is_told():
    message = failure(http_search("http://127.0.0.1:1/?q={text}", hits="hits"))
    assert message.startswith("GET http://127.0.0.1:1/?q=...: ConnectError: ")


def test_a_server_that_does_not_answer_is_told(server):
    waiting = threading.Event()
    server.said = lambda _: {"hits": [waiting.wait(10)]}
    try:
        assert "no answer within 0.05 s (ReadTimeout)" in failure(
            http_search(f"{server.url}/?q={{text}}", hits="hits", timeout=0.05)
        )
    finally:
        waiting.set()


# -- secrets


def echo(request):
    return {"error": f"{request.path} {dict(request.headers)} {request.rfile}"}


def test_no_message_shows_a_secret_that_the_server_sends_back(server, monkeypatch):
    secrets = {"TOKEN": 'to"ken with space', "KEY": "k&y/+=%", "BODY_KEY": "body-k\\ey"}
    for name, value in secrets.items():
        monkeypatch.setenv(name, value)
    server.status, server.said = 401, echo
    search = http_search(
        f"http://user:p%40ss@{server.address}/find?q={{text}}&api_key=${{KEY}}&token=literal-token",
        method="POST",
        body={"key": "${BODY_KEY}", "q": "{text}"},
        headers={"X-Key": "${TOKEN}", "X-Other": "Basic literal-header", "Accept": "application/json"},
        hits="hits",
    )
    shown = repr(search)
    message = failure(search)
    sent = server.asked[0][2]
    assert sent["Authorization"] == f"Basic {base64.b64encode(b'user:p@ss').decode()}"
    for secret in (
        *('to"ken', "with space", "k&y", "k%26y", "body-k", "p@ss", "p%40ss"),
        *("literal-token", "literal-header", base64.b64encode(b"user:p@ss").decode()),
    ):
        assert secret not in message
        assert secret not in shown
    assert "***" in message
    assert "application/json" in message
    assert shown == f"HttpSearch(POST http://***@{server.address}/find?q=...&api_key=...&token=...)"


def test_a_secret_is_hidden_before_the_message_is_cut(server, monkeypatch):
    monkeypatch.setenv("TOKEN", "abcdefghij")
    server.status, server.said = 500, b"x" * 295 + b"abcdefghij"
    search = http_search(f"{server.url}/?q={{text}}", headers={"X-Key": "${TOKEN}"}, hits="hits")
    assert failure(search).endswith(f"{'x' * 295}***")


def test_a_secret_in_a_key_is_hidden_before_the_message_is_cut(server, monkeypatch):
    monkeypatch.setenv("TOKEN", "abcdefghij")
    server.said = {"x" * 945 + "abcdefghij": 1, "y" * 5000: 2}
    search = http_search(f"{server.url}/?q={{text}}", headers={"X-Key": "${TOKEN}"}, hits="hits")
    message = failure(search)
    assert "abc" not in message
    assert len(message) < 1_100


def test_a_header_that_cannot_be_sent_is_not_shown(server, monkeypatch):
    monkeypatch.setenv("TOKEN", "abc\ndef")
    search = http_search(f"{server.url}/?q={{text}}", headers={"X-Key": "${TOKEN}"}, hits="hits")
    with pytest.raises(BadRetriever, match="the header 'X-Key' would hold a sign") as caught:
        ask(search)
    assert "abc" not in str(caught.value)
    assert server.asked == []


def test_a_param_cannot_add_a_header(server):
    search = http_search(f"{server.url}/?q={{text}}", headers={"X-User": "{user}"}, hits="hits")
    with pytest.raises(BadRetriever, match="a sign that HTTP does not allow"):
        ask(search, user="a\r\nX-Admin: 1")
    assert server.asked == []


def test_the_log_of_httpx_does_not_get_our_addresses(server, caplog):
    caplog.set_level(logging.DEBUG)
    ask(http_search(f"{server.url}/?q={{text}}&api_key=literal-key", hits="hits"))
    assert "literal-key" not in caplog.text
    with httpx.Client(trust_env=False) as client:
        client.get(f"{server.url}/other")
    assert "/other" in caplog.text


def test_an_error_of_a_query_holds_no_secret(server, monkeypatch):
    monkeypatch.setenv("KEY", "the-key")
    with (
        http_search("http://127.0.0.1:1/?q={text}&key=${KEY}", hits="hits") as search,
        pytest.raises(HttpError) as caught,
    ):
        search.search("x", 1)
    assert "the-key" not in error_text(caught.value)
    assert error_text(caught.value).startswith("HttpUnavailable: GET http://127.0.0.1:1/?q=...&key=...: ")


# -- recipes that cannot work


@pytest.mark.parametrize(
    ("recipe", "message"),
    [
        ({"url": "http://h/?q=x"}, r"sends no question: write \{text\} into the url or the body"),
        ({"body": "q={text}"}, "is sent as JSON: give a dict or a list"),
        ({"hits": "a..b"}, "'a..b' is no path"),
        ({"headers": {"X": "${NOT_SET_ANYWHERE}"}}, "variable NOT_SET_ANYWHERE is not set"),
    ],
)
def test_a_recipe_that_cannot_work_is_refused_when_it_is_built(recipe, message):
    with pytest.raises(BadRetriever, match=message):
        http_search(**{"url": "http://h/?q={text}", "hits": "hits", **recipe})


def test_params_and_places_must_fit(server):
    with (
        http_search(f"{server.url}/?q={{text}}&u={{user}}", hits="hits") as search,
        pytest.raises(BadRetriever, match=r"the query has the param 'lang', and the request has no \{lang"),
    ):
        search.search("x", 1, user="a", lang="en")
    with (
        http_search(f"{server.url}/?q={{text}}&u={{user}}", hits="hits") as search,
        pytest.raises(BadRetriever, match=r"a place \{user\} and the query no param"),
    ):
        search.search("x", 1)


def test_without_httpx_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "httpx", None)
    with pytest.raises(BadRetriever, match=r"pip install \"pytest-retrieval\[http\]\""):
        http_search("http://h/?q={text}", hits="hits")
