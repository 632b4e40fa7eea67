from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pytest_retrieval.gating.verdict import NOT_EVALUATED, TOO_FEW
from pytest_retrieval.reporting.json_report import report_data, write_report
from pytest_retrieval.reporting.result import ERROR, NOT_RUN, MeanRow, RunResult

Make = Callable[..., Any]

SET_FIELDS = [
    "golden",
    "retriever",
    "baseline",
    "population",
    "depth",
    "queries_total",
    "scored",
    "errors",
    "not_run",
    "added",
    "removed",
    "changed",
    "relabelled",
    "latency",
    "cost",
    "means",
    "gates",
    "queries",
]
NUMBERS = [
    "better",
    "worse",
    "equal",
    "before",
    "after",
    "difference",
    "interval",
    "margin",
    "floor",
    "p",
    "p_adjusted",
    "detectable_drop",
    "fewest_falls",
    "judged_before",
    "judged_after",
]
GATE_FIELDS = ["node", "slice", "metric", "against", "n", *NUMBERS, "verdict", "reason"]
QUERY_FIELDS = [
    "id",
    "text",
    "kind",
    "outcome",
    "error",
    "ranked",
    "scores",
    "baseline",
    "must_failed",
    "missing",
    "unjudged",
    "seconds",
    "cost",
]


def strict(text: str) -> Any:
    def refuse(name: str) -> None:
        raise AssertionError(f"{name} is no JSON")

    return json.loads(text, parse_constant=refuse)


def run_of(*sets: Any, status: str = "pass") -> RunResult:
    return RunResult(tuple(sets), status, complete=True)


def test_every_promised_field_is_there(make_set: Make, make_gate: Make) -> None:
    data = report_data(run_of(make_set(gates=(make_gate(TOO_FEW, {"kind": "identifier"}),))))
    assert list(data) == ["format", "status", "complete", "left_out", "sets"]
    assert (data["format"], data["status"], data["complete"]) == ("pytest-retrieval-report/1", "pass", True)
    (one,) = data["sets"]
    assert set(SET_FIELDS) <= set(one)
    assert {"gated", "describe", "document_id", "metrics", "gate_metrics", "notes"} <= set(one)
    assert set(one["means"][0]) == {"slice", "n", "metrics", "intervals", "hits"}
    assert list(one["gates"][0]) == GATE_FIELDS
    assert set(QUERY_FIELDS) <= set(one["queries"][0])
    assert {"line", "fingerprint", "relevant", "baseline_ranked"} <= set(one["queries"][0])


def test_the_values_are_those_of_the_result(make_set: Make, make_query: Make, make_gate: Make) -> None:
    queries = (
        make_query("q01", missing=("D03",), unjudged=("D09",)),
        make_query("q02", outcome=ERROR, error="TimeoutError: 5 s", scores=None, baseline=None, ranked=()),
        make_query("q03", outcome=NOT_RUN, scores=None),
    )
    gate = make_gate(TOO_FEW, {"kind": "identifier"}, n=4, reason="4 of at least 10")
    (one,) = report_data(
        run_of(make_set(queries=queries, gates=(gate,), population={"kind": ["identifier"]}))
    )["sets"]
    assert (one["queries_total"], one["scored"], one["errors"], one["not_run"]) == (3, 1, 1, 1)
    assert one["population"] == {"kind": ["identifier"]}
    assert one["means"][1] == {
        "slice": {"kind": "identifier"},
        "n": 4,
        "metrics": {"recall@5": 0.75, "mrr": 0.5},
        "intervals": {},
        "hits": {},
    }
    assert one["gates"][0]["node"] == "golden_docs.yaml::identifier"
    assert one["gates"][0]["interval"] == [-0.61, -0.38]
    assert one["gates"][0]["floor"] is None
    assert one["queries"][0]["scores"] == {"recall@5": 0.5}
    assert one["queries"][0]["missing"] == ["D03"]
    assert one["queries"][1]["scores"] is None
    assert one["queries"][1]["error"] == "TimeoutError: 5 s"


