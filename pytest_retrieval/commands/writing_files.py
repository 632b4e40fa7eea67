"""Writing what a command made: whole or not at all, and over nothing without being told."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from pytest_retrieval.golden.errors import InputError


def refuse_existing(paths: Iterable[Path], *, force: bool) -> None:
    """InputError at the first path that is there already, unless ``force``."""
    for path in paths:
        if path.exists() and not force:
            raise InputError(path, None, "is already there and was left; write over it with --force")


def write_whole(path: Path, text: str) -> None:
    """Write a text as UTF-8, otherwise as :func:`write_bytes`."""
    write_bytes(path, text.encode("utf-8"))


def write_bytes(path: Path, content: bytes) -> None:
    """Write a file, its folders where they are missing, in one step; InputError when it cannot be."""
    if path.is_symlink():  # the file that is meant, not the link to it
        path = path.resolve()
    draft = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        draft.write_bytes(content)
        if path.exists():
            draft.chmod(path.stat().st_mode)
        draft.replace(path)
    except OSError as error:
        raise InputError(path, None, f"cannot be written ({error.strerror or error})") from None
    finally:
        with suppress(OSError):  # the folder may be none
            draft.unlink()
