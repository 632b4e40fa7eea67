"""Golden sets of which an accidental selection (-k, -m, --lf, --deselect) left nothing."""

from __future__ import annotations

from collections.abc import Collection, Iterator

import pytest

from pytest_retrieval.pytest_side.discovery import is_below_arguments, plans_of
from pytest_retrieval.reporting.advice import quoted
from pytest_retrieval.reporting.line import Line, styled
from pytest_retrieval.reporting.printable import harmless


def whole_files(names: Collection[str], config: pytest.Config) -> Iterator[str]:
    """The nodes of the golden sets in files of which no item was left.

    A file whose queries all fall outside the declared population was not left out. ``--lf`` does not
    even read the files without a failure, so that mistakes in them first show here.
    """
    for name in sorted(names):
        if not is_below_arguments(config.rootpath / name, config):
            continue
        try:
            yield from (plan.node for plan in plans_of(name, config) if plan.queries)
        except pytest.UsageError:
            yield name


def left_out_lines(nodes: Collection[str], *, gated: bool) -> Iterator[Line]:
    """A line for each, with the command that asks it."""
    flag = " --retrieval-baseline" if gated else ""
    for node in nodes:
        yield styled(
            f"{harmless(node)}: not asked and not judged, the selection left out all of it; "
            f"run: pytest {quoted(node)}{flag}",
            "yellow",
        )
