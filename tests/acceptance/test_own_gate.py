"""The project's own gate: its baseline can move both ways, and a broken tokenizer turns it red."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("rank_bm25", reason="the project's own golden set asks the built-in bm25")

ROOT = Path(__file__).resolve().parents[2]

# Words with a hyphen or underscore are dropped, as a careless cleaning of the text would do.
CARELESS = """
from pytest_retrieval.retrieval.adapters import bm25

whole = bm25.tokens
bm25.tokens = lambda text: whole(" ".join(w for w in text.split() if "-" not in w and "_" not in w))
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The golden set with its pages and its baseline, in a folder of its own."""
    (tmp_path / "docs").mkdir()
    for page in (ROOT / "docs").glob("*.md"):
        shutil.copy(page, tmp_path / "docs")
    shutil.copy(ROOT / "golden_docs.yaml", tmp_path)
    (tmp_path / "baselines").mkdir()
    shutil.copy(ROOT / "baselines" / "golden_docs.json", tmp_path / "baselines")
    (tmp_path / "pytest.ini").write_text("[pytest]\n", "utf-8")
    (tmp_path / "careless.py").write_text(CARELESS, "utf-8")
    return tmp_path


def _gate(project: Path, *options: str) -> tuple[int, str, dict[str, Any]]:
    kept = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST_")}
    gate = ["golden_docs.yaml", "--retrieval-baseline", "--retrieval-report=report.json"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "pytest_retrieval.plugin", *options, *gate],
        cwd=project,
        env={**kept, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONUTF8": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    return done.returncode, done.stdout, json.loads((project / "report.json").read_text("utf-8"))


def test_each_gated_kind_has_room_to_move_both_ways(project: Path) -> None:
    code, output, report = _gate(project)
    assert (code, report["status"]) == (0, "pass"), output
    kinds = [row for row in report["sets"][0]["means"] if "kind" in row["slice"]]
    assert len(kinds) == 3
    for row in kinds:
        for metric in report["sets"][0]["gate_metrics"]:
            assert 0.3 <= row["metrics"][metric] <= 0.95, (row["slice"], metric)


def test_a_tokenizer_that_drops_words_with_hyphen_or_underscore_is_a_regression_of_identifier(
    project: Path,
) -> None:
    code, output, report = _gate(project, "-p", "careless")
    assert (code, report["status"]) == (1, "regression"), output
    assert "FAILED golden_docs.yaml::identifier" in output
    red = {
        gate["slice"].get("kind") for gate in report["sets"][0]["gates"] if gate["verdict"] == "regression"
    }
    assert "identifier" in red
