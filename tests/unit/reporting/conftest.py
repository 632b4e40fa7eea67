"""Hand-made results: each factory takes the fields that a test is about."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pytest_retrieval.gating.verdict import Verdict
from pytest_retrieval.reporting.result import SCORED, GateRow, MeanRow, QueryResult, SetResult

GOLDEN = "golden_docs.yaml"


@pytest.fixture(scope="session")
def make_query() -> Callable[..., QueryResult]:
    def build(id_: str = "q01", **changes: Any) -> QueryResult:
        fields: dict[str, Any] = {
            "text": "PRC-112",
            "kind": "identifier",
            "line": 7,
            "fingerprint": "f00d",
            "outcome": SCORED,
            "ranked": ("D09", "D04"),
            "relevant": {"D04": 2, "D03": 1},
            "scores": {"recall@5": 0.5},
            "baseline": {"recall@5": 1.0},
        }
        return QueryResult(id=id_, **{**fields, **changes})

    return build


@pytest.fixture(scope="session")
def make_gate() -> Callable[..., GateRow]:
    def build(verdict: str, slice_: dict[str, object] | None = None, **changes: Any) -> GateRow:
        slice_ = slice_ or {}
        kind = slice_.get("kind")
        fields: dict[str, Any] = {
            "node": f"{GOLDEN}::{kind}" if kind else GOLDEN,
            "metric": "recall@5",
            "against": "baseline",
            "n": 20,
            "better": 0,
            "worse": 12,
            "equal": 8,
            "before": 0.9,
            "after": 0.4,
            "difference": -0.5,
            "interval": (-0.61, -0.38),
            "margin": 0.02,
            "p": 0.004,
            "p_adjusted": 0.02,
            "detectable_drop": 0.21,
            **changes,
        }
        node = fields.pop("node")
        return GateRow(node, Verdict(slice=slice_, verdict=verdict, **fields))

    return build


@pytest.fixture(scope="session")
def make_set(make_query: Callable[..., QueryResult]) -> Callable[..., SetResult]:
    def build(**changes: Any) -> SetResult:
        fields: dict[str, Any] = {
            "golden": GOLDEN,
            "retriever": "retriever",
            "baseline": None,
            "gated": False,
            "population": {},
            "depth": 20,
            "document_id": None,
            "describe": {},
            "metrics": ("recall@5", "mrr"),
            "gate_metrics": ("recall@5",),
            "queries": (make_query(),),
            "means": (
                MeanRow({}, 20, {"recall@5": 0.8, "mrr": 0.7}),
                MeanRow({"kind": "identifier"}, 4, {"recall@5": 0.75, "mrr": 0.5}),
            ),
        }
        return SetResult(**{**fields, **changes})

    return build
