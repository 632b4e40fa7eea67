"""Which writer makes a report, by the suffix of its file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from pytest_retrieval.reporting.result import RunResult


def write_by_suffix(path: Path, run: RunResult) -> None:
    """Write a report in the format of its suffix, in one step.

    Raises OSError when the file system refuses, MissingLibraryError where the format needs a library
    that is not installed, KeyError for a suffix that is none of ours.
    """
    _WRITERS[path.suffix.lower()](path, run)


def _json(path: Path, run: RunResult) -> None:
    from pytest_retrieval.reporting.json_report import write_report

    write_report(path, run)


def _html(path: Path, run: RunResult) -> None:
    from pytest_retrieval.reporting.html_report import write_html_report

    write_html_report(path, run)


# Each imports what it needs when it is needed: the page takes numpy and Jinja2.
_WRITERS: dict[str, Callable[[Path, RunResult], None]] = {".json": _json, ".html": _html}
SUFFIXES = tuple(_WRITERS)
