from __future__ import annotations

import pytest
from inner_project import Project, Say, queries

ROWS = queries(12)


@pytest.fixture
def two_broken(project: Project) -> Project:
    project.golden(ROWS)
    project.run("--update-baseline")
    for number in (3, 4):
        project.answer(f"text of w{number:02}", "broken")
    return project


def test_by_default_one_failed_query_fails_the_run(two_broken: Project) -> None:
    run = two_broken.run("--retrieval-baseline")
    assert (run.exit, run.status) == (1, "incomplete")
    assert "2 failed" in run.lines[-1]


def test_every_way_of_letting_some_pass(two_broken: Project, say: Say) -> None:
    run = two_broken.run("--retrieval-baseline", *say("max-errors", 2))
    assert (run.exit, run.status) == (0, "pass")
    assert "2 xfailed" in run.lines[-1]
    assert run.set()["errors"] == 2
    assert run.gate()["verdict"] == "pass"


@pytest.mark.parametrize("workers", ["0", "2"])
def test_one_more_fails_the_run(two_broken: Project, workers: str) -> None:
    run = two_broken.run_apart("--retrieval-baseline", "--retrieval-max-errors=1", "-n", workers)
    assert (run.exit, run.status) == (1, "incomplete")
    assert "1 failed, 11 passed, 1 xfailed" in run.text


def test_the_header_can_say_it(two_broken: Project) -> None:
    two_broken.golden(ROWS, max_errors=2)
    for number in (3, 4):
        two_broken.answer(f"text of w{number:02}", "broken")
    assert two_broken.run("--retrieval-baseline").exit == 0


def test_a_verdict_that_hangs_on_them_is_still_not_evaluated(two_broken: Project) -> None:
    for row in ROWS[:8]:
        two_broken.answer(str(row["text"]), "broken")
    run = two_broken.run("--retrieval-baseline", "--retrieval-max-errors=8")
    assert (run.exit, run.status) == (1, "incomplete")
    assert run.gate()["verdict"] == "not evaluated"


def test_an_update_accepts_no_error(two_broken: Project) -> None:
    before = two_broken.baselines()
    run = two_broken.run("--update-baseline", "--retrieval-max-errors=2")
    assert run.exit == 1
    assert two_broken.baselines() == before


@pytest.mark.parametrize("contract", [{"must": {"recall@5": 1}}, {"forbidden": ["D7"]}])
def test_a_query_with_a_contract_must_be_answered(project: Project, contract: dict[str, object]) -> None:
    rows = [{**ROWS[0], **contract}, *ROWS[1:]]
    project.golden(rows)
    project.run("--update-baseline")
    project.answer("text of w01", "broken")
    run = project.run("--retrieval-baseline", "--retrieval-max-errors=2")
    assert (run.exit, run.status) == (1, "incomplete")
    assert "FAILED golden.yaml::word::w01" in run.text
    assert run.query("w01")["contract"] is True
    assert run.query("w02")["contract"] is False


def test_a_question_without_an_answer_must_still_be_asked(project: Project) -> None:
    refused = {"id": "n1", "kind": "word", "text": "nothing", "answerable": False, "must": {"empty": True}}
    project.golden(ROWS)
    project.golden([*ROWS, {**refused, "relevant": []}])
    project.answer("nothing", "broken")
    run = project.run("--retrieval-max-errors=2")
    assert (run.exit, run.status) == (1, "incomplete")


@pytest.mark.parametrize("workers", ["0", "2"])
def test_a_total_outage_is_never_green(project: Project, workers: str) -> None:
    project.golden(ROWS, max_errors=12)
    for row in ROWS:
        project.answer(str(row["text"]), "broken")
    run = project.run_apart("-n", workers)
    assert (run.exit, run.status) == (1, "incomplete")
    assert "FAILED golden.yaml - nothing was evaluated: all 12 queries failed" in run.text


def test_a_repeated_query_counts_once(two_broken: Project) -> None:
    run = two_broken.run("--retrieval-repeats=3", "--retrieval-max-errors=2")
    assert (run.exit, run.status) == (0, "measured")
    assert "30 passed, 6 xfailed" in run.lines[-1]
    run = two_broken.run("--retrieval-repeats=3", "--retrieval-max-errors=1")
    assert (run.exit, run.status) == (1, "incomplete")
    assert "3 failed, 30 passed, 3 xfailed" in run.lines[-1]
