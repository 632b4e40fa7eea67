"""Queries asked repeatedly: the third key, and the cap where a noisy retriever was asked once."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from pytest_retrieval.gating.judging import judge
from pytest_retrieval.gating.noise import run_level_p
from pytest_retrieval.gating.pairing import Paired, Scores
from pytest_retrieval.gating.policy import Policy
from pytest_retrieval.gating.verdict import IMPROVED, PASS, REGRESSION, SUSPECTED
from pytest_retrieval.golden.model import Query

METRIC = "recall@5"
POLICY = Policy((METRIC,), {METRIC: 0.02})
QUERIES = tuple(Query(f"q{i:02}", "text", {"d": 1}) for i in range(20))
IDS = [query.id for query in QUERIES]


def _run(score: float, odd: float | None = None) -> Scores:
    scores = [score if i % 2 or odd is None else odd for i in range(20)]
    return {METRIC: dict(zip(IDS, scores, strict=True))}


def _paired(before: tuple[Scores, ...], after: tuple[Scores, ...]) -> Paired:
    def mean(runs: tuple[Scores, ...]) -> Scores:
        return {METRIC: {q: sum(run[METRIC][q] for run in runs) / len(runs) for q in IDS}}

    return Paired(QUERIES, mean(before), mean(after), before_runs=before, after_runs=after)


def test_runs_that_differ_as_a_whole_by_as_much_prove_nothing() -> None:
    # every query fell by 0.2, but the baseline's own runs lie 0.4 apart
    (row,) = judge(_paired((_run(0.9), _run(0.5)), (_run(0.5), _run(0.5))), POLICY)
    assert row.verdict == SUSPECTED
    assert row.reason.startswith("the runs of one side differ among themselves by as much (p ")
    before = np.array([[0.9] * 20, [0.5] * 20])
    assert row.p_adjusted == run_level_p(before, np.full((2, 20), 0.5), 0.02)


def test_runs_that_agree_prove_what_one_run_would() -> None:
    (row,) = judge(_paired((_run(0.9), _run(0.9)), (_run(0.5), _run(0.5))), POLICY)
    assert row.verdict == REGRESSION
    assert row.p_adjusted == row.p == 2.0**-20


def test_a_rise_is_the_mirror_image() -> None:
    (row,) = judge(_paired((_run(0.5), _run(0.5)), (_run(0.9), _run(0.9))), POLICY)
    assert row.verdict == IMPROVED
    (noisy,) = judge(_paired((_run(0.5), _run(0.5)), (_run(0.9), _run(0.5))), POLICY)
    assert noisy.verdict == PASS


def test_one_side_with_repeats_is_enough() -> None:
    (row,) = judge(_paired((_run(0.9), _run(0.5)), (_run(0.5),)), POLICY)
    assert row.verdict == SUSPECTED


def test_one_run_a_side_of_a_noisy_retriever_is_suspected_at_most() -> None:
    one = replace(_paired((_run(0.9),), (_run(0.1),)), one_noisy_run=True)
    (row,) = judge(one, POLICY)
    assert row.verdict == SUSPECTED
    assert row.reason.startswith("one run a side of a noisy retriever proves nothing")
    (better,) = judge(replace(_paired((_run(0.1),), (_run(0.9),)), one_noisy_run=True), POLICY)
    assert better.verdict == PASS
