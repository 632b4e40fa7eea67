"""Any search that is asked over HTTP and answers in JSON.

What a header or an address may hold of secrets stays here: no message, no report and no
``repr`` shows a header's value, a user in an address, or the value of a query parameter.
"""

from __future__ import annotations

import base64
import json
import logging
import re
import weakref
from collections.abc import Iterator, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn
from urllib.parse import parse_qsl, quote, unquote

from pytest_retrieval.retrieval.calling import BadRetriever
from pytest_retrieval.retrieval.json_path import JsonPath, PathError, parse_path
from pytest_retrieval.retrieval.protocol import BadAnswer
from pytest_retrieval.retrieval.templates import (
    fill_json,
    fill_text,
    fill_url,
    names_in,
    variable,
    variables_in,
)

if TYPE_CHECKING:
    import httpx

_OPEN_HEADERS = frozenset({"accept", "accept-encoding", "accept-language", "content-type", "user-agent"})
_SECRET_NAME = re.compile(r"key|token|secret|sig|pass|auth|cred|session", re.IGNORECASE)
_USER = re.compile(r"://([^/?#]*)@")
_HIDDEN = "***"
_EXCERPT, _LONGEST = 300, 1_000
_ASKING: ContextVar[bool] = ContextVar("asking", default=False)


_BUSY = (408, 425, 429, 500, 502, 503, 504)


class HttpError(BadAnswer):
    """A request that was not answered, or not as the recipe says; holds no secret."""


class HttpUnavailable(HttpError, ConnectionError):  # noqa: N818 - what it is, as builtins have it
    """The service could not be reached, or said by its status that it is busy or broken for now."""


class HttpTimeout(HttpError, TimeoutError):  # noqa: N818 - what it is, as builtins have it
    """No answer came within the time limit of the request."""


def http_search(
    url: str,
    *,
    hits: str,
    id: str = "id",  # noqa: A002 - what it is called in every response
    score: str | None = None,
    method: str | None = None,
    body: Mapping[str, object] | Sequence[object] | None = None,
    headers: Mapping[str, str] | None = None,
    timeout: float = 30.0,
) -> HttpSearch:
    """A retriever that sends one request per question.

    ``url``, ``body`` (sent as JSON) and ``headers`` may hold ``{text}``, ``{k}`` and the names of a
    query's ``params``, encoded as their place needs it, and ``${NAME}`` for an environment variable.
    A text that is one place alone becomes the value itself in a body, so ``"{k}"`` is a number.

    ``hits`` is the path to the hits in the response, ``id`` and ``score`` are paths within a hit, see
    :func:`~pytest_retrieval.retrieval.json_path.parse_path`. ``method`` is GET without a body and
    POST with one unless given; ``timeout`` is in seconds, for each of connecting and reading.

    Certificates are checked, and redirects are not followed.

    Raises:
        BadRetriever: what was given cannot work, a variable is not set, or httpx is not installed.
    """
    try:
        import httpx
    except ModuleNotFoundError:
        raise BadRetriever(
            'http_search needs the package httpx; run: pip install "pytest-retrieval[http]"'
        ) from None
    named = dict(headers or {})
    for name in variables_in([url, body, list(named.values())]):
        variable(name)
    if "text" not in names_in([url, body, list(named.values())]):
        raise BadRetriever("http_search sends no question: write {text} into the url or the body")
    if isinstance(body, str):
        raise BadRetriever("the body of http_search is sent as JSON: give a dict or a list, not a text")
    try:
        paths = parse_path(hits), parse_path(id), None if score is None else parse_path(score)
    except ValueError as error:
        raise BadRetriever(f"http_search: {error}") from None
    logging.getLogger("httpx").addFilter(_keep_our_addresses_out)
    client = httpx.Client(timeout=timeout)
    search = HttpSearch(url, method or ("GET" if body is None else "POST"), body, named, *paths, client)
    weakref.finalize(search, client.close)
    return search


