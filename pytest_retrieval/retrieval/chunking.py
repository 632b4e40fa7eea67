"""Documents cut into the chunks that a text index holds."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import PurePath

from pytest_retrieval.golden.documents import Document
from pytest_retrieval.golden.model import Chunking

_MARKDOWN = (".md", ".markdown")
_HEADING = re.compile(r" {0,3}(?P<marks>#{1,6})(?=[ \t]|$)")
_UNDERLINE = re.compile(r" {0,3}(?:=+|-+)[ \t]*")
# A line that cannot be the text of an underlined heading: blank, code, quote, list, table, rule or heading.
_NO_TITLE = re.compile(r"\s*$| {4}|\t| {0,3}(?:[>|#]|[-*+](?:\s|$)|\d+[.)]\s|[-=_*]+\s*$)")
_FENCE = re.compile(r"\s*(?P<marks>`{3,}(?=[^`]*$)|~{3,})")


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of a document's text, under the id of the document."""

    document: str
    text: str


@dataclass(frozen=True, slots=True)
class Section:
    """The lines under one heading; ``headings`` is the path to it, outermost first."""

    headings: tuple[str, ...]
    body: str


def cut_documents(documents: Iterable[Document], chunking: Chunking | None = None) -> tuple[Chunk, ...]:
    """Cut each document, in order; every document yields at least one chunk.

    - ``whole``: the title and the text, the title left out where the text begins with it.
    - ``sections``: those of a Markdown file, with the document's title and the path of headings in
      front of each; the ``paragraphs`` of a corpus, each with the title in front; else whole.
    - ``fixed``: windows of so many words over the whole, each beginning ``overlap`` words before
      the end of the last one.
    - None: the sections of Markdown files, everything else whole.

    Whole, an entry of a JSONL corpus is exactly its title, a blank and its text.
    """
    return tuple(Chunk(document.id, text) for document in documents for text in _texts(document, chunking))


def _texts(document: Document, chunking: Chunking | None) -> Iterable[str]:
    name = chunking.name if chunking else ""
    if chunking and chunking.words is not None:
        return _windows(_whole(document).split(), chunking.words, chunking.overlap)
    if name == "sections" and document.paragraphs:
        return [f"{document.title} {paragraph}" for paragraph in document.paragraphs]
    if name != "whole" and PurePath(document.path).suffix.lower() in _MARKDOWN:
        return _sections(document)
    return [_whole(document)]


def _windows(words: list[str], length: int, overlap: int) -> Iterator[str]:
    last = max(len(words) - overlap, 1)
    for start in range(0, last, length - overlap):
        yield " ".join(words[start : start + length])


def _sections(document: Document) -> Iterator[str]:
    for section in split_sections(document.text):
        opening = section.headings[0] if section.headings else _first_line(section.body)
        titled = document.title.strip() in ("", opening)
        front = section.headings if titled else (document.title, *section.headings)
        yield "\n".join([*front, section.body])


def _whole(document: Document) -> str:
    path = PurePath(document.path)
    suffix = path.suffix.lower()
    if suffix == ".jsonl":
        return f"{document.title} {document.text}"
    # The title of a Markdown file is one of its headings, or else its name.
    titled = suffix in _MARKDOWN and document.title != path.stem
    if titled or document.title.strip() in ("", _first_line(document.text)):
        return document.text
    return f"{document.title} {document.text}"


def _first_line(text: str) -> str:
    return text.lstrip().split("\n", 1)[0].strip()


def split_sections(markdown: str) -> tuple[Section, ...]:
    """Split Markdown at its headings, those with ``#`` and the underlined ones.

    Lines in fenced code and in front matter are no headings. Text before the first heading
    is a section without headings. A heading with nothing of its own but deeper headings
    below it is no section, as those carry it in their paths. At least one section is returned.
    """
    sections: list[Section] = []
    path: list[tuple[int, str]] = []
    body: list[str] = []

    def close(next_level: int) -> None:
        text = "\n".join(body).strip()
        carried = not path or next_level > path[-1][0]
        if text or not carried:
            sections.append(Section(tuple(title for _, title in path), text))
        body.clear()

    for line, heading in _marked_lines(markdown):
        if heading is None:
            body.append(line)
            continue
        level, title = heading
        close(level)
        while path and path[-1][0] >= level:
            path.pop()
        path.append((level, title))
    close(0)
    return tuple(sections) or (Section((), ""),)


def _marked_lines(markdown: str) -> Iterator[tuple[str, tuple[int, str] | None]]:
    """Each line, with the level (1 to 6) and title of the heading that it is, if any."""
    lines = markdown.splitlines()
    matter = _length_of_front_matter(lines)
    yield from ((line, None) for line in lines[:matter])
    fence = ""
    number = matter
    while number < len(lines):
        line = lines[number]
        number += 1
        if fence:
            fence = "" if _closes(line, fence) else fence
            yield line, None
        elif match := _FENCE.match(line):
            fence = match["marks"]
            yield line, None
        elif match := _HEADING.match(line):
            yield line, (len(match["marks"]), _without_closing_marks(line[match.end() :].strip()))
        elif number < len(lines) and _UNDERLINE.fullmatch(lines[number]) and not _NO_TITLE.match(line):
            yield line, (1 if "=" in lines[number] else 2, line.strip())
            number += 1
        else:
            yield line, None


def _without_closing_marks(title: str) -> str:
    bare = title.rstrip("#")
    return bare.rstrip() if bare.endswith((" ", "\t")) or not bare else title


def _closes(line: str, fence: str) -> bool:
    marks = line.strip()
    return len(marks) >= len(fence) and set(marks) == {fence[0]}


def _length_of_front_matter(lines: list[str]) -> int:
    if not lines or lines[0].rstrip() != "---":
        return 0
    return next((number for number, line in enumerate(lines[1:], 2) if line.rstrip() in ("---", "...")), 0)
