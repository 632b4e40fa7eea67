"""Files of rankings made elsewhere: TREC runs and JSONL runs."""

from __future__ import annotations

import json
import math
import re
import unicodedata
from pathlib import Path

from pytest_retrieval.golden.errors import InputError
from pytest_retrieval.golden.trec_rows import decoded, file_content, trec_rows

_RUN_COLUMNS = "query, Q0, document, rank, score, tag"


def read_run(path: Path) -> dict[str, tuple[str, ...]]:
    """Read a run: the ranked documents of each query, under the query's id.

    A file ending in ``.jsonl``, or starting with ``{``, holds one object per line with
    ``id`` (or ``qid``, ``query_id``) and ``ranked``, a list of document ids whose order is
    the ranking. Anything else is a TREC run of six columns, ordered as trec_eval orders it:
    score descending, equal scores by document id descending, the rank column ignored, lines
    that start with ``#`` and words after the sixth passed over. Ids are text under NFC.
    Raises InputError with the line of the mistake.
    """
    content = file_content(path)
    if path.suffix.lower() in (".jsonl", ".ndjson") or content.lstrip()[:1] == b"{":
        run = _read_jsonl_run(path, content)
    else:
        run = _read_trec_run(path, content)
    if not run:
        raise InputError(
            path, None, "holds no rankings; expected a TREC run or JSON lines with id and ranked"
        )
    return run


def _read_trec_run(path: Path, content: bytes) -> dict[str, tuple[str, ...]]:
    scores: dict[str, dict[str, float]] = {}
    for line, words in trec_rows(path, content):
        if len(words) < 6:
            raise InputError(path, line, f"found {len(words)} columns, expected 6: {_RUN_COLUMNS}")
        query, _, document, _, score = words[:5]
        hits = scores.setdefault(query, {})
        if document in hits:
            raise InputError(path, line, f"document {document!r} is twice in the ranking of query {query!r}")
        hits[document] = _score(path, line, score)
    # Code points order strings as UTF-8 bytes do, which is how trec_eval breaks ties.
    return {
        query: tuple(sorted(hits, key=lambda document: (hits[document], document), reverse=True))
        for query, hits in scores.items()
    }


def _score(path: Path, line: int, text: str) -> float:
    try:
        # float() also takes 1_000 and digits of other scripts, which no other tool reads.
        value = float(text) if text.isascii() and "_" not in text else math.nan
    except ValueError:
        value = math.nan
    if math.isnan(value):
        raise InputError(path, line, f"found the score {text!r} in column 5, expected a number")
    return value


def _read_jsonl_run(path: Path, content: bytes) -> dict[str, tuple[str, ...]]:
    run: dict[str, tuple[str, ...]] = {}
    lines: dict[str, int] = {}
    for line, row in enumerate(content.split(b"\n"), start=1):
        text = decoded(path, line, row)
        if not text.strip():
            continue
        query, ranked = _ranked(path, line, _object(path, line, text))
        if query in run:
            raise InputError(path, line, f"query {query!r} was already given in line {lines[query]}")
        run[query], lines[query] = ranked, line
    return run


def _object(path: Path, line: int, text: str) -> dict[str, object]:
    def distinct(pairs: list[tuple[str, object]]) -> dict[str, object]:
        fields = dict(pairs)
        if len(fields) < len(pairs):
            keys = [key for key, _ in pairs]
            twice = next(key for key in keys if keys.count(key) > 1)
            raise InputError(path, line, f"the key {twice!r} is given twice")
        return fields

    try:
        value = json.loads(text, object_pairs_hook=distinct)
    except json.JSONDecodeError as error:
        raise InputError(path, line, f"is not JSON: {error.msg} at column {error.colno}") from None
    except (ValueError, RecursionError) as error:
        raise InputError(path, line, f"is not JSON that can be read: {error}") from None
    if not isinstance(value, dict):
        raise InputError(path, line, f"found a {type(value).__name__}, expected an object with id and ranked")
    return value


def _ranked(path: Path, line: int, row: dict[str, object]) -> tuple[str, tuple[str, ...]]:
    key = next((name for name in ("id", "qid", "query_id") if name in row), None)
    if key is None or "ranked" not in row:
        found = ", ".join(map(repr, row)) or "nothing"
        raise InputError(path, line, f"found the keys {found}, expected id (or qid, query_id) and ranked")
    query = _id(path, line, f"the query's {key}", row[key])
    hits = row["ranked"]
    if not isinstance(hits, list):
        raise InputError(path, line, f"ranked is a {type(hits).__name__}, expected a list of document ids")
    documents: dict[str, None] = {}
    for hit in hits:
        document = _id(path, line, "a document id", hit)
        if document in documents:
            raise InputError(path, line, f"document {document!r} is twice in the ranking of query {query!r}")
        documents[document] = None
    return query, tuple(documents)


def _id(path: Path, line: int, what: str, value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int) or value == "":
        raise InputError(path, line, f"{what} is {json.dumps(value)[:60]}, expected a text or a whole number")
    text = unicodedata.normalize("NFC", str(value))
    if re.search("[\ud800-\udfff]", text):
        raise InputError(path, line, f"{what} is {text!r}, which holds half a character")
    return text