@dataclass(frozen=True, repr=False, eq=False)
class HttpSearch:
    """What :func:`http_search` builds; ``client`` is shared by all threads of the process."""

    url: str
    method: str
    body: Mapping[str, object] | Sequence[object] | None
    headers: Mapping[str, str]
    hits: JsonPath
    id: JsonPath
    score: JsonPath | None
    client: httpx.Client

    def __repr__(self) -> str:
        return f"HttpSearch({self.method} {_shown_address(self.url)})"

    def __enter__(self) -> HttpSearch:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections; nothing can be asked any more."""
        self.client.close()

    def search(self, text: str, k: int, **params: object) -> list[object]:
        """Ask one question; ids, or pairs of id and score, in the order of the response.

        Raises:
            HttpUnavailable: no connection, or a status that may pass (408, 425, 429, 500, 502 to 504).
            HttpTimeout: no answer in time.
            HttpError: another status than 2xx, no JSON, or nothing at a path.
            BadRetriever: ``params`` and the places in the request do not fit.
        """
        places = names_in([self.url, self.body, list(self.headers.values())])
        for name in params:
            if name not in places:
                raise BadRetriever(f"the query has the param {name!r}, and the request has no {{{name}}}")
        values = {**params, "text": text, "k": k}
        response = self._send(values)
        if not 200 <= response.status_code < 300:
            self._refuse_status(response, values)
        try:
            data = json.loads(response.content)
        except (ValueError, RecursionError):
            self._refuse(f"the answer is no JSON{self._excerpt(response, values)}", values)
        try:
            found = self.hits.all_in(data)
            ids = [self.id.one_in(hit) for hit in found]
            if self.score is None:
                return ids
            return list(zip(ids, map(self.score.one_in, found), strict=True))
        except PathError as error:
            self._refuse(str(error), values)

    def _send(self, values: Mapping[str, object]) -> httpx.Response:
        url = fill_url(self.url, values)
        headers = {name: self._header(name, template, values) for name, template in self.headers.items()}
        body = None if self.body is None else fill_json(self.body, values)
        import httpx

        passing = (httpx.NetworkError, httpx.RemoteProtocolError, httpx.ProxyError)
        asking = _ASKING.set(True)
        try:
            return self.client.request(self.method, url, headers=headers, json=body)
        except Exception as error:  # whatever goes wrong may hold the address or a header
            kind = type(error).__name__
            if kind.endswith("Timeout"):
                limit = f"no answer within {self.client.timeout.read:g} s ({kind})"
                self._refuse(limit, values, HttpTimeout)
            told = HttpUnavailable if isinstance(error, passing) else HttpError
            self._refuse(f"{kind}: {error}", values, told)
        finally:
            _ASKING.reset(asking)

    def _header(self, name: str, template: str, values: Mapping[str, object]) -> str:
        value = fill_text(template, values)
        if not (value.isascii() and value.isprintable()):
            raise BadRetriever(f"the header {name!r} would hold a sign that HTTP does not allow there")
        return value

    def _refuse_status(self, response: httpx.Response, values: Mapping[str, object]) -> NoReturn:
        status = f"status {response.status_code} {response.reason_phrase}".rstrip()
        if response.is_redirect:
            self._refuse(f"{status}, a redirect, which is not followed: give the final address", values)
        kind = HttpUnavailable if response.status_code in _BUSY else HttpError
        self._refuse(f"{status}{self._excerpt(response, values)}", values, kind)

    def _excerpt(self, response: httpx.Response, values: Mapping[str, object]) -> str:
        """The beginning of what the server said, hidden before it is cut: half a secret is one, too."""
        said = " ".join(self._without_secrets(response.text, values).split())
        if not said:
            return ", and it is empty"
        return f": {said[:_EXCERPT]}{' ...' if len(said) > _EXCERPT else ''}"

    def _refuse(
        self, problem: str, values: Mapping[str, object], kind: type[HttpError] = HttpError
    ) -> NoReturn:
        told = self._without_secrets(problem, values)
        told = told if len(told) <= _LONGEST else f"{told[:_LONGEST]} ..."
        raise kind(f"{self.method} {_shown_address(self.url)}: {told}") from None

    def _without_secrets(self, message: str, values: Mapping[str, object]) -> str:
        # The longest first, or a secret that begins another would leave the other's end.
        for secret in sorted(set(self._secrets(values)), key=len, reverse=True):
            message = message.replace(secret, _HIDDEN)
        return message

    def _secrets(self, values: Mapping[str, object]) -> Iterator[str]:
        for secret in self._plain_secrets(values):
            for one in (secret, secret.partition(" ")[2]):
                if one:
                    yield from (one, quote(one, safe=""), json.dumps(one)[1:-1], repr(one)[1:-1])

    def _plain_secrets(self, values: Mapping[str, object]) -> Iterator[str]:
        for name in variables_in([self.url, self.body, list(self.headers.values())]):
            yield variable(name)
        for name, template in self.headers.items():
            if name.lower() not in _OPEN_HEADERS:
                yield fill_text(template, values)
        url = fill_url(self.url, values)
        user = _USER.search(url)
        if user:
            plain = unquote(user[1])
            yield from (user[1], plain, plain.partition(":")[2], base64.b64encode(plain.encode()).decode())
        for name, value in parse_qsl(url.partition("?")[2]):
            if _SECRET_NAME.search(name):
                yield value


def _shown_address(url: str) -> str:
    """An address as it was written, without its user, and with the names of its parameters alone."""
    address, _, query = url.partition("#")[0].partition("?")
    names = "&".join(f"{part.partition('=')[0]}=..." for part in query.split("&") if part)
    return _USER.sub(f"://{_HIDDEN}@", address) + (f"?{names}" if names else "")


def _keep_our_addresses_out(record: logging.LogRecord) -> bool:
    """Let httpx log other people's requests: it writes whole addresses, which may hold a key."""
    return not _ASKING.get()
