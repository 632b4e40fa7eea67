"""Vectors of texts kept in a folder, one file per model, by text."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]

_PROBE = "The quick brown fox jumps over the lazy dog: 0123456789."
_TOLERANCE = 1e-3  # far above what another machine or batch changes, far below what other weights do


def cached_vectors(
    folder: Path, model: str, texts: Sequence[str], encode: Callable[[Sequence[str]], Vectors]
) -> Vectors:
    """The vectors of ``texts`` in their order, shape (texts, dimensions); only unknown texts are encoded.

    ``encode`` returns one row per text. The file is named after ``model``. It also holds the
    vector of a fixed sentence, so that vectors of other weights under the same name are
    recognised and made anew. A file that cannot be read is written anew. Processes may share
    the folder: a file is replaced whole, and the worst is that a text is encoded twice.
    """
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{_digest(model)}.npz"
    probe = encode([_PROBE])
    known = _read(file, probe)
    keys = [_digest(text) for text in texts]
    missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
    if missing:
        known = {**known, **dict(zip(missing, encode(list(missing.values())), strict=True))}
        # What another process has added in the meantime is kept.
        _write(file, probe, {**_read(file, probe), **known})
    return np.stack([known[key] for key in keys])


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _read(file: Path, probe: Vectors) -> dict[str, Vectors]:
    """The vectors in the file by the digest of their text; none where it is of no use."""
    try:
        with file.open("rb") as stream, np.load(stream, allow_pickle=False) as held:
            keys, matrix, old = held["keys"], held["vectors"], held["probe"]
    except (OSError, ValueError, KeyError, EOFError, BadZipFile):
        return {}
    if old.shape != probe.shape or not np.allclose(old, probe, rtol=0, atol=_TOLERANCE):
        return {}
    if matrix.shape != (len(keys), probe.shape[1]):
        return {}
    return dict(zip(keys.tolist(), matrix, strict=True))


def _write(file: Path, probe: Vectors, vectors: dict[str, Vectors]) -> None:
    keys, matrix = np.array(list(vectors)), np.stack(list(vectors.values()))
    handle, name = tempfile.mkstemp(dir=file.parent, suffix=".tmp")
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as stream:
            np.savez(stream, keys=keys, vectors=matrix, probe=probe)
        temporary.replace(file)
    finally:
        temporary.unlink(missing_ok=True)
