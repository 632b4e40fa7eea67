"""New labels in the text of a JSONL golden set: only the lines of their queries change."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

from pytest_retrieval.golden.fields import ALIASES, HEADER_KEYS
from pytest_retrieval.golden.judgement import Judgement, Judgements
from pytest_retrieval.golden.values import nfc

_BLANK = " \t\r"
_DECODER = json.JSONDecoder()


def add_labels(path: Path, text: str, judgements: Judgements) -> str:
    """The text with judgements added to the labels of their queries.

    ``text`` is a golden set that can be read; within a changed line all other fields stay as
    they are written.
    """
    lines = text.split("\n")
    for number, line in enumerate(lines):
        if not line.strip(_BLANK):
            continue
        spans = dict(_members(line))
        where = next((spans[name] for name in ALIASES["id"] if name in spans), None)
        added = judgements.get(_id(_cut(line, where))) if where else None
        if added:
            labels = next((spans[name] for name in ALIASES["relevant"] if name in spans), None)
            lines[number] = _edited(line, labels, added)
    return "\n".join(lines)


def record_pooling(text: str, record: Mapping[str, object], replaces: int | None) -> str:
    """The text with a record of what was pooled in its header; a header is put in front if there is none."""
    lines = text.split("\n")
    number = next(number for number, line in enumerate(lines) if line.strip(_BLANK))
    line = lines[number]
    spans = dict(_members(line))
    if not spans or not all(name in HEADER_KEYS for name in spans):
        lines.insert(
            number, json.dumps({"pooled": [record]}, ensure_ascii=False) + "\r" * line.endswith("\r")
        )
        return "\n".join(lines)
    known: list[object] = []
    if "pooled" in spans:
        value = json.loads(_cut(line, spans["pooled"]))
        known = value if isinstance(value, list) else [value]
    if replaces is None:
        known.append(record)
    else:
        known[replaces] = record
    written = _dumped(line, known)
    if "pooled" in spans:
        start, end = spans["pooled"]
        lines[number] = f"{line[:start]}{written}{line[end:]}"
    else:
        end = line.rindex("}")
        lines[number] = f'{line[:end].rstrip()}, "pooled": {written}{line[end:]}'
    return "\n".join(lines)


def _id(written: str) -> str:
    return nfc(json.loads(written) if written.startswith('"') else written)


def _members(line: str) -> Iterator[tuple[str, tuple[int, int]]]:
    """The members of the object on a line, each with the place of its value."""
    position = line.index("{") + 1
    while True:
        position = _skip(line, position, _BLANK + ",")
        if line[position] == "}":
            return
        name, position = _DECODER.raw_decode(line, position)
        start = _skip(line, position, _BLANK + ":")
        _, position = _DECODER.raw_decode(line, start)
        yield name, (start, position)


def _skip(line: str, position: int, signs: str) -> int:
    while line[position] in signs:
        position += 1
    return position


def _cut(line: str, span: tuple[int, int]) -> str:
    return line[span[0] : span[1]]


def _edited(line: str, span: tuple[int, int] | None, added: Mapping[str, Judgement]) -> str:
    mapping = {document: one.value() for document, one in added.items()}
    if span is None:
        end = line.rindex("}")
        return f'{line[:end].rstrip()}, "relevant": {_dumped(line, mapping)}{line[end:]}'
    start, end = span
    old = line[start:end]
    inner = _dumped(line, mapping)[1:-1]
    if old.startswith("{"):
        new = f"{_opened(old, line)}{inner}}}"
    elif old.startswith("["):
        entries = [one.entry(document) for document, one in added.items()]
        new = f"{_opened(old, line)}{_dumped(line, entries)[1:]}"
    elif old == "null":
        new = f"{{{inner}}}"
    elif old.startswith('"'):
        new = f"{{{old}: 1, {inner}}}"
    else:  # a whole number as an id
        new = f'{{"{old}": 1, {inner}}}'
    return f"{line[:start]}{new}{line[end:]}"


def _opened(old: str, line: str) -> str:
    """A list or object without its end, ready for one more element."""
    bare = old[:-1].rstrip()
    return bare if len(bare) == 1 else bare + (", " if _is_airy(line) else ",")


def _is_airy(line: str) -> bool:
    """Whether the line has blanks behind its commas and colons."""
    return '": ' in line or '", ' in line


def _dumped(line: str, value: object) -> str:
    separators = (", ", ": ") if _is_airy(line) else (",", ":")
    return json.dumps(value, ensure_ascii=line.isascii() and "\\u" in line, separators=separators)
