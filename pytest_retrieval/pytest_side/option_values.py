"""Values of options as texts and lists of words; each function raises ValueError saying what was expected."""

from __future__ import annotations

import re
from pathlib import Path

FAIL_ON = ("suspected", "stale")
# Their writers are reporting.writers'; reading the options must not import that room.
REPORTS = (".json", ".html", ".md", ".codequality.json")
TEXT, ID = "text", "id"


def text(value: object) -> str:
    """A text that is not blank."""
    if not isinstance(value, str) or not value.strip():
        raise ValueError("expected a text")
    return value.strip()


def names(value: object) -> tuple[str, ...]:
    """Names from a comma list, a line list or a native list."""
    parts = value if isinstance(value, list) else re.split(r"[,\n]", text(value))
    if not all(isinstance(part, str) for part in parts):
        raise ValueError("expected a list of texts")
    found = tuple(part.strip() for part in parts if part.strip())
    if not found:
        raise ValueError("expected at least one name")
    return found


def fail_on(value: object) -> tuple[str, ...]:
    """What else makes a build red."""
    words = names(value)
    for word in words:
        if word not in FAIL_ON:
            raise ValueError(f"expected {' or '.join(FAIL_ON)}, found {word}")
    return words


def reports(value: object) -> tuple[str, ...]:
    """Files whose suffix says what is written."""
    files, expected = names(value), " or ".join(REPORTS)
    for name in files:
        if Path(name).suffix.lower() not in REPORTS:
            raise ValueError(f"cannot write {name!r}: expected a file name that ends in {expected}")
    return files


def report_text(value: object) -> str:
    """Whether reports hold the queries' texts or their ids alone."""
    if value not in (TEXT, ID):
        raise ValueError(f"expected {TEXT!r} or {ID!r}")
    return str(value)
