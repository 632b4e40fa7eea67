"""Requests with places to fill in: {text}, {k}, a query's params, and ${NAME} from the environment."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator, Mapping
from urllib.parse import quote

from pytest_retrieval.retrieval.calling import BadRetriever

_PLACE = re.compile(
    r"\$\{(?P<variable>[A-Za-z_]\w*)\}|\{\{(?P<literal>[A-Za-z_]\w*)\}\}|\{(?P<name>[A-Za-z_]\w*)\}"
)


def _as_it_is(text: str) -> str:
    return text


def _quoted(text: str) -> str:
    return quote(text, safe="")


def fill_text(
    template: str,
    values: Mapping[str, object],
    encode: Callable[[str], str] = _as_it_is,
    encode_variable: Callable[[str], str] = _as_it_is,
) -> str:
    """``template`` with ``{name}`` from ``values`` and ``${NAME}`` from the environment, each encoded.

    ``{{name}}`` stands for ``{name}`` itself. What is filled in is never looked at again, so a
    question may hold braces. Raises BadRetriever for a name without a value.
    """

    def value(place: re.Match[str]) -> str:
        if place["literal"]:
            return f"{{{place['literal']}}}"
        if place["variable"]:
            return encode_variable(variable(place["variable"]))
        return encode(_text(values, place["name"]))

    return _PLACE.sub(value, template)


def fill_url(template: str, values: Mapping[str, object]) -> str:
    """An address whose values are quoted, so that ``&``, ``?``, ``/`` and ``#`` in them mean nothing.

    In front of the ``?`` an environment variable is taken as it is, since it may be the host.
    """
    address, mark, rest = template.partition("?")
    return fill_text(address, values, _quoted) + mark + fill_text(rest, values, _quoted, _quoted)


def fill_json(template: object, values: Mapping[str, object]) -> object:
    """A JSON body: a text that is one place alone becomes the value itself, so ``"{k}"`` is a number."""
    if isinstance(template, str):
        place = _PLACE.fullmatch(template)
        if place and place["name"]:
            _text(values, place["name"])
            return values[place["name"]]
        return fill_text(template, values)
    if isinstance(template, Mapping):
        return {str(key): fill_json(value, values) for key, value in template.items()}
    if isinstance(template, (list, tuple)):
        return [fill_json(value, values) for value in template]
    return template


def names_in(template: object) -> frozenset[str]:
    """The names of ``{name}`` anywhere in a text or a JSON body."""
    return frozenset(place["name"] for place in _places(template) if place["name"])


def variables_in(template: object) -> frozenset[str]:
    """The names of ``${NAME}`` anywhere in a text or a JSON body."""
    return frozenset(place["variable"] for place in _places(template) if place["variable"])


def variable(name: str) -> str:
    """An environment variable without surrounding blanks; BadRetriever where it is not set."""
    value = os.environ.get(name, "").strip()
    if not value:
        raise BadRetriever(f"the environment variable {name} is not set, and the request needs it")
    return value


def _places(template: object) -> Iterator[re.Match[str]]:
    if isinstance(template, str):
        yield from _PLACE.finditer(template)
    elif isinstance(template, Mapping):
        for value in template.values():
            yield from _places(value)
    elif isinstance(template, (list, tuple)):
        for value in template:
            yield from _places(value)


def _text(values: Mapping[str, object], name: str) -> str:
    if name not in values:
        raise BadRetriever(
            f"the request has a place {{{name}}} and the query no param of that name: "
            f"set it under params, or write {{{{{name}}}}} where the braces are meant"
        )
    value = values[name]
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
