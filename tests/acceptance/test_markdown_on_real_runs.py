"""XQuAD from BM25 to a fusion with dense vectors: what a reader learns from the Markdown report alone."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest

from pytest_retrieval.golden.qrels import read_qrels
from pytest_retrieval.retrieval.runs import read_run

XQUAD = Path(__file__).resolve().parents[2] / "../shared/data/xquad"


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> str:
    if not XQUAD.exists():
        pytest.skip("needs data/xquad next to the repository")
    folder = tmp_path_factory.mktemp("xquad")
    (folder / "golden.jsonl").write_bytes((XQUAD / "golden.jsonl").read_bytes())
    (folder / "pytest.ini").write_text("[pytest]\n", "utf-8")
    runs = (XQUAD / "runs").resolve()
    for system, flags, code in (
        ("bm25", ["--update-baseline"], 0),
        ("rrf", ["--retrieval-baseline", "--retrieval-report=report.md"], 1),
    ):
        retriever = f"--retrieval-retriever=run:{runs / system}.run"
        command = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "golden.jsonl", retriever, *flags]
        done = subprocess.run(
            [sys.executable, *command], cwd=folder, capture_output=True, encoding="utf-8", check=False
        )
        assert done.returncode == code, done.stdout[-2_000:]
    return (folder / "report.md").read_text("utf-8").replace("<code>", "").replace("</code>", "")


def recall_at_5(system: str) -> dict[str, float]:
    """Mean recall@5 of each language, counted by hand; every question has its paragraph."""
    qrels, run = read_qrels(XQUAD / "qrels.txt"), read_run(XQUAD / f"runs/{system}.run")
    found: dict[str, list[float]] = defaultdict(list)
    for query, labels in qrels.items():
        relevant = {document for document, grade in labels.items() if grade > 0}
        found[query.partition("-")[0]].append(len(relevant & set(run[query][:5])) / len(relevant))
    return {language: sum(scores) / len(scores) for language, scores in found.items()}


def test_which_languages_broke_which_improved_and_by_how_much(report: str) -> None:
    assert report.splitlines()[1] == "## ❌ Search got worse"
    before, after = recall_at_5("bm25"), recall_at_5("rrf")
    told = {
        (word, language): (float(old), float(new))
        for word, language, old, new in re.findall(
            r"^- (Got worse|Improved): \*\*(\w\w)\*\*: recall@5 \w+ [\d.]+ \(([\d.]+) -> ([\d.]+)\)",
            report,
            re.MULTILINE,
        )
    }
    assert {language for word, language in told if word == "Improved"} == {"zh"}
    assert {language for word, language in told if word == "Got worse"} == {"ar", "hi", "ru", "th"}
    for (_, language), numbers in told.items():
        assert numbers == pytest.approx((before[language], after[language]), abs=0.0006)


def test_what_to_run_next(report: str) -> None:
    commands = re.findall(r"```sh\n\s+(.*)\n\s+```", report)
    assert commands == ['pytest --update-baseline golden.jsonl --retrieval-update-anchor="reason"']
