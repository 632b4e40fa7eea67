"""Starts the service on a free port of this machine and asks it over HTTP, as its users do."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator

import httpx
import pytest
import uvicorn
from service import app


@pytest.fixture(scope="session")
def service_address() -> Iterator[str]:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        server = uvicorn.Server(uvicorn.Config(app, log_level="warning", ws="none", lifespan="off"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        # Nobody has to wait: the port listens already, and early requests queue there.
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        server.should_exit = True
        thread.join(timeout=10)


@pytest.fixture(scope="session")
def retriever(service_address: str) -> Iterator[Callable[[str, int], list[dict[str, object]]]]:
    # trust_env: a proxy of the environment is no way to this machine
    with httpx.Client(base_url=service_address, timeout=30, trust_env=False) as client:

        def search(text: str, k: int) -> list[dict[str, object]]:
            answer = client.get("/search", params={"q": text, "limit": k})
            answer.raise_for_status()  # an error of the service is no empty answer
            return answer.json()["hits"]

        yield search
