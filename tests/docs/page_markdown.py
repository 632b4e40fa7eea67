"""Markdown as the tests of the documentation read it: fenced blocks, headings, links."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_FENCE = re.compile(r"(?P<marks>`{3,})(?P<language>\w*)(?: (?P<name>\w+)=\"(?P<value>[^\"]+)\")?\s*")
_HEADING = re.compile(r"#{1,6} (?P<title>.+)")
_LINK = re.compile(r"\]\((?P<target>[^)\s]+)\)")


@dataclass(frozen=True)
class Block:
    """One fenced block; ``line`` is the 1-based line of its fence, ``name`` and ``value`` its attribute."""

    line: int
    language: str
    name: str | None
    value: str | None
    lines: tuple[str, ...]

    @property
    def text(self) -> str:
        return "".join(f"{line}\n" for line in self.lines)


def blocks(page: Path) -> list[Block]:
    """The fenced blocks of a page, in order."""
    return [part for part in _parts(page) if isinstance(part, Block)]


def prose(page: Path) -> list[str]:
    """The lines outside fenced blocks."""
    return [part for part in _parts(page) if isinstance(part, str)]


def anchors(page: Path) -> set[str]:
    """The names of the headings as links use them."""
    titles = [match["title"] for line in prose(page) if (match := _HEADING.fullmatch(line))]
    return {re.sub(r"[^\w -]", "", title.lower()).strip().replace(" ", "-") for title in titles}


def links(page: Path) -> list[str]:
    """The targets of the links outside fenced blocks and code."""
    return [target for line in prose(page) for target in _LINK.findall(re.sub(r"`[^`]*`", "", line))]


def _parts(page: Path) -> Iterator[Block | str]:
    lines = iter(enumerate(page.read_text("utf-8").splitlines(), 1))
    for number, line in lines:
        fence = _FENCE.fullmatch(line)
        if fence is None:
            assert not line.startswith("```"), f"{page.name}:{number}: a fence that cannot be read: {line}"
            yield line
            continue
        body: list[str] = []
        for _, inner in lines:
            if inner == fence["marks"]:
                break
            body.append(inner)
        else:
            raise AssertionError(f"{page.name}:{number}: the block is never closed")
        yield Block(number, fence["language"], fence["name"], fence["value"], tuple(body))
