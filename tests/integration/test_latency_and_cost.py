"""What asking took and cost is reported, and kept out of the baseline."""

from __future__ import annotations

import re

import pytest
from inner_project import Project, queries

COSTS = """
import pytest


class Priced(list):
    cost = 0.5


@pytest.fixture(scope="session")
def retriever():
    answers = {
        "text of w01": {"hits": ["D1"], "cost": 0.25},
        "text of w02": {"results": ["D1"], "cost": 2},
        "text of w03": Priced(["D1"]),
        "text of w04": ["D1"],
    }
    return lambda text, k: answers[text]
"""


def test_every_query_has_its_seconds_and_the_set_two_percentiles(project: Project) -> None:
    project.golden(queries(12))
    run = project.run()
    seconds = sorted(one["seconds"] for one in run.set()["queries"])
    assert seconds[0] >= 0
    # by nearest rank: the 6th and the 12th of 12
    assert run.set()["latency"] == {
        "p50": pytest.approx(seconds[5], abs=1e-6),
        "p95": pytest.approx(seconds[11], abs=1e-6),
    }
    assert any(re.fullmatch(r"  latency p50 [0-9.]+ m?s, p95 [0-9.]+ m?s", line) for line in run.lines)


def test_workers_report_them_too(project: Project) -> None:
    pytest.importorskip("xdist")
    project.golden(queries(6))
    run = project.run("-p", "xdist.plugin", "-n", "2")
    assert all(one["seconds"] is not None for one in run.set()["queries"])


def test_a_query_without_an_answer_has_no_seconds(project: Project) -> None:
    project.golden(queries(2))
    project.answers(queries(2), w01="broken", w02="broken")
    run = project.run()
    assert [one["seconds"] for one in run.set()["queries"]] == [None, None]
    assert run.set()["latency"] == {}
    assert "latency p50" not in run.text


def test_results_from_a_file_have_no_latency(project: Project) -> None:
    project.golden(queries(1), retriever="run:run.jsonl")
    project.write("run.jsonl", '{"id": "w01", "ranked": ["D1"]}\n')
    run = project.run()
    assert (run.exit, run.set()["latency"]) == (0, {})
    assert "latency p50" not in run.text


def test_costs_are_summed_as_the_retriever_says_them(project: Project) -> None:
    project.golden(queries(4))
    project.write("conftest.py", COSTS)
    run = project.run()
    assert run.exit == 0
    assert [one["cost"] for one in run.set()["queries"]] == [0.25, 2, 0.5, None]
    assert {tuple(one["ranked"]) for one in run.set()["queries"]} == {("D1",)}
    assert run.set()["cost"] == 2.75
    assert any(line.endswith(", cost 2.75") for line in run.lines)


def test_without_costs_there_is_none(project: Project) -> None:
    project.golden(queries(1))
    run = project.run()
    assert (run.set()["cost"], run.query("w01")["cost"]) == (None, None)
    assert ", cost" not in run.text


def test_neither_enters_the_baseline(project: Project) -> None:
    project.golden(queries(4))
    assert project.run("--update-baseline").exit == 0
    before = project.baselines()
    project.write("conftest.py", COSTS)
    assert project.run("--update-baseline").exit == 0
    assert project.baselines() == before
