from __future__ import annotations

import io
import os
import sys

import pytest

from pytest_retrieval.commands.keys import read_keys


def test_characters_of_lines_are_keys() -> None:
    assert list(read_keys(io.StringIO("2 U\n\nq"))) == ["2", "u", "q"]


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are of Unix")
def test_a_terminal_gives_each_key_without_a_line_end() -> None:
    import pty
    import tty

    controller, terminal = pty.openpty()
    tty.setcbreak(terminal)
    with os.fdopen(terminal, encoding="utf-8") as stream:
        keys = read_keys(stream)
        os.write(controller, b"2U")
        assert [next(keys), next(keys)] == ["2", "u"]
        os.write(controller, b"\x04")
        assert next(keys, None) is None
    os.close(controller)
