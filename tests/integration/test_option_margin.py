from __future__ import annotations

import pytest
from inner_project import Project, Say, queries


@pytest.fixture
def measured(project: Project) -> Project:
    project.golden(queries(2))
    assert project.run("--update-baseline").exit == 0
    return project


def margin(project: Project, *args: str, metric: str = "recall@5") -> float:
    run = project.run("--retrieval-baseline", *args)
    assert run.exit == 0, run.text
    return float(run.gate(metric=metric)["margin"])


def test_the_default_is_two_points(measured: Project) -> None:
    assert margin(measured) == 0.02


def test_every_way_of_saying_it(measured: Project, say: Say) -> None:
    assert margin(measured, *say("margin", 0.125)) == 0.125


def test_zero_is_a_margin(measured: Project, say: Say) -> None:
    assert margin(measured, *say("margin", 0)) == 0


def test_flag_over_header_over_ini(measured: Project) -> None:
    measured.ini("retrieval_margin = 0.1")
    assert margin(measured) == 0.1
    measured.golden(queries(2), gate={"margin": 0.2})
    assert margin(measured) == 0.2
    assert margin(measured, "--retrieval-margin=0.3") == 0.3


def test_the_command_lines_ini_value_is_still_below_the_header(measured: Project) -> None:
    measured.golden(queries(2), gate={"margin": 0.2})
    assert margin(measured, "-o", "retrieval_margin=0.3") == 0.2


def test_a_header_that_names_one_metric_leaves_the_other_to_the_ini(measured: Project) -> None:
    measured.ini("retrieval_margin = 0.1")
    measured.golden(queries(2), gate={"margin": {"recall@5": 0.2}})
    assert margin(measured) == 0.2
    assert margin(measured, metric="ndcg@10") == 0.1


def test_a_kind_may_have_its_own(project: Project) -> None:
    rows = [*queries(10, "word"), *queries(10, "phrase")]
    project.golden(rows, gate={"margin": 0.1, "kinds": {"word": {"margin": 0}}})
    project.run("--update-baseline")
    run = project.run("--retrieval-baseline")
    assert run.gate(kind="word")["margin"] == 0
    assert run.gate(kind="phrase")["margin"] == 0.1
    assert run.gate()["margin"] == 0.1


def test_a_drop_within_the_margin_passes_and_one_beyond_fails(project: Project) -> None:
    project.golden(queries(20))
    project.run("--update-baseline")
    project.fall(queries(20)[:10])
    assert project.run("--retrieval-baseline", "--retrieval-margin=0.5").exit == 0
    run = project.run("--retrieval-baseline", "--retrieval-margin=0.1")
    assert run.exit == 1
    assert run.gate()["verdict"] == "regression"


@pytest.mark.parametrize("bad", ["-0.1", "1.5", "two", "nan", "inf", "0,5"])
def test_a_value_that_is_no_share_is_refused(measured: Project, say: Say, bad: str) -> None:
    run = measured.run("--retrieval-baseline", *say("margin", bad))
    assert run.exit == 4
    assert "retrieval-margin" in run.text.replace("_", "-")
    assert bad in run.text
    assert "expected a number from 0 to 1" in run.text
    assert measured.events == []


def test_a_margin_for_a_metric_that_is_not_gated_is_an_error_of_the_file(project: Project) -> None:
    project.golden(queries(1), gate={"metrics": ["recall@5"], "margin": {"mrr": 0.1}})
    run = project.run()
    assert run.exit == 2
    assert "golden.yaml:1: gate.margin names mrr, which is not gated; gated: recall@5" in run.text


def test_gating_less_for_once_leaves_the_margins_of_the_file_alone(project: Project) -> None:
    project.golden(queries(1), gate={"metrics": ["recall@5", "mrr"], "margin": {"mrr": 0.1}})
    assert project.run("--retrieval-gate=recall@5").exit == 0
