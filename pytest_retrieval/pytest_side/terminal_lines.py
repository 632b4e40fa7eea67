"""Lines of ours on pytest's terminal."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pytest_retrieval.reporting.line import Line

_MARKUP: dict[str, dict[str, bool]] = {
    "": {},
    "bold": {"bold": True},
    "red": {"red": True, "bold": True},
    "green": {"green": True},
    "yellow": {"yellow": True},
    "faint": {"light": True},
}


def write_lines(reporter: Any, lines: Iterable[Line]) -> None:
    """Write styled lines through pytest's terminal reporter."""
    for line in lines:
        for text, style in line.segments:
            reporter.write(text, **_MARKUP[style])
        reporter.write_line("")
