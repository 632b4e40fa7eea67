"""Which writer makes a report, by the end of its file's name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from pytest_retrieval.reporting.result import RunResult


def write_by_suffix(path: Path, run: RunResult) -> None:
    """Write a report in the format of its suffix, in one step.

    Raises OSError when the file system refuses, MissingLibraryError where the format needs a library
    that is not installed, KeyError for a suffix that is none of ours.
    """
    name = path.name.lower()
    # a longer end says more: report.codequality.json is no report.json
    suffix = max((suffix for suffix in SUFFIXES if name.endswith(suffix)), key=len, default=path.suffix)
    _WRITERS[suffix](path, run)


def _json(path: Path, run: RunResult) -> None:
    from pytest_retrieval.reporting.json_report import write_report

    write_report(path, run)


def _html(path: Path, run: RunResult) -> None:
    from pytest_retrieval.reporting.html_report import write_html_report

    write_html_report(path, run)


def _markdown(path: Path, run: RunResult) -> None:
    from pytest_retrieval.reporting.markdown_report import write_markdown_report

    write_markdown_report(path, run)


def _code_quality(path: Path, run: RunResult) -> None:
    from pytest_retrieval.reporting.code_quality import write_code_quality

    write_code_quality(path, run)


# Each imports what it needs when it is needed: the page takes numpy and Jinja2.
_WRITERS: dict[str, Callable[[Path, RunResult], None]] = {
    ".json": _json,
    ".html": _html,
    ".md": _markdown,
    ".codequality.json": _code_quality,
}
SUFFIXES = tuple(_WRITERS)
