"""The names that mean something in a golden set, their aliases, and what was probably meant."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from pytest_retrieval.golden.errors import GoldenError
from pytest_retrieval.golden.nodes import Entry, MappingNode, Node

ALIASES: dict[str, tuple[str, ...]] = {
    "text": ("text", "query", "question"),
    "relevant": (
        "relevant",
        "relevant_doc_ids",
        "relevant_docs",
        "relevant_documents",
        "relevant_ids",
        "expected_doc_ids",
        "citations",
    ),
    "id": ("id", "qid", "query_id", "_id"),
    "kind": ("kind", "type", "category"),
    "tags": ("tags",),
    "split": ("split",),
    "params": ("params",),
    "must": ("must",),
    "forbidden": ("forbidden",),
    "answerable": ("answerable",),
}
"""The roles of a query's fields and the names under which each is written."""

HEADER_KEYS = (
    *("retriever", "depth", "metrics", "describe", "documents", "document_id", "exact", "ask"),
    *("chunking", "compare", "repeats", "noisy", "max_errors", "gate", "qrels", "pooled", "queries"),
    *("context", "slices", "split", "version"),
)
ASK_KEYS = ("concurrency", "timeout", "retries", "retry_on", "retry_wait")
GATE_KEYS = ("metrics", "margin", "anchor_margin", "confidence", "min_queries", "floors", "kinds", "slices")
KIND_KEYS = ("margin", "anchor_margin", "floors")
QRELS_KEYS = ("file", "by")
POOLED_KEYS = ("depth", "date", "sources", "unjudged")
LABEL_KEYS = ("id", "grade", "judged_version", "owner")

_LABELS = re.compile(rf"""(?:^|[\s,{{-])["']?(?:{"|".join(ALIASES["relevant"])})["']?\s*:""")
_ROLES = {name: role for role, names in ALIASES.items() for name in names}


def sort_fields(path: Path | str, row: MappingNode) -> tuple[dict[str, Entry], list[Entry]]:
    """A query's fields by role, and the fields without a meaning of their own (metadata).

    GoldenError when one role is written twice under two names, and for a field that is
    one edit away from a known name.
    """
    roles: dict[str, Entry] = {}
    metadata: list[Entry] = []
    for name, entry in row.entries.items():
        role = _ROLES.get(name)
        if role is None:
            meant = _near_field(name)
            if meant:
                raise GoldenError(
                    path,
                    entry.key.line,
                    f"unknown field {name!r}: did you mean {meant!r}? (Rename it if it is metadata.)",
                )
            metadata.append(entry)
        elif role in roles:
            raise GoldenError(
                path,
                entry.key.line,
                f"{roles[role].key.text!r} and {name!r} both give the {role} of this query; keep one of them",
            )
        else:
            roles[role] = entry
    return roles, metadata


def has_role(row: Node, *roles: str) -> bool:
    """Whether ``row`` is a mapping with a field of one of these roles."""
    return isinstance(row, MappingNode) and any(
        name in row.entries for role in roles for name in ALIASES[role]
    )


def check_keys(path: Path | str, mapping: MappingNode, known: tuple[str, ...], where: str) -> None:
    """GoldenError at the first key of ``mapping`` that is not among ``known``."""
    for name, entry in mapping.entries.items():
        if name not in known:
            meant = near_name(name, known)
            hint = f": did you mean {meant!r}?" if meant else ""
            raise GoldenError(
                path, entry.key.line, f"unknown key {name!r} in {where}{hint} (known: {', '.join(known)})"
            )


def mentions_labels(path: Path) -> bool:
    """Whether a file that cannot be read has a key under which a query's labels stand."""
    text = path.read_bytes().decode("utf-8", "replace")
    return _LABELS.search(text) is not None


@lru_cache(maxsize=4096)
def _near_field(name: str) -> str | None:
    return near_name(name, _ROLES)


def near_name(name: str, known: Iterable[str]) -> str | None:
    """The first known name that ``name`` misses by one edit or by upper and lower case."""
    folded = name.casefold()
    return next((other for other in known if folded == other or is_one_edit(folded, other)), None)


def is_one_edit(a: str, b: str) -> bool:
    """Whether one insertion, deletion, substitution or swap of neighbours turns ``a`` into ``b``."""
    if a == b or abs(len(a) - len(b)) > 1:
        return False
    start = 0
    while start < min(len(a), len(b)) and a[start] == b[start]:
        start += 1
    rest_a, rest_b = a[start:], b[start:]
    if len(a) < len(b):
        return rest_a == rest_b[1:]
    if len(a) > len(b):
        return rest_a[1:] == rest_b
    swapped = rest_a[:2] == rest_b[1::-1] and rest_a[2:] == rest_b[2:]
    return rest_a[1:] == rest_b[1:] or swapped
