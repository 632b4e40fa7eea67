"""GitLab's code quality report: what is wrong, at its line of the golden file."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from pytest_retrieval.golden.whole_file import write_whole
from pytest_retrieval.reporting.findings import Finding, findings
from pytest_retrieval.reporting.printable import clip, harmless
from pytest_retrieval.reporting.result import RunResult

MOST = 1_000
_LONGEST = 500


def write_code_quality(path: Path, run: RunResult) -> None:
    """Write the findings of a run in one step, 1,000 at most; raises OSError when the file system refuses."""
    entries = [_entry(finding) for finding in findings(run)[:MOST]]
    write_whole(path, json.dumps(entries, indent=1) + "\n")


def _entry(finding: Finding) -> dict[str, object]:
    name = "\0".join((finding.check, finding.path, finding.subject))
    return {
        "description": clip(harmless(f"{finding.title}: {finding.message}"), _LONGEST),
        "check_name": finding.check,
        # the same finding of the next run is no new one, whatever its numbers
        "fingerprint": hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:32],
        "severity": "major" if finding.grave else "minor",
        "location": {"path": finding.path, "lines": {"begin": finding.line}},
    }
