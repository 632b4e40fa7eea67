"""Single keys from a terminal, or characters from anything else."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from typing import TextIO

_ENDS = ("", "\x03", "\x04")  # the end of the input, Ctrl-C, Ctrl-D


def read_keys(stream: TextIO) -> Iterator[str]:
    """The keys that are pressed, lower case; ends with the input.

    Without a terminal, or where single keys cannot be read, every character of every line counts.
    """
    press = _single_key(stream)
    while True:
        try:
            text = press() if press else stream.readline()
        except KeyboardInterrupt:
            return
        if text in _ENDS:
            return
        yield from (key.lower() for key in text if not key.isspace())


def _single_key(stream: TextIO) -> Callable[[], str] | None:
    if not stream.isatty():
        return None
    if sys.platform == "win32":
        import msvcrt

        return msvcrt.getwch
    try:
        import termios
        import tty
    except ImportError:
        return None
    number = stream.fileno()

    def press() -> str:
        usual = termios.tcgetattr(number)
        try:
            # Draining keeps what was typed ahead; the default would throw it away.
            tty.setcbreak(number, termios.TCSADRAIN)
            return os.read(number, 64).decode("utf-8", "ignore")
        finally:
            termios.tcsetattr(number, termios.TCSADRAIN, usual)

    return press
