from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pytest_retrieval.gating.verdict import BELOW_FLOOR, NOT_EVALUATED, PASS, REGRESSION
from pytest_retrieval.reporting.printable import cell_width
from pytest_retrieval.reporting.terminal import kind_failure_lines

Make = Callable[..., Any]

FILE = "golden_docs.yaml"
KIND = "golden_docs.yaml::identifier"
IDENTIFIER = {"kind": "identifier"}


def test_a_regression_says_how_far_it_fell_and_what_was_agreed(make_set: Make, make_gate: Make) -> None:
    result = make_set(gated=True, gates=(make_gate(REGRESSION, IDENTIFIER), make_gate(REGRESSION)))
    reason, body = kind_failure_lines(result, KIND)
    assert reason == (
        "recall@5 fell 0.500 (0.900 -> 0.400), interval [-0.610, -0.380], margin 0.02, n 20: regression"
    )
    assert body[0] == "p 0.004, adjusted 0.020; could have seen a drop of 0.21"
    assert body[1:] == [
        "worst queries",
        '  q01  recall@5 1.000 -> 0.500  "PRC-112"',
        "    expected  D04 (rank 2), D03 (not found)",
        "    got       D09, D04",
        "next: regression: look at the worst queries, or say why this is to be accepted:",
        '  pytest --update-baseline golden_docs.yaml --retrieval-update-anchor="reason"',
    ]
    assert all(cell_width(line) <= 80 for line in body)


def test_the_worst_of_several_metrics_gives_the_reason(make_set: Make, make_gate: Make) -> None:
    gates = (
        make_gate(NOT_EVALUATED, IDENTIFIER, metric="mrr", reason="depth differs"),
        make_gate(REGRESSION, IDENTIFIER, metric="ndcg@10", difference=-0.1),
        make_gate(PASS, IDENTIFIER, metric="hit_rate@5"),
        make_gate(REGRESSION, IDENTIFIER, metric="recall@5", difference=-0.5),
    )
    reason, _ = kind_failure_lines(make_set(gated=True, gates=gates), KIND)
    assert reason.startswith("recall@5 fell 0.500")
    assert reason.endswith(": regression, and ndcg@10, and mrr (not evaluated)")


def test_the_file_node_names_slices_that_its_id_does_not(make_set: Make, make_gate: Make) -> None:
    gates = (
        make_gate(REGRESSION, {"kinds": ["a", "b"]}),
        make_gate(REGRESSION, metric="mrr", difference=-0.1),
    )
    reason, _ = kind_failure_lines(make_set(gated=True, gates=gates), FILE)
    assert reason.startswith("a + b (small kinds together): recall@5 fell 0.500")
    assert reason.endswith(": regression, and mrr of all")


def test_a_broken_floor_and_an_anchor_are_told_apart(make_set: Make, make_gate: Make) -> None:
    floor = make_gate(BELOW_FLOOR, IDENTIFIER, against="floor", floor=0.8, n=4)
    reason, body = kind_failure_lines(make_set(gates=(floor,)), KIND)
    assert reason == "recall@5 0.400, floor 0.8, n 4: below floor"
    assert any(line.startswith("next: below floor") for line in body)
    anchor = make_gate(REGRESSION, IDENTIFIER, against="anchor", interval=None)
    reason, body = kind_failure_lines(make_set(gates=(anchor,)), KIND)
    assert reason == "recall@5 fell 0.500 (0.900 -> 0.400), against the anchor, margin 0.02, n 20: regression"
    assert any("--retrieval-update-anchor" in line for line in body)


def test_what_was_not_evaluated_says_why_on_one_harmless_line(make_set: Make, make_gate: Make) -> None:
    gate = make_gate(NOT_EVALUATED, IDENTIFIER, reason="2 of 4 failed:\n\x1b[31mboom")
    reason, body = kind_failure_lines(make_set(gated=True, gates=(gate,)), KIND)
    assert reason == r"not evaluated: recall@5: 2 of 4 failed:\n\x1b[31mboom"
    assert all(line.isprintable() for line in body)


def test_a_node_without_a_gate_was_not_judged(make_set: Make) -> None:
    assert kind_failure_lines(make_set(gated=True), KIND) == ("not evaluated: nothing was judged", [])
