"""The report files of a session, and the summary of a build server: written twice, said where that fails."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from pytest_retrieval.pytest_side import build_server
from pytest_retrieval.reporting.line import Line, styled
from pytest_retrieval.reporting.missing_library import MissingLibraryError
from pytest_retrieval.reporting.result import RunResult
from pytest_retrieval.reporting.status import INCOMPLETE
from pytest_retrieval.reporting.writers import write_by_suffix


def write_placeholders(paths: Sequence[Path]) -> None:
    """Write every report as unfinished; UsageError where one cannot be written at the end either."""
    for path in paths:
        try:
            write_by_suffix(path, RunResult((), INCOMPLETE, complete=False))
        except MissingLibraryError as error:
            raise pytest.UsageError(f"--retrieval-report {path.name}: {error}") from None
        except OSError as error:
            raise pytest.UsageError(f"--retrieval-report {path}: {error.strerror}") from None


def write_reports(paths: Sequence[Path], run: RunResult) -> Iterator[Line]:
    """Write what came of the run; a line for each file that was not written."""
    for path in paths:
        try:
            write_by_suffix(path, run)
        except OSError as error:
            yield styled(f"{path}: the report was not written: {error.strerror}", "red")
    if trouble := build_server.write_summary(run):
        yield styled(trouble, "yellow")
