"""Where a session writes: refused before anything is asked where something else would be lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_retrieval.pytest_side.loose_ends import has_golden_set
from pytest_retrieval.pytest_side.options import SETTINGS
from pytest_retrieval.reporting.overwriting import keeps_report_out, keeps_run_out


def refuse_outputs(config: pytest.Config) -> None:
    """UsageError where a report or the saved run would replace what is none of ours."""
    reports, run = config.stash[SETTINGS].report_paths, config.stash[SETTINGS].run_path
    try:
        for path in reports:
            if _is_baselines_place(path, config):
                _refuse("report", path, "is the place of a baseline; choose another name")
            if why := keeps_report_out(path):
                _refuse("report", path, why)
        if run is not None:
            if run in reports:
                _refuse("save-run", run, "is a report as well; choose another name")
            if why := keeps_run_out(run):
                _refuse("save-run", run, why)
    except OSError as error:
        raise pytest.UsageError(f"{error.filename}: {error.strerror}") from None


def _is_baselines_place(path: Path, config: pytest.Config) -> bool:
    root = config.rootpath.resolve()
    folder = config.stash[SETTINGS].baseline_folder(root)
    place = path.resolve()
    if place.suffix.lower() != ".json" or not place.is_relative_to(folder):
        return False
    return has_golden_set(place.relative_to(folder), root)


def _refuse(option: str, path: Path, why: str) -> None:
    raise pytest.UsageError(f"--retrieval-{option}={path}: nothing was asked or written: {path.name} {why}")
