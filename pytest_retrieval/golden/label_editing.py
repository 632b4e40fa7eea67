"""Writing judgements into the files of a golden set, checked before a byte is written."""

from __future__ import annotations

import codecs
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pytest_retrieval.golden import jsonl_edit, yaml_edit
from pytest_retrieval.golden.errors import GoldenError
from pytest_retrieval.golden.judgement import Judgement, Judgements
from pytest_retrieval.golden.model import GoldenSet, Pooling, Query
from pytest_retrieval.golden.qrels import is_beir
from pytest_retrieval.golden.reader import parse_golden
from pytest_retrieval.golden.text_file import read_text


@dataclass(frozen=True, slots=True)
class EditedFile:
    """A file as it should be written: its bytes."""

    path: Path
    content: bytes


def with_judgements(golden: GoldenSet, judgements: Judgements) -> EditedFile:
    """The golden set's file, or its file of labels, with judgements added.

    None of the pairs may have a label yet. Labels that stand in qrels keep the grade alone.
    GoldenError when the file has changed since it was read, or cannot be edited safely.
    """
    path = _path(golden)
    qrels = golden.header.qrels
    if qrels is not None:
        return _qrels_with(path.parent / qrels.file, golden, qrels.by, judgements)
    text, mark = _text(path)
    edit = jsonl_edit.add_labels if path.suffix.lower() == ".jsonl" else yaml_edit.add_labels
    changed = edit(path, text, judgements)
    try:
        after = parse_golden(path, changed)
    except GoldenError as error:
        raise GoldenError(
            path, error.line, f"nothing was written; with the new labels {error.message}"
        ) from None
    _check(golden, after, judgements)
    return EditedFile(path, mark + changed.encode("utf-8"))


def with_pooling(golden: GoldenSet, pooling: Pooling) -> EditedFile:
    """The golden set's file with a record of what was pooled; one of the same pool is replaced.

    GoldenError when it cannot be edited safely.
    """
    path = _path(golden)
    text, mark = _text(path)
    known = [(one.depth, one.sources) for one in golden.header.pooled]
    same = (pooling.depth, pooling.sources)
    replaces = known.index(same) if same in known else None
    record: dict[str, object] = {"depth": pooling.depth}
    if pooling.date:
        record["date"] = pooling.date
    record["sources"] = list(pooling.sources)
    if pooling.unjudged:
        record["unjudged"] = pooling.unjudged
    module = jsonl_edit if path.suffix.lower() == ".jsonl" else yaml_edit
    changed = module.record_pooling(text, record, replaces)
    try:
        after = parse_golden(path, changed)
    except GoldenError:
        after = None
    if after is None or pooling not in after.header.pooled or len(after) != len(golden):
        raise _by_hand(path, None, f"pooled: {record}")
    return EditedFile(path, mark + changed.encode("utf-8"))


def _path(golden: GoldenSet) -> Path:
    if golden.path is None:
        raise ValueError("the golden set was built in Python; there is no file to write to")
    return golden.path


def _text(path: Path) -> tuple[str, bytes]:
    """The text, and the byte-order mark in front of it."""
    text = read_text(path)
    return text, codecs.BOM_UTF8 if path.read_bytes().startswith(codecs.BOM_UTF8) else b""


def _check(before: GoldenSet, after: GoldenSet, judgements: Judgements) -> None:
    """GoldenError unless exactly the judgements were added, and nothing else changed."""
    assert before.path is not None
    found = after.by_id()
    for query in before.queries:
        added = judgements.get(query.id, {})
        expected = {**query.relevant, **{document: one.grade for document, one in added.items()}}
        new = found.get(query.id)
        if new is None or dict(new.relevant) != expected or new.text != query.text:
            raise _by_hand(before.path, query.line, f"{query.id}: {_shown(added) or 'other labels'}")


def _shown(added: Mapping[str, Judgement]) -> str:
    return ", ".join(f"{document}: {one.grade}" for document, one in added.items())


def _by_hand(path: Path, line: int | None, what: str) -> GoldenError:
    return GoldenError(
        path, line, f"cannot be edited safely, or was changed meanwhile; nothing was written. By hand: {what}"
    )


def _qrels_with(path: Path, golden: GoldenSet, by: str, judgements: Judgements) -> EditedFile:
    content = path.read_bytes()
    line_end = b"\r\n" if b"\r\n" in content else b"\n"
    known = golden.by_id()
    beir = is_beir(content)
    grades: dict[tuple[str, str], int] = {}  # several questions may share their labels
    for name, added in judgements.items():
        key = _name(known[name], by)
        for document, one in added.items():
            if any(sign.isspace() for sign in document) and not beir:
                raise GoldenError(
                    path, None, f"the id {document!r} holds white space, which qrels cannot hold"
                )
            if grades.setdefault((key, document), one.grade) != one.grade:
                raise GoldenError(
                    path, None, f"{key}, {document} would get two grades; questions share these labels"
                )
    rows = (
        f"{key}\t{document}\t{grade}" if beir else f"{key} 0 {document} {grade}"
        for (key, document), grade in grades.items()
    )
    gap = b"" if content.endswith(b"\n") else line_end
    return EditedFile(path, content + gap + b"".join(row.encode("utf-8") + line_end for row in rows))


def _name(query: Query, by: str) -> str:
    """What the labels call a query."""
    return query.id if by == "id" else query.values(by)[0]
