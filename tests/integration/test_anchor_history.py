"""Builds that each lose one point and are accepted: the plugin stops them where the functions do."""

from __future__ import annotations

import random

import pytest
from inner_project import Project, queries

from pytest_retrieval.gating.judging import Comparison, judge_together
from pytest_retrieval.gating.pairing import Paired
from pytest_retrieval.gating.policy import Policy
from pytest_retrieval.gating.verdict import ANCHOR, REGRESSION
from pytest_retrieval.golden.model import Query

ROWS = queries(60)
METRIC = "hit_rate@5"
BUILDS = 30


def history(seed: int) -> list[list[int]]:
    """Hits by build: 85 of 100 are found at first, and each build loses one of 100 on average."""
    chance = random.Random(seed)
    builds = [[int(chance.random() < 0.85) for _ in ROWS]]
    for _ in range(BUILDS):
        share = sum(builds[-1]) / len(ROWS)
        builds.append([int(hit and chance.random() > 0.01 / share) for hit in builds[-1]])
    return builds


def stopped_by_the_functions(builds: list[list[int]]) -> int | None:
    rows = tuple(Query(str(row["id"]), str(row["text"]), {"D1": 1}, "word") for row in ROWS)

    def paired(then: list[int], now: list[int]) -> Paired:
        before, after = ({METRIC: dict(zip([q.id for q in rows], side, strict=True))} for side in (then, now))
        return Paired(rows, before, after)

    for build in range(1, BUILDS + 1):
        comparisons = [
            Comparison(paired(builds[build - 1], builds[build])),
            Comparison(paired(builds[0], builds[build]), ANCHOR),
        ]
        verdicts = judge_together(comparisons, Policy((METRIC,), {METRIC: 0.02}))
        if REGRESSION in {row.verdict for row in verdicts}:
            return build
    return None


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_small_drops_are_stopped_at_the_same_build(project: Project, seed: int) -> None:
    builds = history(seed)
    expected = stopped_by_the_functions(builds)
    assert expected is not None
    project.golden(ROWS, gate={"metrics": [METRIC]}, metrics=[METRIC])

    def answer(build: int) -> None:
        answers = {
            str(row["id"]): ["D1"] if hit else ["D9"] for row, hit in zip(ROWS, builds[build], strict=True)
        }
        project.answers(ROWS, **answers)

    answer(0)
    assert project.run("--update-baseline").exit == 0
    for build in range(1, expected):
        answer(build)
        assert project.run("--retrieval-baseline").status == "pass"
        assert project.run("--update-baseline").exit == 0
    answer(expected)
    run = project.run("--retrieval-baseline")
    assert (run.exit, run.status) == (1, "regression")
    assert run.gate(metric=METRIC, against="anchor")["verdict"] == "regression"
    assert project.run("--update-baseline").exit == 1
