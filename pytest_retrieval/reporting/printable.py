"""Text for a terminal: foreign text made harmless, and measured in terminal cells."""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Iterable, Sequence

ELLIPSIS = "..."

# a word can come to stand at the start of a line
_COMMAND = re.compile(r"(?<!\S)::|##\[")

# control, format, line and paragraph separators, lone surrogates: they move the cursor,
# reorder or hide what follows, or cannot be written at all
_UNSAFE = frozenset({"Cc", "Cf", "Zl", "Zp", "Cs"})
# the joiners are part of correctly spelled Persian and Indic words and move nothing
_JOINERS = "\u200c\u200d"


def harmless(text: str) -> str:
    """``text`` on one line, what could steer a terminal or the runner of a build shown as its escape."""
    if not text.isprintable():
        text = "".join(map(_visible, text))
    return _COMMAND.sub(_no_command, text) if "::" in text or "##[" in text else text


def _no_command(found: re.Match[str]) -> str:
    """What GitHub's runner takes for a command, at the start of a line or, the old way, anywhere."""
    return found[0].replace(":", r"\x3a", 1).replace("##[", r"##\x5b")


def _visible(character: str) -> str:
    if unicodedata.category(character) not in _UNSAFE or character in _JOINERS:
        return character
    return character.encode("unicode_escape").decode("ascii")


def cell_width(text: str) -> int:
    """How many terminal cells ``text`` takes: East Asian wide characters 2, combining ones 0."""
    return len(text) if text.isascii() else sum(map(_cells, text))


def _cells(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def pad(text: str, width: int, align: str = "<") -> str:
    """``text`` filled up with spaces to ``width`` cells, ``<`` on the right or ``>`` on the left."""
    space = " " * max(0, width - cell_width(text))
    return space + text if align == ">" else text + space


def clip(text: str, width: int) -> str:
    """``text`` in at most ``width`` cells (3 or more), its end left out where it is too long."""
    if cell_width(text) <= width:
        return text
    return _head(text, width - len(ELLIPSIS)) + ELLIPSIS


def shorten(text: str, width: int, front: float = 0.5) -> str:
    """``text`` in at most ``width`` cells (3 or more), its middle left out where it is too long.

    ``front`` is the share of the kept cells (0 to 1) that goes to the beginning.
    """
    if cell_width(text) <= width:
        return text
    room = width - len(ELLIPSIS)
    first = round(room * front)
    end = _head(text[::-1], room - first)[::-1]
    return _head(text, first) + ELLIPSIS + end


def _head(text: str, width: int) -> str:
    used = 0
    for index, character in enumerate(text):
        used += _cells(character)
        if used > width:
            return text[:index]
    return text


def shorten_distinct(names: Iterable[str], width: int) -> dict[str, str]:
    """Each name with a form of at most ``width`` cells, no two of them alike.

    Where leaving out the middle makes two names equal, another part is left out; where
    no part tells them apart, they are numbered.
    """
    distinct = list(dict.fromkeys(names))
    for front in (0.5, 0.75, 0.25, 1.0, 0.0):
        short = [shorten(name, width, front) for name in distinct]
        if len(set(short)) == len(distinct):
            return dict(zip(distinct, short, strict=True))
    taken = {name for name in distinct if cell_width(name) <= width}
    forms: dict[str, str] = {}
    for name in distinct:
        form = name
        if name not in taken:
            numbered = (f"{shorten(name, width - len(f'~{count}'))}~{count}" for count in itertools.count(1))
            form = next(form for form in numbered if form not in taken)
        taken.add(form)
        forms[name] = form
    return forms


def wrap(text: str, width: int, first: str = "", rest: str = "  ") -> list[str]:
    """``text`` broken at spaces into lines of at most ``width`` cells.

    The first line begins with ``first``, the others with ``rest``. A word that is wider
    stays whole: it is an id or a path that somebody will copy.
    """
    words = text.split()
    if not words:
        return []
    lines = [first + words[0]]
    for word in words[1:]:
        longer = f"{lines[-1]} {word}"
        if cell_width(longer) <= width:
            lines[-1] = longer
        else:
            lines.append(rest + word)
    return lines


def listed(items: Sequence[str], width: int, limit: int = 5) -> str:
    """The first items that fit into ``width`` cells, ``limit`` at most, and how many are left.

    The first item is always there and whole.
    """
    for shown in range(min(limit, len(items)), 0, -1):
        rest = len(items) - shown
        text = ", ".join(items[:shown]) + (f" and {rest} more" if rest else "")
        if shown == 1 or cell_width(text) <= width:
            return text
    return "none"
