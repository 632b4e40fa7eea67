"""Rankings written as files that other tools score: TREC runs and JSONL runs."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from pytest_retrieval.golden.errors import InputError
from pytest_retrieval.golden.whole_file import write_whole

JSONL = (".jsonl", ".ndjson")
"""The suffixes of JSONL runs; every other file is a TREC run."""

_BLANK = re.compile(r"[\x09-\x0d\x20]")  # what splits the columns of a TREC file; ids may hold any other sign


def write_run(path: Path, rankings: Mapping[str, Sequence[str]], tag: str) -> None:
    """Write a run as a whole or not at all: JSONL where the suffix says so, else TREC.

    ``rankings`` maps a query id to documents, best first; the rows keep its order. ``tag`` is the
    name of the retriever in the last column of a TREC run. Raises InputError for an id that TREC
    cannot hold, OSError where the file cannot be written.
    """
    lines = _jsonl(rankings) if path.suffix.lower() in JSONL else _trec(path, rankings, tag)
    write_whole(path, "".join(f"{line}\n" for line in lines))


def _jsonl(rankings: Mapping[str, Sequence[str]]) -> Iterator[str]:
    for query, ranked in rankings.items():
        yield json.dumps({"id": query, "ranked": list(ranked)}, ensure_ascii=False)


def _trec(path: Path, rankings: Mapping[str, Sequence[str]], tag: str) -> Iterator[str]:
    tag = _BLANK.sub("_", tag) or "run"
    for query, ranked in rankings.items():
        for rank, document in enumerate(ranked, 1):
            for id_ in (query, document):
                if _BLANK.search(id_) or id_.startswith("#"):
                    raise InputError(
                        path,
                        None,
                        f"a TREC run cannot hold the id {id_!r} (a blank, or # in front); "
                        "write a .jsonl file instead",
                    )
            # trec_eval sorts by score and breaks ties by id, so each rank has a whole number of its own.
            yield f"{query} Q0 {document} {rank} {len(ranked) - rank + 1} {tag}"