def test_numbers_of_a_gate_that_was_not_computed_are_null(make_set: Make, make_gate: Make) -> None:
    gate = make_gate(NOT_EVALUATED, **dict.fromkeys(NUMBERS))
    (one,) = report_data(run_of(make_set(gates=(gate,))))["sets"]
    assert {one["gates"][0][name] for name in NUMBERS} == {None}


def test_only_builtin_types_with_rounded_numbers_are_left(make_set: Make, make_query: Make) -> None:
    query = make_query(
        scores={"recall@5": np.float64(0.1) + np.float64(0.2), "mrr": -0.0, "odd": float("nan")}
    )
    means = (MeanRow({}, np.int64(3), {"recall@5": np.float64(1) / 3}),)  # type: ignore[arg-type]
    describe = {"path": Path("x"), "list": (1, None, True), 7: {"deep": {2.5}}}
    (one,) = report_data(run_of(make_set(queries=(query,), means=means, describe=describe)))["sets"]
    scores = one["queries"][0]["scores"]
    assert scores == {"recall@5": 0.3, "mrr": 0.0, "odd": None}
    assert str(scores["mrr"]) == "0.0"
    assert one["means"][0]["metrics"] == {"recall@5": 0.333333333333}
    assert type(one["means"][0]["n"]) is int
    assert type(one["means"][0]["metrics"]["recall@5"]) is float
    assert one["describe"] == {"path": "x", "list": [1, None, True], "7": {"deep": [2.5]}}


def test_the_file_is_strict_json_in_utf_8_and_says_what_report_data_says(
    tmp_path: Path, make_set: Make, make_gate: Make, make_query: Make
) -> None:
    queries = (make_query(text='凍結\n"quoted"'), make_query("q02", scores={"mrr": float("inf")}))
    run = run_of(make_set(queries=queries, gates=(make_gate(TOO_FEW),)), make_set(means=(), queries=()))
    path = tmp_path / "new" / "folders" / "report.json"
    write_report(path, run)
    raw = path.read_bytes()
    assert strict(raw.decode("utf-8")) == report_data(run)
    assert "凍結".encode() in raw
    assert b"\r" not in raw
    assert raw.endswith(b"}\n")
    assert [entry.name for entry in path.parent.iterdir()] == ["report.json"]


def test_the_same_run_gives_the_same_bytes(tmp_path: Path, make_set: Make) -> None:
    for name in ("a.json", "b.json"):
        write_report(tmp_path / name, run_of(make_set()))
    assert (tmp_path / "a.json").read_bytes() == (tmp_path / "b.json").read_bytes()


def test_a_run_without_sets_can_be_written_at_the_start(tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    path.write_text("an old pass")
    write_report(path, RunResult((), "incomplete", complete=False))
    assert strict(path.read_text()) == {
        "format": "pytest-retrieval-report/1",
        "status": "incomplete",
        "complete": False,
        "left_out": [],
        "sets": [],
    }


def test_lone_surrogates_are_written_as_escapes_that_stay_apart(
    tmp_path: Path, make_set: Make, make_query: Make
) -> None:
    query = make_query("id \ud800", ranked=("\ud800", "\udfff"), relevant={"\ud800": 1})
    write_report(tmp_path / "report.json", run_of(make_set(queries=(query,))))
    (row,) = strict((tmp_path / "report.json").read_text(encoding="utf-8"))["sets"][0]["queries"]
    assert row["id"] == "id \\ud800"
    assert row["ranked"] == ["\\ud800", "\\udfff"]
    assert row["relevant"] == {"\\ud800": 1}


def test_a_refusal_of_the_file_system_leaves_no_temporary_file(tmp_path: Path) -> None:
    (tmp_path / "report.json").mkdir()
    with pytest.raises(OSError, match=r"report\.json"):
        write_report(tmp_path / "report.json", run_of())
    assert [entry.name for entry in tmp_path.iterdir()] == ["report.json"]
