"""Asking a person about one pair after the other: grade, skip, undo, quit."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from pytest_retrieval.scoring.pooling import Hole

GRADE_KEYS = {"0": 0, "1": 1, "2": 2}
PROMPT = "2 answers, 1 helps, 0 does not, s skip, u undo, q quit: "


@dataclass(frozen=True, slots=True)
class Outcome:
    """How many pairs were graded and skipped, undone ones apart, and whether the end was reached."""

    graded: int
    skipped: int
    finished: bool


def judge_pairs(
    holes: Sequence[Hole],
    keys: Iterator[str],
    show: Callable[[int, Hole], None],
    say: Callable[[str], None],
    write: Callable[[Hole, int], Callable[[], None]],
) -> Outcome:
    """Go through the pairs until they or the keys end.

    ``show`` puts a pair before the judge, ``say`` answers a key. ``write`` keeps a grade at
    once, so that stopping loses nothing, and returns what takes it back.
    """
    undo: list[Callable[[], None] | None] = []
    place = 0
    while place < len(holes):
        show(place, holes[place])
        key = _known_key(keys, say)
        if key == "q":
            break
        if key == "u":
            if not undo:
                say("nothing to undo")
                continue
            take_back = undo.pop()
            if take_back is not None:
                take_back()
            place -= 1
            say("undone")
        elif key == "s":
            undo.append(None)
            place += 1
            say("skipped")
        else:
            undo.append(write(holes[place], GRADE_KEYS[key]))
            place += 1
            say(key)
    skipped = undo.count(None)
    return Outcome(len(undo) - skipped, skipped, place == len(holes))


def _known_key(keys: Iterator[str], say: Callable[[str], None]) -> str:
    for key in keys:
        if key in GRADE_KEYS or key in ("s", "u", "q"):
            return key
        say(f"{key!r} is no key here")
    return "q"
