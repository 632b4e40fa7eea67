"""Files of labels made elsewhere: TREC qrels, and BEIR's table of three columns."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from pytest_retrieval.golden.errors import InputError
from pytest_retrieval.golden.trec_rows import decoded, file_content, trec_rows
from pytest_retrieval.golden.values import nfc

_QRELS_COLUMNS = "query, 0, document, grade"
_BEIR_HEAD = re.compile(rb"query[-_ ]?id\t(?:corpus|doc|document)[-_ ]?id\t\w+\s*\Z", re.IGNORECASE)
_WHOLE = re.compile(r"[+-]?[0-9]{1,9}")
_WHOLE_OR_FLOAT = re.compile(r"[+-]?[0-9]{1,9}(?:\.0*)?")  # pandas writes 2.0


def read_qrels(path: Path) -> dict[str, dict[str, int]]:
    """Read qrels: the grade of each judged document, under the query's id.

    A file whose first line is ``query-id``, ``corpus-id``, ``score`` between tabs is BEIR's,
    of three columns. Anything else is TREC's, of four, whose second column is ignored. Grades
    are whole numbers, ids are text under NFC. Raises InputError with the line of the mistake.
    """
    content = file_content(path)
    rows = _beir_rows(path, content) if is_beir(content) else _trec_rows(path, content)
    qrels: dict[str, dict[str, int]] = {}
    for line, query, document, grade in rows:
        labels = qrels.setdefault(query, {})
        if document in labels:
            raise InputError(path, line, f"document {document!r} is labelled twice for query {query!r}")
        labels[document] = grade
    if not qrels:
        raise InputError(path, None, f"holds no labels; expected lines of {_QRELS_COLUMNS}")
    return qrels


def is_beir(content: bytes) -> bool:
    """Whether the bytes of a file begin with the head of BEIR's labels."""
    return _BEIR_HEAD.match(content.split(b"\n", 1)[0]) is not None


def _trec_rows(path: Path, content: bytes) -> Iterator[tuple[int, str, str, int]]:
    for line, words in trec_rows(path, content):
        if len(words) != 4:
            raise InputError(path, line, f"found {len(words)} columns, expected 4: {_QRELS_COLUMNS}")
        query, _, document, grade = words
        yield line, query, document, _grade(path, line, grade, _WHOLE)


def _beir_rows(path: Path, content: bytes) -> Iterator[tuple[int, str, str, int]]:
    for line, row in enumerate(content.split(b"\n")[1:], start=2):
        if not row.strip():
            continue
        words = [word.strip() for word in decoded(path, line, row).split("\t")]
        if len(words) != 3 or not all(words):
            raise InputError(
                path, line, f"found {len(words)} columns, expected 3 between tabs: query, document, grade"
            )
        query, document, grade = words
        yield line, nfc(query), nfc(document), _grade(path, line, grade, _WHOLE_OR_FLOAT)


def _grade(path: Path, line: int, text: str, form: re.Pattern[str]) -> int:
    if not form.fullmatch(text):
        raise InputError(path, line, f"found the grade {text!r}, expected a whole number")
    return int(text.partition(".")[0])
