from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pytest_retrieval.gating.verdict import (
    BELOW_FLOOR,
    IMPROVED,
    NOT_EVALUATED,
    PASS,
    REGRESSION,
    SUSPECTED,
    TOO_FEW,
    UNCHANGED,
)
from pytest_retrieval.reporting.result import ERROR, NOT_RUN
from pytest_retrieval.reporting.status import run_status

Make = Callable[..., Any]


def test_a_run_without_gates_is_measured(make_set: Make) -> None:
    assert run_status([make_set()]) == "measured"


@pytest.mark.parametrize("verdict", [PASS, UNCHANGED, IMPROVED, SUSPECTED])
def test_a_judged_gate_is_a_pass_unless_it_is_red(make_set: Make, make_gate: Make, verdict: str) -> None:
    assert run_status([make_set(gated=True, gates=(make_gate(verdict),))]) == "pass"


def test_a_floor_that_holds_is_a_pass_without_a_baseline(make_set: Make, make_gate: Make) -> None:
    assert run_status([make_set(gates=(make_gate(PASS, against="floor"),))]) == "pass"


@pytest.mark.parametrize("outcome", [ERROR, NOT_RUN])
def test_a_query_without_a_score_makes_a_run_incomplete(
    make_set: Make, make_query: Make, outcome: str
) -> None:
    assert run_status([make_set(queries=(make_query(outcome=outcome, scores=None),))]) == "incomplete"


def test_a_gate_that_is_not_evaluated_makes_a_run_incomplete(make_set: Make, make_gate: Make) -> None:
    gates = (make_gate(PASS), make_gate(NOT_EVALUATED))
    assert run_status([make_set(gated=True, gates=gates)]) == "incomplete"


def test_a_gated_set_of_which_nothing_was_compared_is_incomplete(make_set: Make, make_gate: Make) -> None:
    assert run_status([make_set(gated=True)]) == "incomplete"
    floor_only = (make_gate(PASS, against="floor"), make_gate(TOO_FEW, {"kind": "identifier"}))
    assert run_status([make_set(gated=True, gates=floor_only)]) == "incomplete"


def test_a_selection_that_left_something_out_is_incomplete(make_set: Make) -> None:
    assert run_status([make_set()], complete=False) == "incomplete"
    assert run_status([]) == "incomplete"


def test_a_broken_contract_of_a_query_fails_a_run(make_set: Make, make_query: Make, make_gate: Make) -> None:
    queries = (make_query(must_failed=("hit_rate@3 0 < 1",)),)
    assert run_status([make_set(queries=queries)]) == "failed"
    assert run_status([make_set(queries=queries, gated=True, gates=(make_gate(PASS),))]) == "failed"


@pytest.mark.parametrize("verdict", [REGRESSION, BELOW_FLOOR])
def test_regression_comes_before_incomplete_before_failed(
    make_set: Make, make_query: Make, make_gate: Make, verdict: str
) -> None:
    broken = make_query(must_failed=("hit_rate@3 0 < 1",))
    lost = make_query("q02", outcome=ERROR, scores=None)
    red = make_set(gated=True, gates=(make_gate(verdict), make_gate(NOT_EVALUATED)), queries=(broken, lost))
    assert run_status([make_set(), red], complete=False) == "regression"
    assert run_status([make_set(queries=(broken, lost))]) == "incomplete"
