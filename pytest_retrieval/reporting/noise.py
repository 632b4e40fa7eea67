"""What repeated runs showed, for people at a terminal."""

from __future__ import annotations

from pytest_retrieval.reporting import wording
from pytest_retrieval.reporting.line import Line, styled
from pytest_retrieval.reporting.printable import harmless, listed, wrap
from pytest_retrieval.scoring.repeats import Noise

MOST_REPEATS = 10
"""More is no advice that anybody follows."""


def noise_lines(noise: Noise, width: int) -> list[Line]:
    """Which queries flip, how the means move, and what to do about it."""
    lines = [styled(f"noise: every query was asked {noise.runs} times", "bold")]
    if not noise.flipped:
        text = f"all {noise.queries} queries were answered alike each time: once is enough"
        return [*lines, *(styled(part) for part in wrap(text, width, "  "))]
    head = f"  {len(noise.flipped)} of {noise.queries} queries flip: "
    flipped = listed([harmless(name) for name in noise.flipped], width - len(head))
    lines.append(styled(head + flipped, "yellow"))
    for metric, means in noise.means.items():
        spread = wording.score(max(means) - min(means))
        text = f"{harmless(metric)}: {', '.join(map(wording.score, means))} (apart by {spread})"
        lines += [styled(part) for part in wrap(text, width, "  ")]
    if noise.runs < noise.repeats_needed:
        lines += [styled(part, "yellow") for part in wrap(f"next: {_advice(noise.repeats_needed)}", width)]
    return lines


def _advice(repeats: int) -> str:
    if repeats > MOST_REPEATS:
        return (
            "whole runs lie too far apart for this margin, and repeats cannot mend it: find out what differs "
            "from run to run, or agree on a wider margin; noisy: true keeps single runs from proving anything"
        )
    return (
        f"write repeats: {repeats} into the header and then the baseline anew, so that the verdict knows of "
        "the noise; noisy: true keeps single runs from proving anything"
    )
