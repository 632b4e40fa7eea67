"""Questions in one file and labels in another: TREC's topics and qrels, BEIR's folder."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from pytest_retrieval.golden.errors import GoldenError
from pytest_retrieval.golden.fields import ALIASES
from pytest_retrieval.golden.in_place import join
from pytest_retrieval.golden.nodes import MappingNode, Scalar
from pytest_retrieval.golden.qrels import is_beir, read_qrels
from pytest_retrieval.golden.sources.imported import Imported, Wishes, missing_role, tame
from pytest_retrieval.golden.topics import read_topics
from pytest_retrieval.golden.trec_rows import file_content
from pytest_retrieval.golden.values import nfc

_LOOKED_AT = 4096  # bytes
_ROWS = 20
_GRADE = re.compile(rb"[+-]?[0-9]+")


def is_beir_folder(path: Path) -> bool:
    """Whether a folder is laid out as BEIR's are."""
    return (path / "queries.jsonl").is_file() and (path / "qrels").is_dir()


def read_beir(path: Path, wishes: Wishes) -> Imported:
    """The queries of a BEIR folder that one of its files of labels judges.

    GoldenError where the folder has none of the wished split, or several and none is wished.
    """
    present = {file.stem: file for file in sorted((path / "qrels").glob("*.tsv"))}
    if not present:
        raise missing_role(path / "qrels", None, "relevant", "there is no .tsv file here")
    split = wishes.split or (next(iter(present)) if len(present) == 1 else "test")
    if split not in present:
        raise GoldenError(
            path / "qrels", None, f"there is no {split}.tsv; --split takes {', '.join(present)}"
        )
    guesses = [] if wishes.split or len(present) == 1 else [f"split: {split} of {', '.join(present)}"]
    return _joined("BEIR folder", path / "queries.jsonl", read_qrels(present[split]), wishes, guesses)


def read_trec(first: Path, second: Path, wishes: Wishes) -> Imported:
    """The questions of one of two files with the labels of the other, whichever comes first."""
    topics, qrels = (second, first) if looks_like_qrels(first) else (first, second)
    if not looks_like_qrels(qrels):
        raise missing_role(
            second,
            None,
            "relevant",
            f"neither {first.name} nor {second.name} holds lines of query, 0, document, grade",
        )
    return _joined("questions and qrels", topics, read_qrels(qrels), wishes, [f"labels: {qrels.name}"])


def looks_like_qrels(path: Path) -> bool:
    """Whether a file begins like labels, and not like questions."""
    content = file_content(path)[:_LOOKED_AT]
    if is_beir(content):
        return True
    # The last line may be cut off. One tab is that of a table of id and question.
    lines = [
        line for line in content.split(b"\n")[:_ROWS] if line.strip() and not line.lstrip().startswith(b"#")
    ]
    whole = lines if len(content) < _LOOKED_AT or len(lines) == 1 else lines[:-1]
    return bool(whole) and all(
        len(line.split()) == 4 and line.count(b"\t") != 1 and _GRADE.fullmatch(line.split()[3])
        for line in whole
    )


def _joined(
    shape: str, topics: Path, qrels: Mapping[str, Mapping[str, int]], wishes: Wishes, guesses: list[str]
) -> Imported:
    rows = []
    renamed: dict[str, str] = {}
    for row in read_topics(topics):
        safe, names = tame(row)
        rows.append(safe)
        renamed |= names
    by = wishes.roles.get("qrels") or _guess_field(rows, qrels)
    if by != "id" and "qrels" not in wishes.roles:
        guesses.append(f"the labels know a question by its {by}")
    queries, notes = join(topics, rows, qrels, by)
    told = [
        f"the field {old!r} is kept as {new!r}, as its name means something here"
        for old, new in renamed.items()
    ]
    return Imported(shape, tuple(queries), tuple(guesses), (*notes, *told))


def _guess_field(rows: list[MappingNode], qrels: Mapping[str, object]) -> str:
    """``id``, unless it fits no label and another field does."""
    known: dict[str, int] = {}
    for row in rows:
        for name, entry in row.entries.items():
            if isinstance(entry.value, Scalar) and nfc(entry.value.text) in qrels:
                field = "id" if name in ALIASES["id"] else name
                known[field] = known.get(field, 0) + 1
    return "id" if "id" in known or not known else max(known, key=lambda name: (known[name], name))
