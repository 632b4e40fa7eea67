"""Asking every query repeatedly: passes, the baseline's memory of them, and the noise report."""

from __future__ import annotations

import json

import pytest
from inner_project import Project, Say, queries

ROWS = queries(12)

# Odd passes answer, even ones find nothing for the first three queries.
NOISY = """
import pytest, table_retriever
passes = {}


@pytest.fixture(scope="session")
def retriever():
    def search(text, k):
        passes[text] = passes.get(text, 0) + 1
        found = table_retriever.search(text, k)
        noisy = text in ("text of w01", "text of w02", "text of w03")
        return ["D9"] if noisy and passes[text] % 2 == 0 else found
    return search
"""


def test_every_way_of_saying_it(project: Project, say: Say) -> None:
    project.golden(ROWS)
    run = project.run(*say("repeats", 3))
    assert run.set()["repeats"] == 3
    assert len(project.asked) == 36
    assert "36 passed" in run.lines[-1]


def test_all_queries_are_asked_once_before_any_is_asked_again(project: Project) -> None:
    project.golden(ROWS, repeats=2)
    project.run()
    once = [f"text of w{number:02}" for number in range(1, 13)]
    assert project.asked == [*once, *once]


def test_a_repeated_query_has_a_name_that_can_be_pasted(project: Project) -> None:
    project.golden(ROWS, repeats=2)
    run = project.run("golden.yaml::word::w03[2]", "-v")
    assert "golden.yaml::word::w03[2] PASSED" in run.text
    assert project.asked == ["text of w03"]


@pytest.mark.parametrize("workers", ["0", "2"])
def test_the_baseline_keeps_the_ranking_of_every_run(project: Project, workers: str) -> None:
    project.golden(ROWS, repeats=2)
    assert project.run_apart("--update-baseline", "-n", workers).exit == 0
    row = json.loads(project.baselines()["golden.json"])["queries"]["w01"]
    assert (row["ranked"], row["repeats"]) == (["D1"], [["D1"]])
    assert project.run_apart("--retrieval-baseline", "-n", workers).status == "pass"


def test_scores_are_means_over_the_runs(project: Project) -> None:
    project.write("conftest.py", NOISY)
    project.golden(ROWS, repeats=2)
    run = project.run()
    assert run.query("w01")["scores"]["recall@5"] == 0.5
    assert run.query("w01")["repeats"] == [["D9"]]
    # three of twelve were answered half of the time
    assert run.set()["means"][0]["metrics"]["recall@5"] == pytest.approx(10.5 / 12)


def test_the_noise_report_tells_what_flips_and_what_to_do(project: Project) -> None:
    project.write("conftest.py", NOISY)
    project.golden(ROWS)
    run = project.run("--retrieval-noise")
    assert run.exit == 0
    assert "noise: every query was asked 2 times" in run.text
    assert "3 of 12 queries flip: w01, w02, w03" in run.text
    assert "recall@5: 1.000, 0.750 (apart by 0.250)" in run.text
    noise = run.set()["noise"]
    assert noise["flipped"] == ["w01", "w02", "w03"]
    assert noise["means"]["recall@5"] == [1.0, 0.75]
    # the largest sd is that of hit rate and recall, 0.25 / sqrt(2): 8 (0.1768 / 0.02)^2 = 625
    assert noise["repeats_needed"] == 625


def test_a_steady_retriever_needs_one_run(project: Project) -> None:
    project.golden(ROWS)
    run = project.run("--retrieval-noise")
    assert "all 12 queries were answered alike each time: once is enough" in run.text
    assert run.set()["noise"]["repeats_needed"] == 1


def test_one_run_a_side_of_a_retriever_known_to_be_noisy_is_suspected_at_most(project: Project) -> None:
    project.golden(ROWS, noisy=True)
    project.run("--update-baseline")
    project.fall(ROWS)
    run = project.run("--retrieval-baseline")
    assert run.exit == 0
    assert run.gate()["verdict"] == "suspected"
    assert run.gate()["reason"].startswith("one run a side of a noisy retriever proves nothing")


def test_noise_between_whole_runs_is_no_regression(project: Project) -> None:
    project.golden(ROWS, repeats=2)
    project.run("--update-baseline")
    # every question is lost in the second pass: half of each is gone, and the runs lie 1 apart
    project.write(
        "conftest.py", NOISY.replace('text in ("text of w01", "text of w02", "text of w03")', "True")
    )
    run = project.run("--retrieval-baseline")
    assert run.gate()["difference"] == -0.5
    assert run.gate()["verdict"] == "suspected"
    assert "the runs of one side differ among themselves by as much" in run.gate()["reason"]


def test_accept_takes_all_runs_from_the_report(project: Project) -> None:
    project.golden(ROWS, repeats=2)
    project.run("--update-baseline")
    written = project.baselines()
    (project.path / "baselines/golden.json").unlink()
    project.run()
    from pytest_retrieval.cli import main

    assert main(["accept", str(project.path / "report.json"), "--root", str(project.path)]) == 0
    assert project.baselines() == written
