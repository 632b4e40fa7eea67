"""Writing what a command made: whole or not at all, and over nothing without being told."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from pytest_retrieval.golden.errors import InputError
from pytest_retrieval.golden.whole_file import write_whole


def refuse_existing(paths: Iterable[Path], *, force: bool) -> None:
    """InputError at the first path that is there already, unless ``force``."""
    for path in paths:
        if path.exists() and not force:
            raise InputError(path, None, "is already there and was left; write over it with --force")


def write_file(path: Path, content: str | bytes) -> None:
    """Write a file in one step, with the rights it had; InputError when it cannot be written."""
    if path.is_symlink():  # the file that is meant, not the link to it
        path = path.resolve()
    try:
        rights = path.stat().st_mode if path.exists() else None
        write_whole(path, content)
        if rights is not None:
            path.chmod(rights)
    except OSError as error:
        raise InputError(path, None, f"cannot be written ({error.strerror or error})") from None
