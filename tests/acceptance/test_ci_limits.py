"""Six thousand queries that all regress, with long foreign texts: the limits of build servers hold."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

CASE = Path(__file__).resolve().parents[2] / "../shared/cases/ci_limits"
TAKEN = 900_000
MEBIBYTE = 2**20


def run(folder: Path, *args: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:randomly", "golden.jsonl", *args]
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GITHUB_")}
    return subprocess.run(
        [sys.executable, *command, "--retrieval-retriever=retriever:retrieve"],
        cwd=folder,
        env={
            **kept,
            "PYTHONPATH": os.pathsep.join([str(folder), *sys.path]),
            "PYTHONUTF8": "1",
            **environment,
        },
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if not CASE.exists():
        pytest.skip("needs cases/ci_limits next to the repository")
    folder = tmp_path_factory.mktemp("ci_limits")
    shutil.copytree(CASE, folder, dirs_exist_ok=True)
    (folder / "pytest.ini").write_text("[pytest]\n", "utf-8")
    subprocess.run([sys.executable, "make_inputs.py"], cwd=folder, check=True)
    done = run(folder, "--update-baseline", RUN="run_before.json")
    assert done.returncode == 0, done.stdout[-2_000:]
    return folder


def test_the_limits_hold_and_no_text_becomes_a_command(case: Path) -> None:
    summary = case / "summary.md"
    summary.write_bytes(b"x" * (TAKEN - 1) + b"\n")
    done = run(
        case,
        "--retrieval-baseline",
        "--retrieval-report=report.md",
        "--retrieval-report=report.json",
        RUN="run_after.json",
        GITHUB_ACTIONS="true",
        GITHUB_STEP_SUMMARY=str(summary),
    )
    assert done.returncode == 1, done.stdout[-2_000:]
    assert json.loads((case / "report.json").read_text("utf-8"))["status"] == "regression"
    written = summary.read_bytes()
    assert TAKEN < len(written) <= MEBIBYTE
    assert "## ❌ Search got worse" in written.decode("utf-8")
    report = (case / "report.md").read_text("utf-8")
    assert len(report) <= 65_536
    assert "5950 more queries" in report
    lines = [line for line in done.stdout.splitlines() if line.lstrip().startswith("::")]
    assert 1 <= len(lines) <= 10
    assert all(
        line.startswith(("::error file=golden.jsonl,", "::warning file=golden.jsonl,")) for line in lines
    )
    assert "##[" not in done.stdout


@pytest.mark.parametrize(("name", "code"), [("run_after.json", 1), ("run_before.json", 0)])
def test_a_summary_that_cannot_be_written_changes_no_exit_code(case: Path, name: str, code: int) -> None:
    done = run(
        case, "--retrieval-baseline", RUN=name, GITHUB_STEP_SUMMARY=str(case / "nowhere" / "summary.md")
    )
    assert done.returncode == code, done.stdout[-2_000:]
    assert "the step summary was not written" in done.stdout
