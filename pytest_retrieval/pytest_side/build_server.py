"""What the build server that runs this session wants to be told, and where it keeps the checkout."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pytest_retrieval.reporting.result import RunResult


def listens() -> bool:
    """Whether a build server takes a summary or annotations."""
    return bool(os.environ.get("GITHUB_STEP_SUMMARY")) or os.environ.get("GITHUB_ACTIONS") == "true"


def checkout_folder(root: Path) -> str:
    """The way from the checkout to the root, empty where they are the same or nobody knows."""
    for name in ("GITHUB_WORKSPACE", "CI_PROJECT_DIR"):
        place = os.environ.get(name)
        if place and root.is_relative_to(place):
            folder = root.relative_to(place).as_posix()
            return "" if folder == "." else folder
    return ""


def write_summary(run: RunResult) -> str:
    """Append the report to the summary of a GitHub step; what went wrong, empty for nothing.

    A summary that cannot be written changes no verdict.
    """
    place = os.environ.get("GITHUB_STEP_SUMMARY")
    if not place:
        return ""
    from pytest_retrieval.reporting.step_summary import append_summary

    try:
        append_summary(Path(place), run)
    except OSError as error:
        return f"the step summary was not written: {error.strerror}"
    return ""


def annotations_of(run: RunResult) -> list[str]:
    """The lines that mark findings in the diff of a pull request; none outside of GitHub Actions."""
    if os.environ.get("GITHUB_ACTIONS") != "true":
        return []
    from pytest_retrieval.reporting.annotations import annotation_lines

    return annotation_lines(run)
