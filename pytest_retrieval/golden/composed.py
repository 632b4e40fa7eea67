"""Retrievers made of others or of settings: ``{hybrid: [bm25, dense]}``, or ``hybrid(bm25, dense)``."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path

from pytest_retrieval.golden.chunking_rules import check_chunking, read_chunking
from pytest_retrieval.golden.errors import GoldenError
from pytest_retrieval.golden.fields import check_keys
from pytest_retrieval.golden.nodes import ListNode, MappingNode, Node
from pytest_retrieval.golden.values import text_value, whole_number

HYBRID, RERANK, BM25 = "hybrid", "rerank", "bm25"
_OPTIONS = {HYBRID: ("k", "candidates"), RERANK: ("with", "candidates"), BM25: ("words", "overlap")}
_NUMBERS = ("k", "candidates", "words", "overlap")
_CALL = re.compile(rf"\s*({'|'.join(_OPTIONS)})\s*\(")
_TEXT = re.compile(r'\s*("(?:[^"\\]|\\.)*"|[^,()"]*[^,()"\s])\s*')
_OPTION = re.compile(r"\s*([a-z]+)\s*=")
_UNQUOTED = re.compile(r'[^\s,()="][^,()"]*')


@dataclass(frozen=True, slots=True)
class Composed:
    """A retriever over ``parts``, each the name of a retriever or composed itself.

    ``how`` is ``hybrid``, ``rerank`` or ``bm25``, whose one part is the name of a chunking;
    ``scorer`` names what a rerank orders by. ``k`` is the constant of the fusion, ``candidates`` how
    many results of each part are looked at, ``words`` and ``overlap`` belong to fixed chunks; None
    means "not said". ``str()`` is one line that :func:`parse_composed` reads.
    """

    how: str
    parts: tuple[Composed | str, ...]
    scorer: str | None = None
    k: int | None = None
    candidates: int | None = None
    words: int | None = None
    overlap: int | None = None

    def __str__(self) -> str:
        words = [_quoted(part) if isinstance(part, str) else str(part) for part in self.parts]
        if self.scorer is not None:
            words.append(f"with={_quoted(self.scorer)}")
        words += [f"{name}={value}" for name in _NUMBERS if (value := getattr(self, name)) is not None]
        return f"{self.how}({', '.join(words)})"


def read_composed(path: Path | str, node: Node, what: str) -> Composed | str:
    """What a header's ``retriever`` says: one text, or a mapping with ``hybrid`` or ``rerank``.

    GoldenError for anything else, with the line.
    """
    if not isinstance(node, MappingNode):
        return text_value(path, node, what)
    how = next((name for name in _OPTIONS if name in node.entries), None)
    if how is None:
        keys = ", ".join(map(repr, node.entries)) or "nothing"
        raise GoldenError(
            path,
            node.line,
            f"{what} is a mapping with {keys}; expected {{hybrid: [bm25, dense]}}, "
            "{rerank: bm25, with: scorer} or {bm25: whole}",
        )
    if how == BM25:
        check_keys(path, node, (how,), what)
        chunking = read_chunking(path, node.entries[how].value, f"{what}: bm25")
        return Composed(
            how, (chunking.name,), words=chunking.words, overlap=chunking.overlap if chunking.words else None
        )
    check_keys(path, node, (how, *_OPTIONS[how]), what)
    value = node.entries[how].value

    def number(name: str) -> int | None:
        entry = node.entries.get(name)
        return None if entry is None else whole_number(path, entry.value, f"{what}: {name}", low=1)

    k, candidates = number("k"), number("candidates")
    if how == HYBRID:
        if not isinstance(value, ListNode) or len(value.items) < 2:
            raise GoldenError(path, value.line, f"{what}: hybrid fuses a list of two or more retrievers")
        parts = tuple(read_composed(path, item, f"{what}: hybrid") for item in value.items)
        return Composed(how, parts, None, k, candidates)
    if "with" not in node.entries:
        raise GoldenError(
            path,
            node.line,
            f"{what}: rerank needs a scorer: with: the name of a fixture, or package.module:function",
        )
    scorer = text_value(path, node.entries["with"].value, f"{what}: with")
    return Composed(how, (read_composed(path, value, f"{what}: rerank"),), scorer, k, candidates)


def parse_composed(text: str) -> Composed | str:
    """Read ``hybrid(bm25, dense, k=60)`` or ``rerank(bm25, with=scorer, candidates=50)``, nested as may be.

    ``bm25(fixed, words=120, overlap=20)`` and ``bm25(whole)`` name a chunking. Any other text is the
    name of a retriever and comes back as it is. ValueError says what is wrong with a text that begins
    like one of these.
    """
    if not _CALL.match(text):
        return text
    composed, end = _read_call(text, 0)
    if text[end:].strip():
        raise ValueError(f"{text!r} goes on after its last bracket: {text[end:].strip()!r}")
    return composed


def _read_call(text: str, start: int) -> tuple[Composed, int]:
    match = _CALL.match(text, start)
    assert match
    how, place = match[1], match.end()
    parts: list[Composed | str] = []
    options: dict[str, str] = {}
    while True:
        option = _OPTION.match(text, place)
        if option:
            if option[1] not in _OPTIONS[how] or option[1] in options:
                known = " and ".join(_OPTIONS[how])
                raise ValueError(f"{how}(...) takes {known}, each once, found {option[1]}= in {text!r}")
            options[option[1]], place = _read_text(text, option.end())
        elif _CALL.match(text, place):
            part, place = _read_call(text, place)
            parts.append(part)
        else:
            name, place = _read_text(text, place)
            parts.append(name)
        sign = text[place : place + 1]
        place += 1
        if sign == ")":
            break
        if sign != ",":
            raise ValueError(f"{text!r} lacks its last bracket")
    while text[place : place + 1].isspace():
        place += 1
    return _built(how, parts, options, text), place


def _built(how: str, parts: list[Composed | str], options: dict[str, str], text: str) -> Composed:
    if how == HYBRID and len(parts) < 2:
        raise ValueError(f"hybrid(...) fuses two or more retrievers, found {len(parts)} in {text!r}")
    if how == RERANK and (len(parts) != 1 or "with" not in options):
        raise ValueError(f"rerank(...) takes one retriever and with=scorer, found {text!r}")

    def number(name: str) -> int | None:
        least = 0 if name == "overlap" else 1
        if name in options and not (
            re.fullmatch("[0-9]{1,9}", options[name]) and int(options[name]) >= least
        ):
            raise ValueError(f"{name} must be a whole number of at least {least}, found {options[name]!r}")
        return int(options[name]) if name in options else None

    if how == BM25:
        if len(parts) != 1 or not isinstance(parts[0], str):
            raise ValueError(f"bm25(...) takes one chunking, found {text!r}")
        chunking = check_chunking(parts[0], number("words"), number("overlap"))
        overlap = chunking.overlap if chunking.words else None
        return Composed(how, (chunking.name,), words=chunking.words, overlap=overlap)
    return Composed(how, tuple(parts), options.get("with"), number("k"), number("candidates"))


def _read_text(text: str, start: int) -> tuple[str, int]:
    match = _TEXT.match(text, start)
    if not match:
        raise ValueError(f"{text!r} has an empty name")
    word = match[1]
    return (str(json.loads(word)) if word.startswith('"') else word), match.end()


def _quoted(name: str) -> str:
    plain = _UNQUOTED.fullmatch(name) and name == name.strip() and not _OPTION.match(name)
    return name if plain else json.dumps(name, ensure_ascii=False)
