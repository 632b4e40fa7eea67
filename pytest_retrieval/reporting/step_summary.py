"""The summary page of a job in GitHub Actions: the Markdown report, appended to the runner's file."""

from __future__ import annotations

from pathlib import Path

from pytest_retrieval.reporting.markdown_report import markdown_report
from pytest_retrieval.reporting.result import RunResult

LIMIT = 2**20
"""Bytes of the file of one step; GitHub drops the whole of a larger one."""


def append_summary(path: Path, run: RunResult) -> None:
    """Append the report, as much of it as still fits; raises OSError when the file system refuses.

    What others wrote into the file counts. Whole rows are left out, and the report says so.
    """
    taken = path.stat().st_size if path.exists() else 0
    # one byte for a line end behind what others wrote, should it lack one
    text = markdown_report(run, LIMIT - taken - 1, _bytes)
    if text:
        with path.open("ab") as file:
            file.write((("\n" if taken else "") + text).encode("utf-8", "backslashreplace"))


def _bytes(text: str) -> int:
    return len(text.encode("utf-8", "backslashreplace"))
