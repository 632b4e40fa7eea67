"""Paths into a JSON response: where its hits are, and where a hit keeps its id and score."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

_STEP = re.compile(
    r"""
      \.?(?P<name>[^\s.\[\]?'"*$]+)
    | \[(?:'(?P<single>[^']+)'|"(?P<double>[^"]+)")\]
    | \[(?P<index>-?[0-9]+)\]
    | \[(?P<every>\*)\]
    | \[\?\(?@\.(?P<field>[\w-]+)\s*==\s*(?:'(?P<equal>[^']*)'|"(?P<equals>[^"]*)")\)?\]
    """,
    re.VERBOSE,
)
_EXPECTED = "names after dots, ['a name'], [0], [*] and [?(@.name=='text')], as in $.results[*].document.id"


class PathError(LookupError):
    """A response has nothing at a path; the message says what there is."""


@dataclass(frozen=True, slots=True)
class _Step:
    """One step: a key of an object, a place in a list, all of a list, or those with a field's value.

    Exactly one of ``key``, ``index`` and ``field`` is set; none stands for all of a list.
    """

    text: str
    key: str | None = None
    index: int | None = None
    field: str | None = None
    equal: str = ""
    optional: bool = False


@dataclass(frozen=True, slots=True)
class JsonPath:
    """A path that is ready to be followed; ``text`` is the path as it was written."""

    text: str
    steps: tuple[_Step, ...]

    def all_in(self, data: object) -> list[object]:
        """Everything at the path, in the order of the response.

        A path that ends at one list gives its members. Raises PathError where a step is missing,
        unless the step before the missing one is followed by ``?``.
        """
        ends = list(_follow(self.steps, 0, data, "$"))
        if any(step.key is None and step.index is None for step in self.steps):
            return ends
        if not ends:
            return []
        if not isinstance(ends[0], list):
            raise PathError(f"{self.text} is {_sort(ends[0])}, expected a list")
        return ends[0]

    def one_in(self, data: object) -> object:
        """The one value at the path; PathError where there is none, or several."""
        found = list(_follow(self.steps, 0, data, "$"))
        if len(found) != 1:
            raise PathError(f"{self.text} leads to {len(found)} values, expected one")
        return found[0]


def parse_path(text: str) -> JsonPath:
    """Read a path such as ``$.hits[*]``, ``document.id`` or ``['@search.score']``.

    The leading ``$`` may be left out. A ``?`` behind a name tells that it may be absent, which
    then is no hit at all. Raises ValueError for what is no such path.
    """
    steps = []
    rest = text.strip().removeprefix("$")
    while rest:
        match = _STEP.match(rest)
        if not match:
            raise ValueError(f"{text!r} is no path, at {rest!r}: expected {_EXPECTED}")
        rest = rest[match.end() :]
        key = match["name"] or match["single"] or match["double"]
        optional = key is not None and rest.startswith("?")
        rest = rest[optional:]
        steps.append(
            _Step(
                match[0] if match[0][0] in ".[" else f".{match[0]}",
                key,
                int(match["index"]) if match["index"] else None,
                match["field"],
                match["equal"] or match["equals"] or "",
                optional,
            )
        )
    return JsonPath(text, tuple(steps))


def _follow(steps: tuple[_Step, ...], number: int, data: object, place: str) -> Iterator[object]:
    if number == len(steps):
        yield data
        return
    step = steps[number]
    if step.key is not None:
        if not isinstance(data, Mapping) or step.key not in data:
            if step.optional and (data is None or isinstance(data, Mapping)):
                return
            raise PathError(f"there is no {step.key!r} at {place}, which is {_sort(data)}")
        yield from _follow(steps, number + 1, data[step.key], place + step.text)
        return
    if not isinstance(data, list):
        raise PathError(f"{place} is {_sort(data)}, expected a list for {step.text}")
    if step.index is not None:
        if not -len(data) <= step.index < len(data):
            raise PathError(f"there is no {step.text} at {place}, which is {_sort(data)}")
        yield from _follow(steps, number + 1, data[step.index], place + step.text)
        return
    for position, member in enumerate(data):
        if step.field is None or (isinstance(member, Mapping) and member.get(step.field) == step.equal):
            yield from _follow(steps, number + 1, member, f"{place}[{position}]")


def _sort(data: object) -> str:
    """What sort of value was met, with the keys of an object; never a value, which may be private.

    Keys stay whole: the caller may have to find secrets in them before it cuts.
    """
    if isinstance(data, Mapping):
        keys = ", ".join(repr(str(key)) for key in islice(data, 12)) or "none"
        return f"an object with the keys {keys}{' ...' if len(data) > 12 else ''}"
    if isinstance(data, list):
        return f"a list of {len(data)}"
    return {type(None): "null", bool: "true or false", str: "a text"}.get(type(data), "a number")
