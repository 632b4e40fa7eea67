"""The whole plugin over a small project, in processes of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

PLAIN = ("-p", "no:cacheprovider", "-p", "no:randomly")


def timeless_report(folder: Path, workers: str) -> dict[str, Any]:
    """The report of a passing run in ``folder`` by so many workers, without its times."""
    path = folder / f"report{workers}.json"
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-n", workers, *PLAIN, f"--retrieval-report={path}"],
        cwd=folder,
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    report: dict[str, Any] = json.loads(path.read_text("utf-8"))
    for one in report["sets"]:
        del one["latency"]
        for query in one["queries"]:
            del query["seconds"]
    return report
