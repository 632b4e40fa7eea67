"""What one query's item tells the controller; it travels as one JSON string on the item's report."""

from __future__ import annotations

import json
from typing import NamedTuple

import pytest

ATTRIBUTE = "_retrieval_outcome"


# A tuple and no dataclass: quicker to define in every session and to write for every query.
class Outcome(NamedTuple):
    """The result of asking one query; ``outcome`` is ``scored``, ``error`` or ``not run``."""

    outcome: str
    ranked: tuple[str, ...] = ()
    error: str | None = None
    must_failed: tuple[str, ...] = ()


def attach(report: pytest.TestReport, outcome: Outcome) -> None:
    """Put an outcome on a report; pytest and xdist carry unknown attributes along."""
    setattr(report, ATTRIBUTE, json.dumps(outcome))


def detach(report: pytest.TestReport) -> Outcome | None:
    """The outcome on a report, None where it carries none."""
    data = getattr(report, ATTRIBUTE, None)
    if data is None:
        return None
    outcome, ranked, error, must_failed = json.loads(data)
    return Outcome(outcome, tuple(ranked), error, tuple(must_failed))


def tolerate(report: pytest.TestReport, number: int, most: int) -> None:
    """Let a failed query count as an expected failure: shown, and no reason for a red build."""
    report.outcome = "skipped"
    report.wasxfail = f"failed query {number} of {most} that retrieval_max_errors lets pass"
