"""Files of which a reader finds the old or the new one, never half of it."""

from __future__ import annotations

import os
import secrets
from pathlib import Path


def write_whole(path: Path, content: str | bytes) -> None:
    """Write ``content`` (text as UTF-8) in one step; missing folders are created.

    Raises OSError when the file system refuses; the old file is then as it was.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{os.getpid()}-{secrets.token_hex(4)}.tmp")
    try:
        draft.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
