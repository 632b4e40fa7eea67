"""Annotations for GitHub Actions: workflow commands that no text can add to."""

from __future__ import annotations

from pytest_retrieval.reporting.findings import Finding, findings
from pytest_retrieval.reporting.printable import clip, harmless
from pytest_retrieval.reporting.result import RunResult

MOST = 10
"""GitHub shows so many errors of one step."""

_GATES_AT_MOST = 6  # so that some queries are shown, too
_LONGEST = 500


def annotation_lines(run: RunResult) -> list[str]:
    """Up to ten lines for the runner, one a finding, at the golden file's line."""
    found = findings(run)
    gates = [one for one in found if one.check == "retrieval-gate"]
    queries = [one for one in found if one.check != "retrieval-gate"]
    kept = min(len(gates), max(_GATES_AT_MOST, MOST - len(queries)))
    chosen = [*gates[:kept], *queries][:MOST]
    return [_command(one) for one in chosen]


def _command(finding: Finding) -> str:
    level = "error" if finding.grave else "warning"
    place = f"file={_property(finding.path)},line={finding.line},title={_property(finding.title)}"
    return f"::{level} {place}::{_data(clip(harmless(finding.message), _LONGEST))}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(clip(harmless(text), _LONGEST)).replace(":", "%3A").replace(",", "%2C")
