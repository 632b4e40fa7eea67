"""What leads nowhere, told in a whole run: baselines without a golden set, globs without a file."""

from __future__ import annotations

import glob
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
    for pattern in globs:
        if not any(fits(name, pattern) for name in golden_files):
            yield f"retrieval_files: {pattern} matches no golden set that was collected"
    folder = settings.baseline_folder(config.rootpath)
    for path in sorted(folder.rglob("*.json")):
        if not has_golden_set(path.relative_to(folder), config.rootpath) and _is_baseline(path):
            name = Path(os.path.relpath(path, config.rootpath)).as_posix()
            yield (
                f"{name}: the golden set of this baseline is gone: restore it, or remove the baseline with: "
                f"git rm {shlex.quote(name)}"
            )


def kept_for(plain: Path, folder: Path, root: Path) -> Iterator[Path]:
    """The baselines of one golden file: ``plain`` and those of its retrievers, whichever it lists today.

    ``golden.docs.json`` is none of ``golden.yaml``'s where there is a ``golden.docs.yaml``.
    """
    for path in (plain, *sorted(plain.parent.glob(f"{glob.escape(plain.stem)}.*.json"))):
        if path.is_file() and not path.name.endswith(".anchor.json") and is_of(path, plain, folder, root):
            yield path


def is_of(path: Path, plain: Path, folder: Path, root: Path) -> bool:
    """Whether a baseline's place is that of a golden file with the plain one, or of one of its retrievers."""
    if path == plain:
        return True
    if path.parent != plain.parent or not path.name.startswith(f"{plain.stem}."):
        return False
    own = PurePosixPath(path.relative_to(folder).as_posix()).with_suffix("")
    return not any((root / f"{own}{suffix}").is_file() for suffix in SUFFIXES)


def has_golden_set(baseline: Path, root: Path) -> bool:
    """Whether a file lies where a baseline belongs."""
    return any(golden_files_of(baseline, root))


def golden_files_of(baseline: Path, root: Path) -> Iterator[Path]:
    """The files that a baseline may be of; its name may end in a retriever or ``anchor``."""
    plain = PurePosixPath(baseline.as_posix()).with_suffix("")
    stems = dict.fromkeys((plain, plain.with_suffix(""), plain.with_suffix("").with_suffix("")))
    paths = (root / f"{stem}{suffix}" for stem in stems for suffix in SUFFIXES)
    return (path for path in paths if path.is_file())


def _is_baseline(path: Path) -> bool:
    try:
        return bool(json.loads(path.read_bytes()).get("format") == FORMAT)
    except (OSError, ValueError, AttributeError):
        return False
