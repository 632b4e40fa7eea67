"""What the plugin costs per query: 10,000 queries in one process, asked of a retriever that does nothing.

Run with ``python benchmarks/items.py``; exits 1 when the limit is missed. The cost of one query is
the CPU time of a run with 10,000 queries less that of a run with 100, over the 9,900 between them:
the start of Python and pytest drops out, pytest's own work per item does not. What that is alone
is measured as well, on items that do nothing, since no plugin can be cheaper.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

MANY, FEW = 10_000, 100
KINDS, HITS = 10, 10
RUNS = 3
MILLISECONDS_PER_QUERY = 0.5

CONFTEST = f"""\
import pytest

HITS = [f"d{{i}}" for i in range({HITS})]


@pytest.fixture(scope="session")
def retriever():
    return lambda text, k: HITS
"""

# The same number of items without us.
IDLE_CONFTEST = """\
import pytest


class IdleItem(pytest.Item):
    def runtest(self):
        pass


class IdleFile(pytest.File):
    def collect(self):
        for number in range({queries}):
            yield IdleItem.from_parent(self, name=f"q{{number:05}}")


def pytest_collect_file(file_path, parent):
    return IdleFile.from_parent(parent, path=file_path) if file_path.suffix == ".idle" else None
"""


def make_idle_project(folder: Path, queries: int) -> Path:
    folder.mkdir()
    (folder / "pytest.ini").write_text("[pytest]\n", "utf-8")
    (folder / "conftest.py").write_text(IDLE_CONFTEST.format(queries=queries), "utf-8")
    (folder / "items.idle").write_text("", "utf-8")
    return folder


def make_project(folder: Path, queries: int) -> Path:
    folder.mkdir()
    (folder / "pytest.ini").write_text("[pytest]\nretrieval_baseline = off\n", "utf-8")
    (folder / "conftest.py").write_text(CONFTEST, "utf-8")
    lines = (
        {"id": f"q{i:05}", "kind": f"kind{i % KINDS}", "text": f"text {i}", "relevant": {f"d{i % 20}": 1}}
        for i in range(queries)
    )
    (folder / "golden.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    return folder


def cpu_seconds(folder: Path, *arguments: str) -> float:
    """The user and system time of one pytest run and all its children, in seconds."""
    environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    command = [sys.executable, "-m", "pytest", "-p", "pytest_retrieval.plugin", "-q", *arguments]
    process = subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} in {folder}: exit {process.returncode}")
    return usage.ru_utime + usage.ru_stime


def milliseconds_per_query(many: Path, few: Path, *arguments: str) -> float:
    """The least of several measurements: the other work of a machine only ever adds time."""
    least_many = min(cpu_seconds(many, *arguments) for _ in range(RUNS))
    least_few = min(cpu_seconds(few, *arguments) for _ in range(RUNS))
    return 1_000 * (least_many - least_few) / (MANY - FEW)


def main() -> int:
    with tempfile.TemporaryDirectory() as scratch:
        many, few = make_project(Path(scratch, "many"), MANY), make_project(Path(scratch, "few"), FEW)
        idle_many = make_idle_project(Path(scratch, "idle-many"), MANY)
        idle_few = make_idle_project(Path(scratch, "idle-few"), FEW)
        idle = milliseconds_per_query(idle_many, idle_few)
        collection = milliseconds_per_query(many, few, "--collect-only", "-qq")
        total = milliseconds_per_query(many, few)
    print(f"{total:.3f} ms CPU per query (at most {MILLISECONDS_PER_QUERY}), {MANY} queries in one process")
    print(f"  {collection:.3f} ms collection, {total - collection:.3f} ms run and score")
    print(f"  {idle:.3f} ms of it is pytest's own for an item that does nothing, {total - idle:.3f} ms ours")
    return int(total > MILLISECONDS_PER_QUERY)


if __name__ == "__main__":
    sys.exit(main())
