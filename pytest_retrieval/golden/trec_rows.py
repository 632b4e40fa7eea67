"""The rows of TREC files: words between ASCII white space."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from pathlib import Path

from pytest_retrieval.golden.errors import InputError


def file_content(path: Path) -> bytes:
    """The bytes of a file without its byte-order mark; InputError when it cannot be read."""
    try:
        return path.read_bytes().removeprefix(b"\xef\xbb\xbf")
    except (OSError, ValueError) as error:
        raise InputError(path, None, f"cannot be read: {getattr(error, 'strerror', None) or error}") from None


def decoded(path: Path, line: int, text: bytes) -> str:
    """One line or word as text; InputError when it is not UTF-8."""
    try:
        return text.decode("utf-8")
    except UnicodeDecodeError as error:
        found = text[error.start]
        raise InputError(path, line, f"is not UTF-8 (byte 0x{found:02x}); save the file as UTF-8") from None


def trec_rows(path: Path, content: bytes) -> Iterator[tuple[int, list[str]]]:
    """Line number (from 1) and words, under NFC, of each row; blank lines and ``#`` lines are passed over."""
    for line, row in enumerate(content.split(b"\n"), start=1):
        if row.lstrip().startswith(b"#"):
            continue
        # Split as bytes: only ASCII white space separates columns, ids may hold any other.
        if row.isascii():
            words = [word.decode() for word in row.split()]
        else:
            words = [unicodedata.normalize("NFC", decoded(path, line, word)) for word in row.split()]
        if words:
            yield line, words
