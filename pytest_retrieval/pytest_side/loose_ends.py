"""What leads nowhere, told in a whole run: baselines without a golden set, globs without a file."""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Collection, Iterator
from pathlib import Path, PurePosixPath

import pytest

from pytest_retrieval.gating.baseline_file import FORMAT
from pytest_retrieval.golden.naming import SUFFIXES
from pytest_retrieval.pytest_side.discovery import fits
from pytest_retrieval.pytest_side.options import Settings


def loose_ends(config: pytest.Config, settings: Settings, golden_files: Collection[str]) -> Iterator[str]:
    """A line for each; none where the command line chose what to collect.

    ``golden_files`` are those of this run, relative to the root.
    """
    if config.args_source is pytest.Config.ArgsSource.ARGS:
        return
    globs: tuple[str, ...] = settings.value("files", ())
    for glob in globs:
        if not any(fits(name, glob) for name in golden_files):
            yield f"retrieval_files: {glob} matches no golden set that was collected"
    folder = config.rootpath / settings.value("baseline-dir", "baselines")
    for path in sorted(folder.rglob("*.json")):
        if not has_golden_set(path.relative_to(folder), config.rootpath) and _is_baseline(path):
            name = Path(os.path.relpath(path, config.rootpath)).as_posix()
            yield (
                f"{name}: the golden set of this baseline is gone: restore it, or remove the baseline with: "
                f"git rm {shlex.quote(name)}"
            )


def has_golden_set(baseline: Path, root: Path) -> bool:
    """Whether a golden set lies where a baseline belongs; its name may end in a retriever or ``anchor``."""
    plain = PurePosixPath(baseline.as_posix()).with_suffix("")
    stems = (plain, plain.with_suffix(""), plain.with_suffix("").with_suffix(""))
    return any((root / f"{stem}{suffix}").is_file() for stem in stems for suffix in SUFFIXES)


def _is_baseline(path: Path) -> bool:
    try:
        return bool(json.loads(path.read_bytes()).get("format") == FORMAT)
    except (OSError, ValueError, AttributeError):
        return False
