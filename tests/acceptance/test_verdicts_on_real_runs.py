"""Verdicts on rankings of real retrievers, read in place from the data beside the repository."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from pytest_retrieval.gating.judging import judge
from pytest_retrieval.gating.pairing import Paired
from pytest_retrieval.gating.policy import Policy
from pytest_retrieval.gating.verdict import IMPROVED, REGRESSION, TOO_FEW, Verdict
from pytest_retrieval.golden.model import Query

DATA = Path(__file__).resolve().parents[2] / "../shared/data"


def _folder(name: str) -> Path:
    if not (DATA / name).is_dir():
        pytest.skip(f"the data set {name} is not beside this repository")
    return DATA / name


def _json_lines(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


def _queries(folder: Path) -> tuple[Query, ...]:
    rows = _json_lines(folder / "golden.jsonl")
    return tuple(Query(row["id"], row["text"], row["relevant"], row["kind"]) for row in rows)


def _judge(queries: tuple[Query, ...], metric: str, before: dict, after: dict) -> dict[object, Verdict]:
    verdicts = judge(Paired(queries, {metric: before}, {metric: after}), Policy((metric,), {metric: 0.02}))
    return {tuple(v.slice.get("kinds", ())) or v.slice.get("kind", "all"): v for v in verdicts}


def _ndcg_at_3(ranked: list[str], relevant: dict[str, int]) -> float:
    def dcg(grades: list[int]) -> float:
        return sum(grade / math.log2(rank + 2) for rank, grade in enumerate(grades[:3]))

    ideal = dcg(sorted(relevant.values(), reverse=True))
    return dcg([relevant.get(document, 0) for document in ranked]) / ideal


def test_a_kind_that_collapsed_behind_a_rising_mean_is_caught_through_the_small_kinds_together():
    folder = _folder("sap_notes")
    queries = _queries(folder)
    scores = {}
    for name in ("bm25", "vector"):
        ranked = {row["id"]: row["ranked"] for row in _json_lines(folder / f"run.{name}.jsonl")}
        scores[name] = {query.id: _ndcg_at_3(ranked[query.id], query.relevant) for query in queries}
    verdicts = _judge(queries, "ndcg@3", scores["bm25"], scores["vector"])

    published = json.loads((folder / "expected.json").read_text("utf-8"))["metrics_by_method_k3"]
    assert verdicts["all"].before == pytest.approx(published["bm25"]["nDCG@3"], abs=1e-6)
    assert verdicts["all"].after == pytest.approx(published["vector"]["nDCG@3"], abs=1e-6)
    assert verdicts["all"].difference > 0.05
    assert verdicts["all"].verdict != REGRESSION
    assert [verdicts[kind].verdict for kind in ("identifier", "mixed")] == [TOO_FEW, TOO_FEW]
    assert (verdicts["identifier"].n, verdicts["mixed"].n) == (4, 6)
    assert verdicts["paraphrase"].verdict == IMPROVED
    together = verdicts[("identifier", "mixed")]
    assert together.verdict == REGRESSION
    assert together.n == 10
    assert together.interval[1] < -0.02


def test_the_fusion_on_xquad_loses_six_languages_and_wins_chinese():
    folder = _folder("xquad")
    queries = _queries(folder)
    scores = {}
    for name in ("bm25", "rrf"):
        rows = (
            line.split() for line in (folder / f"runs/{name}.trec_eval.txt").read_text("utf-8").splitlines()
        )
        scores[name] = {row[1]: float(row[2]) for row in rows if row[0] == "ndcg_cut_10"}
    verdicts = _judge(queries, "ndcg@10", scores["bm25"], scores["rrf"])

    kinds = {kind: verdict for kind, verdict in verdicts.items() if kind != "all"}
    assert all(verdict.n == 149 for verdict in kinds.values())
    assert {kind for kind, verdict in kinds.items() if verdict.verdict == REGRESSION} == {
        "ar",
        "de",
        "es",
        "hi",
        "ru",
        "th",
    }
    assert {kind for kind, verdict in kinds.items() if verdict.verdict == IMPROVED} == {"zh"}
    assert all(verdict.interval[1] < -0.02 for verdict in kinds.values() if verdict.verdict == REGRESSION)
    assert kinds["zh"].interval[0] > 0.02
