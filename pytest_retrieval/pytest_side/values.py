"""The values of options: each function reads one kind, or raises ValueError with what was expected."""

from __future__ import annotations

import math
import re
from pathlib import Path


def text(value: object) -> str:
    """Any text but an empty one."""
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


def metric_names(value: object) -> tuple[str, ...]:
    """Metrics under their canonical names."""
    from pytest_retrieval.scoring.names import canonical

    return canonical(names(value))


def margin(value: object) -> float:
    """Metric points, 0 to 1."""
    found = number(value)
    if not 0 <= found <= 1:
        raise ValueError("expected a number from 0 to 1")
    return found


def confidence(value: object) -> float:
    """Between 0.5 and 1."""
    found = number(value)
    if not 0.5 < found < 1:
        raise ValueError("expected a number between 0.5 and 1, as in 0.95")
    return found


def number(value: object) -> float:
    """A number, NaN for what is none."""
    if isinstance(value, bool):
        return math.nan
    try:
        return float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return math.nan


def count(value: object, least: int = 1) -> int:
    """A whole number, not too small."""
    try:
        found = int(value) if isinstance(value, (int, str)) and not isinstance(value, bool) else least - 1
    except ValueError:
        found = least - 1
    if found < least:
        raise ValueError(f"expected a whole number of at least {least}")
    return found


def count_or_none(value: object) -> int:
    """A whole number, also 0."""
    return count(value, 0)


FAIL_ON = ("suspected", "stale")
TEXT, ID = "text", "id"


def fail_on(value: object) -> tuple[str, ...]:
    """Verdicts that are red besides those that always are."""
    given = names(value)
    for name in given:
        if name not in FAIL_ON:
            raise ValueError(f"expected {' or '.join(FAIL_ON)}, found {name}")
    return given


def limit(value: object) -> float:
    """Seconds above 0."""
    found = number(value)
    if not 0 < found < math.inf:
        raise ValueError("expected a number of seconds above 0")
    return found


def wait(value: object) -> float:
    """Seconds of at least 0."""
    found = number(value)
    if not 0 <= found < math.inf:
        raise ValueError("expected a number of seconds of at least 0")
    return found


def pattern(value: object) -> str:
    """A regular expression with a group."""
    written = text(value)
    try:
        groups = re.compile(written).groups
    except re.error as error:
        raise ValueError(f"expected a regular expression ({error})") from None
    if not groups:
        raise ValueError(
            "expected a regular expression with a group that holds the document, such as '^(.*)#'"
        )
    return written


def when(value: object) -> str:
    """One of two words."""
    if value not in ("always", "on_request"):
        raise ValueError("expected 'always' or 'on_request'")
    return str(value)


def correction(value: object) -> str:
    """How gates share the error."""
    # The words are gating.policy's; reading the options must not import that room.
    if value not in ("max-t", "holm"):
        raise ValueError("expected 'max-t' or 'holm'")
    return str(value)


def yes_or_no(value: object) -> bool:
    """True or false in one of its spellings."""
    written = str(value).strip().lower()
    if written not in ("true", "false", "yes", "no", "on", "off", "1", "0"):
        raise ValueError("expected true or false")
    return written in ("true", "yes", "on", "1")


# Their writers are reporting.writers'; reading the options must not import that room.
REPORTS = (".json", ".html", ".md", ".codequality.json")


def reports(value: object) -> tuple[str, ...]:
    """File names, each with a suffix that has a writer."""
    given, expected = names(value), " or ".join(REPORTS)
    for name in given:
        if re.search(r"\.(json|html|md)\s", name, re.IGNORECASE):
            raise ValueError(f"expected several files apart by commas, found {name!r}")
        if Path(name).suffix.lower() not in REPORTS:
            raise ValueError(f"cannot write {name!r}: expected a file name that ends in {expected}")
    return given


def report_text(value: object) -> str:
    """Whether reports hold the queries' texts or their ids alone."""
    if value not in (TEXT, ID):
        raise ValueError(f"expected {TEXT!r} or {ID!r}")
    return str(value)
