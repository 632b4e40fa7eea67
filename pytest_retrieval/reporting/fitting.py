"""Text that must not grow beyond a limit: whole rows are left out, and it is said how many."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

Size = Callable[[str], int]
"""How long a text is, in whatever the limit counts."""

_RESERVE = 160  # for the sentence about what was left out


@dataclass(frozen=True, slots=True)
class Block:
    """A part of a text: ``before``, ``rows`` of which the last can be missing, and ``after``.

    ``what`` names the rows where some are left out. All parts end without a line end.
    """

    before: str = ""
    rows: tuple[str, ...] = ()
    after: str = ""
    what: str = "rows"


def fitted(blocks: Sequence[Block], limit: int, size: Size = len) -> str:
    """The blocks one below the other in at most ``limit``, earlier ones first; empty for no room at all.

    ``size`` adds up: that of two texts together is the sum of both.
    """
    used = 0
    parts: list[str] = []
    missing: list[str] = []
    for block in blocks:
        frame = size(_joined(block.before, "", block.after)) + size("\n\n") + _RESERVE
        if used + frame > limit - _RESERVE:
            missing.append(f"{len(block.rows)} {block.what}" if block.rows else block.what)
            continue
        room = limit - _RESERVE - used - frame
        kept = 0
        for one in block.rows:
            room -= size(one + "\n")
            if room < 0:
                break
            kept += 1
        if block.rows and not kept:
            missing.append(f"{len(block.rows)} {block.what}")
            continue
        after = block.after
        if left := len(block.rows) - kept:
            after = f"\n{left} more {block.what} are left out: there is no room.\n{after}".rstrip("\n")
        part = _joined(block.before, "\n".join(block.rows[:kept]), after)
        parts.append(part)
        used += size(part) + size("\n\n")
    if missing:
        told = f"Left out, as there is no room: {', '.join(missing)}."
        if used + size(told) + 1 <= limit:
            parts.append(told)
    return "\n\n".join(parts) + "\n" if parts else ""


def _joined(*parts: str) -> str:
    return "\n".join(part for part in parts if part)
