"""Queries -> the files of BEIR and TREC."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence

from pytest_retrieval.golden.model import OTHER_KIND, Query

BEIR_HEAD = "query-id\tcorpus-id\tscore\n"

_BEIR_BREAKS = re.compile(r"[\t\r\n]|^\s|\s$")
_TREC_BREAKS = re.compile(r"[ \t\r\n\v\f]|^#")


def trec_files(queries: Sequence[Query]) -> dict[str, str]:
    """``topics.tsv`` (id, tab, text) and ``qrels.txt`` by name; labels in the order of the queries.

    ValueError for an id that TREC's columns cannot hold.
    """
    _check_ids(queries, _TREC_BREAKS, "white space or a leading #")
    topics = "".join(f"{query.id}\t{' '.join(query.text.split())}\n" for query in queries)
    qrels = "".join(
        f"{query.id} 0 {document} {grade}\n"
        for query in queries
        for document, grade in query.relevant.items()
    )
    return {"topics.tsv": topics, "qrels.txt": qrels}


def beir_files(queries: Sequence[Query], split: str) -> dict[str, str]:
    """``queries.jsonl`` and ``qrels/SPLIT.tsv`` by name; ValueError for an id that a table cannot hold."""
    _check_ids(queries, _BEIR_BREAKS, "a tab, a line end or white space at its ends")
    rows = "".join(
        json.dumps({"_id": query.id, "text": query.text, "metadata": {}}, ensure_ascii=False) + "\n"
        for query in queries
    )
    qrels = "".join(
        f"{query.id}\t{document}\t{grade}\n"
        for query in queries
        for document, grade in query.relevant.items()
    )
    return {"queries.jsonl": rows, f"qrels/{split}.tsv": BEIR_HEAD + qrels}


def lost_fields(queries: Iterable[Query]) -> tuple[str, ...]:
    """What some query has and neither BEIR nor TREC can hold, by name."""
    lost: dict[str, None] = {}
    for query in queries:
        told = {
            "kind": query.kind != OTHER_KIND,
            "tags": bool(query.tags),
            "split": query.split is not None,
            "params": bool(query.params),
            "must": bool(query.must),
            "answerable": not query.answerable,
            "judged_version and owner": bool(query.judgings),
            **dict.fromkeys(query.metadata, True),
        }
        lost |= {name: None for name, present in told.items() if present}
    return tuple(lost)


def _check_ids(queries: Iterable[Query], breaks: re.Pattern[str], what: str) -> None:
    for query in queries:
        for name in (query.id, *query.relevant):
            if breaks.search(name):
                raise ValueError(f"the id {name!r} holds {what}, which this format cannot hold")
