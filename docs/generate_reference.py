"""Write the tables of the pages that the code knows by itself: `make reference`.

A table of options stands between ``<!-- options: depth metrics -->``, which names its rows, and
``<!-- end -->``. ``--check`` writes nothing and ends with 1 where a page is not current.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any, cast

import pytest

from pytest_retrieval.golden.fields import ASK_KEYS, GATE_KEYS, HEADER_KEYS
from pytest_retrieval.pytest_side.options import add_options

DOCS = Path(__file__).resolve().parent

_REGION = re.compile(r"(<!-- options: (?P<names>[a-z -]+) -->\n).*?(<!-- end -->)", re.DOTALL)
_DEFAULT = re.compile(r" \(default: (?P<value>[^)]+)\)")
_HEAD = "| flag | ini key | header | meaning | default |\n|---|---|---|---|---|\n"


class _Declared:
    """Stands in for pytest's parser: what the plugin declares, flag by flag."""

    def __init__(self) -> None:
        self.flags: dict[str, dict[str, Any]] = {}
        self.keys: set[str] = set()

    def getgroup(self, *_: str) -> _Declared:
        return self

    def addoption(self, flag: str, **attributes: Any) -> None:
        self.flags[flag] = attributes

    def addini(self, key: str, *_: str) -> None:
        self.keys.add(key)


def current(page: str) -> str:
    """A page's text with its tables as the code has them; KeyError for an option that is none."""
    declared = _Declared()
    add_options(cast(pytest.Parser, declared))

    def table(region: re.Match[str]) -> str:
        rows = (_row(declared, name) for name in region["names"].split())
        return f"{region[1]}\n{_HEAD}{''.join(rows)}\n{region[3]}"

    return _REGION.sub(table, page)


def _row(declared: _Declared, name: str) -> str:
    flag = f"--retrieval-{name}"
    attributes = declared.flags[flag]
    noun = name.replace("-", "_")
    default = _DEFAULT.search(attributes["help"])
    meaning = _DEFAULT.sub("", attributes["help"]).replace("|", r"\|")
    cells = [
        _code(f"{flag}={attributes['metavar']}" if "metavar" in attributes else flag),
        _code(f"retrieval_{noun}" if f"retrieval_{noun}" in declared.keys else ""),
        _code(_header_key(noun)),
        re.sub(r"'([^']+)'", r"`\1`", meaning),
        default["value"] if default else "",
    ]
    return f"| {' | '.join(cells)} |\n"


def _header_key(noun: str) -> str:
    if noun == "split":
        return ""  # the header's key of this name makes the splits, it chooses none
    if noun == "gate":
        return "gate.metrics"
    if noun in ASK_KEYS:
        return f"ask.{noun}"
    return f"gate.{noun}" if noun in GATE_KEYS and noun not in HEADER_KEYS else noun * (noun in HEADER_KEYS)


def _code(text: str) -> str:
    return f"`{text}`" if text else ""


def main(arguments: list[str]) -> int:
    """Write the pages anew, or compare them with ``--check``; 1 where one is not current."""
    stale = False
    for page in sorted(DOCS.glob("*.md")):
        text = page.read_text("utf-8")
        new = current(text)
        if new == text:
            continue
        stale = True
        print(f"docs/{page.name}: {'not current, run: make reference' if arguments else 'written'}")
        if not arguments:
            page.write_text(new, "utf-8", newline="\n")
    return int(stale and bool(arguments))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
