"""Known-item queries: headings that name one document, as questions whose answer is known by itself."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from pytest_retrieval.golden.documents import Document
from pytest_retrieval.retrieval.chunking import split_sections

PER_DOCUMENT = 2
"""How many headings of a document are asked where there are documents enough."""

ENOUGH = 12
"""Below this many queries more headings of each document are taken, as a gate could hardly judge."""

AT_MOST = 60
"""The largest number of queries: more of them would say the same again."""

_LONGEST = 150  # a heading of more characters is a paragraph by mistake
_TITLE_WORDS = range(2, 13)  # what the first line of a text file has when it is a title

_TRIVIAL = frozenset(
    """about, abstract, acknowledgements, acknowledgments, api, appendix, authors, background, background and
    motivation, changelog, changes, conclusion, conclusions, configuration, contact, contents, contributing,
    credits, definition, definitions, description, details, discussion, documentation, example, examples, faq,
    features, further reading, general, getting started, glossary, help, home, how to use, index, information,
    install, installation, installing, intro, introduction, learn more, licence, license, limitations, links,
    main, misc, motivation, more, more information, next steps, note, notes, options, other, overview,
    parameters, preface, prerequisites, purpose, questions, quick start, quickstart, readme, reference,
    references, related, requirements, resources, result, results, return value, returns, scope, see also,
    setup, summary, support, table of contents, tips, toc, todo, troubleshooting, unreleased, untitled, usage,
    use, version, warning, warnings, welcome, what next""".replace("\n", " ").split(",")
)
_TRIVIAL_KEYS = frozenset(" ".join(words.split()) for words in _TRIVIAL)

_WORD = re.compile(r"\w+")
_MARKUP = (
    (re.compile(r"!\[[^\]]*\]\([^)]*\)"), ""),  # an image
    (re.compile(r"\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])"), r"\1"),  # a link
    (re.compile(r"\s*\{[#:.][^}]*\}\s*$"), ""),  # an anchor or class
    (re.compile(r"</?[A-Za-z][^<>]*>"), ""),
    (re.compile(r"(\*{1,3})(?=\S)(.+?)(?<=\S)\1"), r"\2"),
    (re.compile(r"(?<!\w)(_{1,3})(?=\S)(.+?)(?<=\S)\1(?!\w)"), r"\2"),
    (re.compile(r"`+"), ""),
    (re.compile(r"^(?:\d+[.)])+\s+|^\d+(?:\.\d+)+\s+"), ""),  # the number of a section
)


@dataclass(frozen=True, slots=True)
class KnownItem:
    """A heading as a query, and the id of the one document that has it."""

    text: str
    document: str


def known_items(documents: Sequence[Document]) -> tuple[KnownItem, ...]:
    """At most :data:`AT_MOST` queries from titles and headings, in the order of the documents.

    A heading that several documents have, a trivial one such as "Introduction" and one
    without a letter are left out, as they name no document. Two per document are taken, the
    title first, then telling headings before vague ones; more where that gives less than
    :data:`ENOUGH`. Where there are more documents than queries, they are spread evenly.
    """
    headings = [_distinct(_headings(document)) for document in documents]
    holders = Counter(key for one in headings for key in one)
    asked: list[tuple[str, list[str]]] = []
    for document, one in zip(documents, headings, strict=True):
        texts = [text for key, text in one.items() if holders[key] == 1 and _names_something(key)]
        if texts:
            asked.append((document.id, [texts[0], *sorted(texts[1:], key=_vagueness)]))
    if len(asked) > AT_MOST:
        asked = [asked[number * len(asked) // AT_MOST] for number in range(AT_MOST)]
    counts = _shares([len(texts) for _, texts in asked])
    return tuple(
        KnownItem(text, document)
        for (document, texts), count in zip(asked, counts, strict=True)
        for text in texts[:count]
    )


def plain_heading(heading: str) -> str:
    """A heading as a person would type it: without Markdown's marks, links, anchors and numbers."""
    text = "".join(sign if sign.isprintable() else " " for sign in heading)
    for pattern, replacement in _MARKUP:
        text = pattern.sub(replacement, text)
    return " ".join(text.split())


def _shares(available: Sequence[int]) -> list[int]:
    """How many headings each document gives: taken in turns, until there are enough."""
    shares = [0] * len(available)
    for turn in range(max(available, default=0)):
        if turn >= PER_DOCUMENT and sum(shares) >= ENOUGH:
            break
        for number, most in enumerate(available):
            if turn < most and sum(shares) < AT_MOST:
                shares[number] += 1
    return shares


def _distinct(headings: Iterator[str]) -> dict[str, str]:
    """The headings of one document by what they come down to, the first of each."""
    distinct: dict[str, str] = {}
    for heading in headings:
        if len(heading) <= _LONGEST:
            text = plain_heading(heading)
            distinct.setdefault(_key(text), text)
    return distinct


def _headings(document: Document) -> Iterator[str]:
    path = PurePath(document.path)
    titled = document.title != path.stem
    if titled:
        yield document.title
    if path.suffix.lower() in (".md", ".markdown"):
        for section in split_sections(document.text):
            yield from section.headings
    elif not titled and (opening := _opening(document.text)):
        yield opening
    if not titled:
        yield re.sub(r"[-_.]+", " ", path.stem)


def _opening(text: str) -> str:
    """The first line of a text where it stands alone like a title, else empty."""
    first, second, *rest = [*text.strip().split("\n", 2), "", ""]
    alone = not second.strip() and any(line.strip() for line in rest)
    return first if alone and len(_WORD.findall(first)) in _TITLE_WORDS else ""


def _vagueness(heading: str) -> int:
    """0 for a heading of two longer words or more, 2 for one of short words only: "Which one"."""
    return 2 - min(2, sum(len(word) > 3 for word in _WORD.findall(heading)))


def _key(text: str) -> str:
    return " ".join(_WORD.findall(text.casefold()))


def _names_something(key: str) -> bool:
    return any(sign.isalpha() for sign in key) and key not in _TRIVIAL_KEYS
