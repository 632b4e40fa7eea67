"""Reading a text file: UTF-8 or an error that names the line."""

from __future__ import annotations

import codecs
from pathlib import Path

from pytest_retrieval.golden.errors import GoldenError


def read_text(path: Path | str) -> str:
    """The text of a UTF-8 file without its byte-order mark; line ends stay as they are.

    GoldenError when the file cannot be read, or is not UTF-8 (at the line of the first bad byte).
    """
    try:
        data = Path(path).read_bytes()
    except FileNotFoundError:
        raise GoldenError(path, None, "there is no such file") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise GoldenError(path, None, f"cannot be read: {reason}") from None
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise GoldenError(path, 1, "is UTF-16; save the file as UTF-8")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        # Counted in the part that was decoded: utf-8-sig reports positions behind the mark.
        bad = error.object[error.start]
        line = error.object.count(b"\n", 0, error.start) + 1
        raise GoldenError(path, line, f"is not UTF-8 (byte 0x{bad:02x}); save the file as UTF-8") from None
