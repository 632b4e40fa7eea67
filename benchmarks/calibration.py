"""Are the promises about the verdict kept? Measured on builds whose truth is known.

    python benchmarks/calibration.py --quick            # under a minute of CPU, for CI
    python benchmarks/calibration.py --markdown FILE    # everything, about a quarter of an hour

Synthetic populations of differences, and the real scores of 33 systems where they lie beside the
repository, go through the package's own functions, and through the rules one might use instead.
Exits 1 when a limit is missed. In quick mode rates may miss their limit by three standard errors
of the small simulation; the allowance is printed beside the limit.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

# One thread: CPU seconds then mean something, and other work on the machine goes on.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from calibrating import exactness, families, repeated, single, speed
from calibrating.populations import SCORES, real_scores
from calibrating.report import Effort, Section

SEED = 20_240_501


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="small simulations with a stated allowance")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="write the tables as a page, too")
    parser.add_argument("--only", metavar="WORD", default="", help="only sections whose title has this word")
    options = parser.parse_args()
    sections = run(Effort(options.quick), options.only)
    missed = [check for section in sections for check in section.checks if not check.kept]
    if options.markdown:
        options.markdown.write_text(page(sections, options.quick), "utf-8")
    print(f"\n{len(missed)} of {sum(len(section.checks) for section in sections)} limits missed")
    for check in missed:
        print("  " + "  ".join(check.cells()))
    return int(bool(missed))


def run(effort: Effort, only: str) -> list[Section]:
    """Every section in turn, each with a stream of its own, so that one can be run by itself."""
    real = real_scores()
    if real is None:
        print(
            f"without real scores: {SCORES.name} is not beside the repository; sections 4 and 5b are left out"
        )
    parts: dict[str, Callable[[Effort, np.random.Generator], Section]] = {
        "exactness": exactness.exactness,
        "sameness": lambda effort, chance: exactness.sameness(effort, chance, real),
        "alarms": single.false_alarms,
        "margin": single.within_the_margin,
        "power": single.single_power,
        "drops": single.smallest_drops,
        "kinds": families.twenty_kinds,
        "fortunes": families.swapped_fortunes,
        "noise": lambda effort, chance: repeated.noise(effort, chance, real),
        "drift": repeated.drift,
        "speed": speed.speed,
    }
    if real is not None:
        parts["boundaries"] = lambda effort, chance: single.real_boundaries(effort, chance, real)
        parts["families"] = lambda effort, chance: families.real_families(effort, chance, real)
    sections = []
    for place, (name, part) in enumerate(parts.items()):
        if only not in name:
            continue
        started = time.process_time()
        section = part(effort, np.random.default_rng([SEED, place]))
        sections.append(section)
        print(f"\n{section.title} ({time.process_time() - started:.1f} s CPU)")
        for table in section.all_tables():
            print("\n".join(table.text()))
    return sections


_INTRODUCTION = (
    "Does the verdict keep its promises? Here it judges builds whose truth is known: simulated ones, and "
    "real scores of 33 variants of a search engine over the Cranfield collection, drawn again and again so "
    "that the true drop is exactly the one that is wanted. Beside it stand the rules that one might use "
    "instead.",
    "",
    "How to read it: a *false alarm* is a red build although nothing got worse by more than the margin, and "
    "should happen in at most 5 % of the builds; *power* is the share of builds that turn red when something "
    "did. A rule that raises false alarms is not better for catching more. Each promise stands with its "
    "limit and what was measured.",
)


def page(sections: list[Section], quick: bool) -> str:
    """The tables as a page of the documentation."""
    command = f"python benchmarks/calibration.py{' --quick' if quick else ''} --markdown docs/calibration.md"
    lines = ["# Calibration", "", *_INTRODUCTION, "", f"Measured by `{command}`, with fixed seeds.", ""]
    for section in sections:
        lines += [f"## {section.title}", ""]
        for table in section.all_tables():
            lines += [*table.markdown(), ""]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
