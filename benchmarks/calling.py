"""What asking several queries at a time is worth: 1,000 queries against a retriever that takes 5 ms.

Run with ``python benchmarks/calling.py``; exits 1 when a limit is missed. Each run is one process.
The time of asking is the time in which at least one call is under way, as the retriever itself
notes it: the start of Python and pytest's own work per item, the same in both runs, stay out. With
sixteen threads it is at least ten times less. The reports must be equal but for their times, and a
retriever with ``search_batch`` gets one call per block.
"""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pytest_retrieval.retrieval.manner import TOGETHER

QUERIES, SECONDS, THREADS = 1_000, 0.005, 16
RUNS = 3
FACTOR = 10.0

CONFTEST = f"""\
import json
import os
import time
from pathlib import Path

import pytest

CALLS = []


def answer(text):
    return [f"d{{int(text.split()[1]) % 20}}", "d0"]


def search(text, k):
    started = time.perf_counter()
    time.sleep({SECONDS})
    CALLS.append((started, time.perf_counter()))
    return answer(text)


class Batch:
    def search_batch(self, texts, k):
        CALLS.append(len(texts))
        return [answer(text) for text in texts]


@pytest.fixture(scope="session")
def retriever():
    yield Batch() if "BATCH" in os.environ else search
    Path("calls.json").write_text(json.dumps(CALLS))
"""


def make_project(folder: Path) -> None:
    (folder / "pytest.ini").write_text("[pytest]\n", "utf-8")
    (folder / "conftest.py").write_text(CONFTEST, "utf-8")
    lines = (
        {"id": f"q{i:05}", "kind": f"kind{i % 10}", "text": f"text {i}", "relevant": {f"d{i % 7}": 1}}
        for i in range(QUERIES)
    )
    (folder / "golden.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")


@dataclass(frozen=True)
class Run:
    """One run: its wall time in seconds, what the retriever noted of its calls, its report without times."""

    seconds: float
    calls: list[Any]
    report: str

    @property
    def asking(self) -> float:
        """How long at least one call was under way, in seconds."""
        total, reached = 0.0, 0.0
        for start, end in sorted(self.calls):
            total += max(0.0, end - max(start, reached))
            reached = max(reached, end)
        return total


def run(folder: Path, *arguments: str, **environment: str) -> Run:
    command = [sys.executable, "-m", "pytest", "-p", "pytest_retrieval.plugin", "-q", *arguments]
    started = time.perf_counter()
    done = subprocess.run(
        [*command, "--retrieval-report=report.json"],
        cwd=folder,
        env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", **environment},
        stdout=subprocess.DEVNULL,
    )
    spent = time.perf_counter() - started
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} in {folder}: exit {done.returncode}")
    report = json.loads((folder / "report.json").read_text("utf-8"))
    for one in report["sets"]:
        del one["latency"]
        for query in one["queries"]:
            del query["seconds"]
    return Run(spent, json.loads((folder / "calls.json").read_text("utf-8")), json.dumps(report))


def main() -> int:
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        make_project(folder)
        alone = run(folder)
        # The least of several: the other work of a machine only ever adds time.
        threads = min((run(folder, f"--retrieval-concurrency={THREADS}") for _ in range(RUNS)), key=_asking)
        batch = run(folder, BATCH="yes")
    factor = alone.asking / threads.asking
    print(f"{factor:.1f} times faster with {THREADS} threads than one by one (at least {FACTOR:g})")
    print(f"  asking {QUERIES} queries: {alone.asking:.2f} s one by one, {threads.asking:.2f} s with threads")
    print(f"  whole runs: {alone.seconds:.2f} s and {threads.seconds:.2f} s")
    print(f"{len(batch.calls)} calls of search_batch for {QUERIES} queries, {max(batch.calls)} texts each")
    same = alone.report == threads.report == batch.report
    print(f"the reports are {'the same' if same else 'NOT the same'}")
    return int(factor < FACTOR or not same or len(batch.calls) != math.ceil(QUERIES / TOGETHER))


def _asking(run: Run) -> float:
    return run.asking


if __name__ == "__main__":
    sys.exit(main())
