"""Which shape a source has, and reading it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pytest_retrieval.golden.errors import GoldenError, InputError
from pytest_retrieval.golden.json_reader import parse_json
from pytest_retrieval.golden.jsonl_reader import parse_jsonl
from pytest_retrieval.golden.naming import is_golden_name
from pytest_retrieval.golden.nodes import MappingNode
from pytest_retrieval.golden.reader import load_golden
from pytest_retrieval.golden.sources.imported import Imported, Wishes, missing_role
from pytest_retrieval.golden.sources.llama_index import is_llama_index, read_llama_index
from pytest_retrieval.golden.sources.rank_eval import is_rank_eval, read_rank_eval
from pytest_retrieval.golden.sources.rows import read_rows
from pytest_retrieval.golden.sources.table import read_table
from pytest_retrieval.golden.sources.trec import is_beir_folder, looks_like_qrels, read_beir, read_trec
from pytest_retrieval.golden.sources.trees import rows_of_tree
from pytest_retrieval.golden.text_file import read_text

_TABLES = (".csv", ".tsv", ".tab", ".txt", ".psv")


def read_source(paths: Sequence[Path], wishes: Wishes) -> Imported:
    """The queries of a source: one file or folder, or a file of questions and one of labels.

    Recognised are BEIR folders, TREC topics with qrels, tables, ``_rank_eval`` requests,
    LlamaIndex question-answer sets, JSON and JSON lines, and golden sets. GoldenError for
    what is none of them, with file, line and the role that is missing.
    """
    for path in paths:
        if not path.exists():
            raise GoldenError(path, None, "there is no such file or folder")
    try:
        if len(paths) == 2:
            _check_wishes(paths[0], wishes, "questions and qrels")
            return read_trec(paths[0], paths[1], wishes)
        if len(paths) != 1:
            raise GoldenError(paths[2], None, "a third source; expected one, or questions and labels")
        return _read_one(paths[0], wishes)
    except GoldenError:
        raise
    except InputError as error:
        raise GoldenError(error.path, error.line, error.message) from None


def _read_one(path: Path, wishes: Wishes) -> Imported:
    if path.is_dir():
        if is_beir_folder(path):
            _check_wishes(path, wishes, "a BEIR folder")
            return read_beir(path, wishes)
        raise missing_role(path, None, "text", "a folder without queries.jsonl and qrels/, which BEIR's have")
    suffix = path.suffix.lower()
    if suffix in (".yaml", ".yml"):
        _check_wishes(path, wishes, "a golden set")
        return _golden(path)
    if suffix == ".json":
        root = parse_json(path, read_text(path))
        if isinstance(root, MappingNode) and is_rank_eval(root):
            return read_rank_eval(path, root, wishes)
        if isinstance(root, MappingNode) and is_llama_index(root):
            _check_wishes(path, wishes, "a LlamaIndex question-answer set")
            return read_llama_index(path, root)
        rows, shape = rows_of_tree(path, root)
        return read_rows(path, shape, rows, wishes)
    if suffix in (".jsonl", ".ndjson"):
        return _golden_or_lines(path, wishes)
    if looks_like_qrels(path):
        raise missing_role(
            path, 1, "text", "these are labels; name the file of questions beside it: convert TOPICS QRELS"
        )
    if suffix in _TABLES or wishes.separator:
        rows, separator = read_table(path, wishes.separator)
        imported = read_rows(path, f"table of {len(rows)} rows", rows, wishes)
        if wishes.separator:
            return imported
        return Imported(
            imported.shape,
            imported.queries,
            (f"separator: {separator!r}", *imported.guesses),
            imported.warnings,
        )
    known = ", ".join((".json", ".jsonl", ".yaml", *_TABLES))
    raise GoldenError(path, None, f"the suffix {suffix!r} tells no shape; known are {known}, and folders")


def _check_wishes(path: Path, wishes: Wishes, shape: str) -> None:
    """GoldenError for a wish that this shape, whose fields are fixed, would pass over."""
    unused = [f"--map {role}" for role in wishes.roles if role != "qrels"]
    if wishes.document:
        unused.append("--document")
    if unused:
        raise GoldenError(path, None, f"{unused[0]} does not apply to {shape}, whose fields are fixed")


def _golden(path: Path) -> Imported:
    golden = load_golden(path, check_documents=False)
    keys = ", ".join(key for key in golden.header.lines if "." not in key)
    lost = (f"the header is not carried over: {keys}",) if keys else ()
    return Imported("golden set", golden.queries, (), (*golden.notes, *lost))


def _golden_or_lines(path: Path, wishes: Wishes) -> Imported:
    """A golden set where it reads as one and no role is named, else rows."""
    if not wishes.roles and not wishes.document:
        try:
            return _golden(path)
        except GoldenError:
            # The rows tell what is missing in their own words, unless it is meant for a golden set.
            if is_golden_name(path.name):
                raise
    return read_rows(path, "JSON lines", list(parse_jsonl(path, read_text(path))), wishes)
