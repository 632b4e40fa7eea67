"""Reports made by hand, as JSON data, and written as pages."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pytest_retrieval.reporting.html_report import html_page


def query(id_: str, kind: str, before: float | None, after: float | None, **more: Any) -> dict[str, Any]:
    """A query with the one relevant document ``D1``; scores are those of recall@1."""
    scored = after is not None
    fields = {
        "id": id_,
        "text": f"text of {id_}",
        "kind": kind,
        "line": 3,
        "fingerprint": "f00d",
        "outcome": "scored" if scored else "error",
        "error": None if scored else "TimeoutError: 5 s",
        "relevant": {"D1": 1},
        "ranked": (["D1", "D2"] if after else ["D2", "D1"]) if scored else [],
        "repeats": [],
        "baseline_ranked": None if before is None else ["D1", "D2"] if before else ["D2", "D1"],
        "scores": {"recall@1": after, "mrr": (1 + after) / 2} if after is not None else None,
        "baseline": {"recall@1": before, "mrr": (1 + before) / 2} if before is not None else None,
        "must_failed": [],
        "missing": [],
        "unjudged": ["D2"] if scored else [],
    }
    return {**fields, **more}


def gate(kind: str | None, verdict: str, difference: float, **more: Any) -> dict[str, Any]:
    fields = {
        "node": "golden.yaml",
        "slice": {"kind": kind} if kind else {},
        "metric": "recall@1",
        "against": "baseline",
        "n": 10,
        "better": 0,
        "worse": 5,
        "equal": 5,
        "before": 0.9,
        "after": 0.9 + difference,
        "difference": difference,
        "interval": [difference - 0.1, difference + 0.1],
        "margin": 0.02,
        "floor": None,
        "p": 0.004,
        "p_adjusted": 0.02,
        "detectable_drop": 0.21,
        "verdict": verdict,
        "reason": "",
    }
    return {**fields, **more}


def golden_set(queries: list[dict[str, Any]], gates: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    fields = {
        "golden": "golden.yaml",
        "retriever": "retriever",
        "baseline": "baselines/golden.json",
        "gated": bool(gates),
        "population": {},
        "depth": 2,
        "document_id": None,
        "describe": {},
        "metrics": ["recall@1", "mrr"],
        "gate_metrics": ["recall@1"],
        "means": [{"slice": {}, "n": len(queries), "metrics": {"recall@1": 0.5, "mrr": 0.75}}],
        "gates": gates,
        "queries": queries,
    }
    return {**fields, **more}


def report(*sets: dict[str, Any], status: str = "regression") -> dict[str, Any]:
    return {"format": "pytest-retrieval-report/1", "status": status, "complete": True, "sets": list(sets)}


def example() -> dict[str, Any]:
    """Ten words, of which four fell; five phrases, of which one rose; an error and a new query."""
    words = [query(f"w{n}", "word", 1.0, 0.0 if n < 4 else 1.0) for n in range(10)]
    phrases = [query(f"p{n}", "phrase", 0.0, 1.0 if n == 0 else 0.0) for n in range(5)]
    others = [query("e0", "phrase", 1.0, None), query("n0", "phrase", None, 1.0)]
    gates = [
        gate(None, "suspected", -0.2),
        gate("word", "regression", -0.4),
        gate("phrase", "improved", 0.2),
        gate("word", "pass", -0.01, metric="mrr"),
        gate("word", "pass", -0.02, metric="mrr", against="anchor"),
    ]
    return report(golden_set([*words, *phrases, *others], gates))


def written(folder: Path, data: dict[str, Any]) -> str:
    """The address of the page of a report."""
    path = folder / "report.html"
    path.write_text(html_page(data), "utf-8", newline="\n")
    return path.as_uri()
