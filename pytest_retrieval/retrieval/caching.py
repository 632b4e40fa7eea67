"""What is slow to build is built once: for all workers of a run, and for the runs that follow."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TypeVar

from pytest_retrieval.retrieval.calling import BadRetriever

T = TypeVar("T")

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,79}")
_CHUNK = 1 << 20


@dataclass(frozen=True, slots=True)
class RetrievalCache:
    """A folder of things that were built, each under its name and the digest of its key."""

    folder: Path

    def build(self, name: str, key: object, build: Callable[[Path], object], load: Callable[[Path], T]) -> T:
        """Return ``load(folder)``, after ``build(folder)`` has filled that folder once.

        ``name`` consists of letters, digits and ``_ . -``. ``key`` is everything on which the result
        depends, as for :func:`content_digest`: another key is another folder. Processes that ask for
        the same at once wait for the one that builds. What is left of a build that raised or was
        killed is removed before the next one starts.

        Raises:
            BadRetriever: filelock is not installed.
            ValueError, TypeError: the name or the key cannot be used.
            Exception: whatever ``build`` and ``load`` raise, untouched.
        """
        if not _NAME.fullmatch(name):
            raise ValueError(f"the name {name!r} cannot be used; expected letters, digits and _ . - only")
        home = self.folder / name / content_digest(key)
        built, complete = home / "built", home / "complete"
        if not complete.exists():
            home.mkdir(parents=True, exist_ok=True)
            with _lock(home / "lock"):
                # Another process may have been first.
                if not complete.exists():
                    _build_anew(built, build)
                    complete.touch()
        return load(built)


def _build_anew(folder: Path, build: Callable[[Path], object]) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    try:
        build(folder)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def _lock(path: Path) -> AbstractContextManager[object]:
    try:
        from filelock import FileLock
    except ModuleNotFoundError:
        raise BadRetriever(
            'retrieval_cache needs the package filelock; run: pip install "pytest-retrieval[cache]"'
        ) from None
    lock: AbstractContextManager[object] = FileLock(path)
    return lock


def content_digest(key: object) -> str:
    """The SHA-256 of a key's content, 64 hex digits; equal on every machine and in every process.

    A key is text, bytes, a number, a boolean or None; a path, which stands for the bytes of the file
    or for the names and bytes of all files below the folder, wherever it lies; or a mapping, list,
    tuple or set of such. The order of mappings and sets does not matter.

    Raises:
        TypeError: the key holds something else.
        ValueError: a path does not exist.
    """
    return _digest(key).hex()


def _digest(key: object) -> bytes:
    """The digest of a value, marked with its type: no two values of different shape are alike."""
    if isinstance(key, os.PathLike):
        return _digest_of_path(Path(os.fspath(key)))
    if isinstance(key, Mapping):
        pairs = sorted(_digest(name) + _digest(value) for name, value in key.items())
        return sha256(b"mapping:" + b"".join(pairs)).digest()
    if isinstance(key, (list, tuple)):
        return sha256(b"list:" + b"".join(map(_digest, key))).digest()
    if isinstance(key, (set, frozenset)):
        return sha256(b"set:" + b"".join(sorted(map(_digest, key)))).digest()
    if isinstance(key, bytes):
        return sha256(b"bytes:" + key).digest()
    if isinstance(key, str):
        return sha256(b"text:" + key.encode("utf-8", "surrogatepass")).digest()
    if key is None or isinstance(key, (bool, int, float)):
        return sha256(f"{type(key).__name__}:{key!r}".encode()).digest()
    raise TypeError(
        f"a key cannot hold a value of type {type(key).__name__}; "
        "expected text, bytes, numbers, paths, or mappings and lists of these"
    )


def _digest_of_path(path: Path) -> bytes:
    if path.is_dir():
        files = sorted(file for file in path.rglob("*") if file.is_file())
        named = (_digest(file.relative_to(path).as_posix()) + _digest_of_path(file) for file in files)
        return sha256(b"folder:" + b"".join(named)).digest()
    if not path.is_file():
        raise ValueError(f"a key names {str(path)!r}, where there is neither a file nor a folder")
    digest = sha256(b"file:")
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
    return digest.digest()
