"""What an output may replace: our own earlier output of the same kind, and nothing that people keep."""

from __future__ import annotations

import json
import re
from pathlib import Path

from pytest_retrieval.golden.naming import is_golden_name
from pytest_retrieval.reporting.markdown_report import MARK

_HEAD = 4_096  # bytes that tell what a file is
_MARKS = (
    *(b'"pytest-retrieval-report/', b'"pytest-retrieval-comparison/'),
    *(MARK.encode(), b'<meta name="generator" content="pytest-retrieval">'),
)
_TREC = re.compile(rb"\S+[\t ]+\S+[\t ]+\S+[\t ]+\d+[\t ]+\S+[\t ]+\S+")


def keeps_report_out(path: Path) -> str:
    """Why no report may be written to ``path``, empty where it may."""
    return "" if _holds(path, _is_report(path)) else _kept("no report of pytest-retrieval")


def keeps_run_out(path: Path) -> str:
    """Why no run may be written to ``path``, empty where it may."""
    if is_golden_name(path.name.replace(".local.", ".")):
        return "has the name of a golden set and would be read as one; choose another name"
    return "" if _holds(path, _is_run(path)) else _kept("no run")


def _kept(what: str) -> str:
    return f"is there already and is {what}: choose another name, or remove it first"


def _holds(path: Path, ours: bool) -> bool:
    return ours or not path.is_file() or path.stat().st_size == 0


def _is_report(path: Path) -> bool:
    head = _head(path)
    if path.name.lower().endswith(".codequality.json"):
        return head.strip() == b"[]" or (
            head.lstrip().startswith(b"[") and b'"check_name": "retrieval-' in head
        )
    return any(mark in head for mark in _MARKS)


def _is_run(path: Path) -> bool:
    first = _head(path).lstrip().split(b"\n", 1)[0]
    if _TREC.match(first):
        return True
    try:
        row = json.loads(first)
    except ValueError:
        # a ranking longer than what was read
        return re.match(rb'\{"id": .*"ranked": \[', first) is not None
    return isinstance(row, dict) and "ranked" in row


def _head(path: Path) -> bytes:
    if not path.is_file():
        return b""
    with path.open("rb") as file:
        return file.read(_HEAD)
