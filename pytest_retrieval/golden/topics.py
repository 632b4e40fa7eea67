"""Files of questions without labels: JSON lines, a table of id and text, TREC topics."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from pathlib import Path

from pytest_retrieval.golden.errors import GoldenError
from pytest_retrieval.golden.fields import ALIASES
from pytest_retrieval.golden.jsonl_reader import parse_jsonl
from pytest_retrieval.golden.nodes import Entry, MappingNode, Scalar, scalar
from pytest_retrieval.golden.text_file import read_text

_TOPIC = re.compile(r"<(?P<tag>top|topic)\b(?P<attributes>[^<>]*)>(?P<body>.*?)</(?P=tag)\s*>", re.S | re.I)
_OPENING = re.compile(r"<top(?:ic)?\b", re.I)
_FIELD = re.compile(r"<(?P<name>num|title|desc|narr|query|question|narrative|description)\b[^<>]*>", re.I)
_NUMBER = re.compile(r"""\bnumber\s*=\s*(?:"([^"]*)"|'([^']*)')""", re.I)
_LABEL = re.compile(r"\s*(?:Number|Topic|Description|Narrative)\s*:", re.I)
_CLOSING = re.compile(r"</[^<>]*>")

TOPIC_TEXTS = ("title", "query")
"""The fields of a TREC topic that are asked, the first that is there."""


def read_topics(path: Path) -> list[MappingNode]:
    """The questions of a file in its order, each a mapping with ``id`` and ``text`` and its further fields.

    JSON lines keep their fields (``id``, ``qid``, ``query_id`` or ``_id``; ``text``, ``query``
    or ``question``). TREC topics, ``<top>`` or ``<topic>``, are asked by their title or query;
    their description and narrative are kept as fields. Anything else is a table of an id, a
    tab, and the text. GoldenError with the line of whatever is neither.
    """
    text = read_text(path)
    start = text.lstrip()[:1]
    if start == "{":
        return list(parse_jsonl(path, text))
    if start == "<":
        return list(_trec_topics(path, text))
    return list(_table(path, text))


def _trec_topics(path: Path, text: str) -> Iterator[MappingNode]:
    line, position = 1, 0
    matches = list(_TOPIC.finditer(text))
    if len(matches) != len(_OPENING.findall(text)):
        raise GoldenError(path, None, "holds a <top> or <topic> that is never closed")
    for match in matches:
        line += text.count("\n", position, match.start())
        position = match.start()
        yield _topic(path, match, line)
    if not matches:
        raise GoldenError(path, 1, "holds no <top> or <topic>; expected TREC topics")


def _topic(path: Path, match: re.Match[str], line: int) -> MappingNode:
    row = MappingNode(line)

    def put(name: str, value: str) -> None:
        row.entries[name] = Entry(Scalar(name, True, line), scalar(path, value, False, line))

    fields: dict[str, str] = {}
    marks = list(_FIELD.finditer(match["body"]))
    for mark, following in zip(marks, [*marks[1:], None], strict=True):
        raw = match["body"][mark.end() : following.start() if following else None]
        cleaned = _LABEL.sub("", _CLOSING.sub("", raw), count=1)
        fields.setdefault(mark["name"].lower(), " ".join(html.unescape(cleaned).split()))
    number = _NUMBER.search(match["attributes"])
    query_id = number[1] or number[2] or "" if number else fields.pop("num", "")
    asked = next((name for name in TOPIC_TEXTS if fields.get(name)), None)
    if not query_id or asked is None:
        lack = "no number" if not query_id else f"neither {' nor '.join(TOPIC_TEXTS)}"
        raise GoldenError(path, line, f"a topic with {lack}")
    put("id", query_id)
    put("text", fields.pop(asked))
    for name, value in fields.items():
        # A field called query or question would be a second text.
        put("topic_question" if name in ALIASES["text"] else name, value)
    return row


def _table(path: Path, text: str) -> Iterator[MappingNode]:
    for line, written in enumerate(text.split("\n"), start=1):
        content = written.strip("\r")
        if not content.strip():
            continue
        query_id, tab, question = content.partition("\t")
        if not tab or not query_id.strip() or not question.strip():
            raise GoldenError(
                path, line, "expected an id, a tab and the question (or JSON lines, or TREC topics)"
            )
        row = MappingNode(line)
        for name, value in (("id", query_id), ("text", question)):
            row.entries[name] = Entry(Scalar(name, True, line), scalar(path, value.strip(), False, line))
        yield row
