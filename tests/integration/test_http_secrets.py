"""What a request holds of secrets is in nothing that a run leaves behind."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from inner_project import Project, query

pytest.importorskip("httpx")

SECRETS = ("token-of-mine", "key-of-mine", "pass-of-mine")

CONFTEST = """
import pytest

from pytest_retrieval import http_search


@pytest.fixture(scope="session")
def retriever():
    with http_search(
        "http://user:pass-of-mine@{address}/find?q={{text}}&api_key=${{MY_KEY}}",
        headers={{"Authorization": "Bearer ${{MY_TOKEN}}"}},
        hits="$.hits[*]",
    ) as search:
        yield search
"""


class Echo(BaseHTTPRequestHandler):
    """Sends all that it was sent back: as an error, or as the keys of an answer without hits."""

    def do_GET(self) -> None:
        said = f"{self.path} {dict(self.headers)}"
        self.send_response(500 if "broken" in self.path else 200)
        self.end_headers()
        found = {"hits": [{"id": "D1"}]} if "fine" in self.path else {said: 1}
        self.wfile.write(json.dumps(found).encode())

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def service(project: Project, monkeypatch: pytest.MonkeyPatch) -> Iterator[Project]:
    monkeypatch.setenv("MY_TOKEN", "token-of-mine")
    monkeypatch.setenv("MY_KEY", "key-of-mine")
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with HTTPServer(("127.0.0.1", 0), Echo) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        project.write("conftest.py", CONFTEST.format(address=f"127.0.0.1:{server.server_port}"))
        yield project
        server.shutdown()
        thread.join()


def test_failures_are_told_without_them(service: Project) -> None:
    service.golden([query("q1", text="broken"), query("q2", text="no hits"), query("q3", text="fine")])
    run = service.run("-l", "--log-level=DEBUG", "--log-file=log.txt", "--junitxml=junit.xml")
    assert run.exit == 1
    assert [one["outcome"] for one in run.set()["queries"]] == ["error", "error", "scored"]
    assert "status 500 Internal Server Error" in run.text
    assert "there is no 'hits' at $" in run.text
    left = [
        run.text,
        json.dumps(run.report),
        *((service.path / name).read_text() for name in ("log.txt", "junit.xml")),
    ]
    for secret in SECRETS:
        assert not any(secret in text for text in left)


def test_a_baseline_holds_none(service: Project) -> None:
    service.golden([query("q1", text="fine")])
    assert service.run("--update-baseline").exit == 0
    [content] = service.baselines().values()
    assert not any(secret.encode() in content for secret in SECRETS)
