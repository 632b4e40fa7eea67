"""A golden file -> GoldenSet."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path

from pytest_retrieval.golden.build import build_queries
from pytest_retrieval.golden.document_fields import with_document_fields
from pytest_retrieval.golden.documents import find_files, ids_in_files
from pytest_retrieval.golden.errors import GoldenError, NotGoldenError
from pytest_retrieval.golden.fields import HEADER_KEYS, has_role, near_name
from pytest_retrieval.golden.header import build_header
from pytest_retrieval.golden.in_place import is_file_name, queries_in_place
from pytest_retrieval.golden.jsonl_reader import parse_jsonl
from pytest_retrieval.golden.model import GoldenSet, Header
from pytest_retrieval.golden.naming import SUFFIXES, is_golden_name
from pytest_retrieval.golden.nodes import ListNode, MappingNode, Node, Scalar, shown
from pytest_retrieval.golden.splitting import with_splits
from pytest_retrieval.golden.text_file import read_text
from pytest_retrieval.golden.yaml_reader import parse_yaml

__all__ = ["is_golden_name", "load_golden"]


def load_golden(path: str | Path, *, check_documents: bool = True) -> GoldenSet:
    """Read a golden set from a ``.yaml``, ``.yml`` or ``.jsonl`` file.

    With ``check_documents``, a label that names none of the documents declared by
    ``documents:`` is an error, and queries have the fields that the header slices on and their
    documents have. Raises NotGoldenError for a readable file without any
    query, and GoldenError, with file and line, for everything else that is wrong.
    """
    suffix = Path(path).suffix.lower()
    if suffix not in SUFFIXES:
        raise GoldenError(path, None, f"the suffix must be one of {', '.join(SUFFIXES)}, found {suffix!r}")
    golden = parse_golden(path, read_text(path))
    if check_documents:
        pattern = golden.header.document_id
        document_id = re.compile(pattern) if pattern else None
        check_labels(golden, document_id)
        golden = with_document_fields(golden, document_id)
    return golden


def parse_golden(path: str | Path, text: str) -> GoldenSet:
    """The golden set in the text of a file; ``path`` tells its format and where its other files lie.

    The same errors as :func:`load_golden`, those of the declared documents apart.
    """
    if Path(path).suffix.lower() == ".jsonl":
        block, rows = _split_jsonl(path, parse_jsonl(path, text))
    else:
        block, rows = _split_yaml(path, parse_yaml(path, text))
    header = build_header(path, block) if block else Header()
    if block and (header.queries or header.qrels):
        queries, notes = queries_in_place(Path(path), header, block.entries, rows)
    else:
        queries, notes = build_queries(path, rows, needs_labels=header.exact is None), ()
    if not queries:
        raise GoldenError(path, None, "holds no query yet; add one with id, text and relevant")
    return GoldenSet(with_splits(queries, header.test_share), header, Path(path), notes)


def _split_jsonl(path: Path | str, rows: Iterator[MappingNode]) -> tuple[MappingNode | None, Iterable[Node]]:
    """The header, if there is one, and the query rows."""
    first = next(rows, None)
    if first is None:
        raise NotGoldenError(path, None, "holds no queries: an empty file")
    if has_role(first, "text", "relevant"):
        return None, chain([first], rows)
    if not first.entries or not all(key in HEADER_KEYS for key in first.entries):
        rest = list(rows)
        if not any(has_role(row, "text", "relevant") for row in rest):
            raise NotGoldenError(path, None, "holds no queries: no line has a text or relevant field")
        if has_role(first, "id"):
            return None, [first, *rest]
        rows = iter(rest)
    queries = first.entries.get("queries")
    if queries and not is_file_name(queries.value):
        raise GoldenError(
            path, queries.key.line, "in JSONL the queries follow the header, one JSON object per line"
        )
    return first, rows


def _split_yaml(path: Path | str, root: Node | None) -> tuple[MappingNode | None, Iterable[Node]]:
    """The header, if there is one, and the query rows."""
    if isinstance(root, ListNode):
        if root.items and not any(has_role(item, "text", "relevant") for item in root.items):
            raise NotGoldenError(
                path, None, "holds no queries: no entry of the list has a text or relevant field"
            )
        return None, root.items
    if not isinstance(root, MappingNode):
        found = "an empty file" if root is None else shown(root)
        raise NotGoldenError(
            path,
            None,
            f"holds no queries: expected a list of queries or a mapping with queries, found {found}",
        )
    queries = root.entries.get("queries")
    if queries is None:
        for name, entry in root.entries.items():
            if near_name(name, ("queries",)) and isinstance(entry.value, ListNode):
                raise GoldenError(path, entry.key.line, f"unknown key {name!r}: did you mean 'queries'?")
        raise NotGoldenError(path, None, "holds no queries: the mapping has no key queries")
    if isinstance(queries.value, ListNode):
        return root, queries.value.items
    if isinstance(queries.value, Scalar) and (queries.value.is_null or is_file_name(queries.value)):
        return root, []
    hint = "; write it as a list, each query with its id" if isinstance(queries.value, MappingNode) else ""
    raise GoldenError(
        path, queries.key.line, f"queries must be a list of queries, found {shown(queries.value)}{hint}"
    )


def check_labels(golden: GoldenSet, document_id: re.Pattern[str] | None) -> None:
    """Hold the labels against the documents that the golden set declares, if it declares any.

    ``document_id`` is a pattern whose first group is the document of a hit. Raises
    GoldenError at the first query with a label that names no declared document.
    """
    header, queries, path = golden.header, golden.queries, golden.path
    if not header.documents or path is None:
        return
    try:
        files = find_files(path.parent, header.documents)
    except GoldenError as error:
        raise GoldenError(path, header.lines.get("documents"), error.message) from None
    known = ids_in_files(path.parent, files)
    if document_id:
        known = frozenset(_document_of(name, document_id) for name in known)
    dangling = [
        (query, label)
        for query in queries
        for label in (*query.relevant, *query.forbidden)
        if label not in known
    ]
    if not dangling:
        return
    query, label = dangling[0]
    verb = "labels" if label in query.relevant else "forbids"
    near = difflib.get_close_matches(label, sorted(known), n=1, cutoff=0.7)
    hint = f" (did you mean {near[0]!r}?)" if near else ""
    concerned = len({query.id for query, _ in dangling})
    raise GoldenError(
        path,
        query.line,
        f"{query.id} {verb} {label!r}, which is none of the {len(known)} declared documents{hint}; "
        f"such labels: {len(dangling)}, in {concerned} of {len(queries)} queries; "
        "bring the document back, or correct the label",
    )


def _document_of(hit: str, pattern: re.Pattern[str]) -> str:
    match = pattern.search(hit)
    return match[1] if match and match[1] is not None else hit
