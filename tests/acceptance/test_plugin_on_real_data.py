"""The whole plugin on real collections: golden set in, verdict out."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"


def _needs(folder: str) -> Path:
    path = DATA / folder
    if not path.is_dir():
        pytest.skip(f"the collection {folder} does not lie beside this checkout")
    return path


def _golden(pytester: pytest.Pytester, source: Path, header: dict[str, Any]) -> None:
    rows = source.read_text("utf-8")
    (pytester.path / "golden.jsonl").write_text(f"{json.dumps(header)}\n{rows}", "utf-8")
    pytester.makeini("[pytest]\n")


def _run(pytester: pytest.Pytester, *arguments: str) -> tuple[pytest.RunResult, dict[str, Any]]:
    result = pytester.runpytest_subprocess(
        "-p", "no:randomly", "-q", "--retrieval-report=report.json", *arguments
    )
    return result, json.loads((pytester.path / "report.json").read_text("utf-8"))


def _verdicts(report: dict[str, Any]) -> dict[str, str]:
    """The gated slices' verdicts, under the kinds' names."""
    named = {}
    for gate in report["sets"][0]["gates"]:
        label = gate["slice"].get("kind") or "+".join(gate["slice"].get("kinds", ["all"]))
        named[label] = gate["verdict"]
    return named


def test_a_vector_search_that_loses_identifiers_is_red_through_the_small_kinds_together(
    pytester: pytest.Pytester,
) -> None:
    notes = _needs("sap_notes")
    header = {
        "retriever": f"run:{notes}/run.bm25.jsonl",
        "metrics": ["ndcg@3"],
        "gate": {"metrics": ["ndcg@3"]},
    }
    _golden(pytester, notes / "golden.jsonl", header)
    updated, report = _run(pytester, "--update-baseline")
    assert updated.ret == 0
    means = {
        str(row["slice"].get("kind", "all")): row["metrics"]["ndcg@3"] for row in report["sets"][0]["means"]
    }
    expected = json.loads((notes / "expected.json").read_text("utf-8"))
    assert means["all"] == pytest.approx(expected["metrics_by_method_k3"]["bm25"]["nDCG@3"], abs=1e-6)
    for kind, mean in expected["ndcg3_by_kind"]["bm25"].items():
        assert means[kind] == pytest.approx(mean, abs=1e-6)

    red, report = _run(
        pytester, "--retrieval-baseline", f"--retrieval-retriever=run:{notes}/run.vector.jsonl"
    )
    assert red.ret == 1
    assert report["status"] == "regression"
    assert _verdicts(report) == {
        "all": "pass",
        "identifier": "too few queries",
        "mixed": "too few queries",
        "paraphrase": "improved",
        "identifier+mixed": "regression",
    }
    red.stdout.fnmatch_lines(["FAILED golden.jsonl - identifier + mixed*"])


def test_fusion_with_an_english_model_breaks_six_languages_and_helps_one(pytester: pytest.Pytester) -> None:
    xquad = _needs("xquad")
    gate = {"metrics": ["ndcg@10"], "margin": 0.02}
    header = {"retriever": f"run:{xquad}/runs/bm25.run", "metrics": ["ndcg@10"], "gate": gate}
    _golden(pytester, xquad / "golden.jsonl", header)
    assert _run(pytester, "--update-baseline")[0].ret == 0

    red, report = _run(pytester, "--retrieval-baseline", f"--retrieval-retriever=run:{xquad}/runs/rrf.run")
    verdicts = _verdicts(report)
    assert red.ret == 1
    assert {kind for kind, word in verdicts.items() if word == "regression"} == {
        *("all", "ar", "de", "es", "hi", "ru", "th"),
    }
    assert verdicts["zh"] == "improved"

    same, report = _run(pytester, "--retrieval-baseline")
    assert same.ret == 0
    assert report["status"] == "pass"
    assert set(_verdicts(report).values()) == {"unchanged"}


def test_built_in_bm25_on_cranfield_has_the_known_scores(pytester: pytest.Pytester) -> None:
    pytest.importorskip("rank_bm25", reason="rank-bm25 is not installed")
    cranfield = _needs("cranfield")
    corpus = Path(os.path.relpath(cranfield / "corpus.jsonl", pytester.path)).as_posix()
    header = {
        "retriever": "bm25",
        "depth": 100,
        "documents": [corpus],
        "metrics": ["ndcg@10", "mrr", "recall@10"],
    }
    _golden(pytester, cranfield / "golden.jsonl", header)
    result, report = _run(pytester)
    assert result.ret == 0
    means = report["sets"][0]["means"][0]["metrics"]
    assert means["ndcg@10"] == pytest.approx(0.32414, abs=5e-6)
    assert means["mrr"] == pytest.approx(0.49364, abs=5e-6)
    assert means["recall@10"] == pytest.approx(0.35549, abs=5e-6)
