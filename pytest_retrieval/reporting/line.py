"""A line of output with its colours named, not applied: only the owner of a terminal applies them."""

from __future__ import annotations

from dataclasses import dataclass

Segment = tuple[str, str]
"""A text and its style: "", "bold", "red" (meant bold), "green", "yellow" or "faint"."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line without its line end, as segments from left to right."""

    segments: tuple[Segment, ...] = ()

    @property
    def text(self) -> str:
        """The line without its colours."""
        return "".join(text for text, _ in self.segments)


def styled(text: str, style: str = "") -> Line:
    """A line of one style."""
    return Line(((text, style),))
