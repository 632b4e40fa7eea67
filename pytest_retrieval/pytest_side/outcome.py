"""What one query's item tells the controller; it travels as one JSON string on the item's report."""

from __future__ import annotations

import json
from typing import NamedTuple

import pytest

ATTRIBUTE = "_retrieval_outcome"


# A tuple and no dataclass: quicker to define in every session and to write for every query.
class Outcome(NamedTuple):
    """The result of asking one query; ``outcome`` is ``scored``, ``error`` or ``not run``.

    ``places`` are those of a :class:`~pytest_retrieval.retrieval.ranking.Ranking`; ``cited`` and
    ``top_score`` those of an :class:`~pytest_retrieval.retrieval.blocks.Answer`.
    """

    outcome: str
    ranked: tuple[str, ...] = ()
    error: str | None = None
    must_failed: tuple[str, ...] = ()
    seconds: float | None = None
    cost: float | None = None
    exact: tuple[str, ...] | None = None
    places: tuple[int, ...] = ()
    cited: tuple[str, ...] | None = None
    top_score: float | None = None


def attach(report: pytest.TestReport, outcome: Outcome) -> None:
    """Put an outcome on a report; pytest and xdist carry unknown attributes along."""
    setattr(report, ATTRIBUTE, json.dumps(outcome))


def detach(report: pytest.TestReport) -> Outcome | None:
    """The outcome on a report, None where it carries none."""
    data = getattr(report, ATTRIBUTE, None)
    if data is None:
        return None
    # JSON makes lists of tuples.
    return Outcome._make(tuple(value) if isinstance(value, list) else value for value in json.loads(data))


def tolerate(report: pytest.TestReport, number: int, most: int) -> None:
    """Let a failed query count as an expected failure: shown, and no reason for a red build."""
    report.outcome = "skipped"
    report.wasxfail = f"failed query {number} of {most} that retrieval_max_errors lets pass"
