"""Mistakes in a user's files, told with the place and without a traceback."""

from __future__ import annotations

from pathlib import Path


class InputError(Exception):
    """Something in a user's file is wrong.

    ``str()`` gives ``file:line: what was found, what was expected``; the line is
    left out where there is none.
    """

    def __init__(self, path: Path | str, line: int | None, message: str) -> None:
        self.path, self.line, self.message = path, line, message
        place = f"{path}:{line}" if line else f"{path}"
        super().__init__(f"{place}: {message}")


class GoldenError(InputError):
    """A golden set, or the documents it declares, that cannot be used."""


class NotGoldenError(GoldenError):
    """A readable file that holds no queries at all: perhaps another program's."""
