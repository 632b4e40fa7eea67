"""One word for the whole run, and the exit code beside it."""

from __future__ import annotations

import json

import pytest
from inner_project import Project, queries, query


@pytest.fixture
def accepted(project: Project) -> Project:
    project.golden(queries(12))
    assert project.run("--update-baseline").exit == 0
    return project


def test_measured_where_no_gate_was_asked_for(accepted: Project) -> None:
    accepted.fall(queries(12))
    run = accepted.run()
    assert (run.exit, run.status, run.report["complete"]) == (0, "measured", True)


def test_pass_where_every_gate_was_judged(accepted: Project) -> None:
    run = accepted.run("--retrieval-baseline")
    assert (run.exit, run.status, run.report["complete"]) == (0, "pass", True)


def test_pass_with_floors_alone(project: Project) -> None:
    project.golden(queries(2), gate={"floors": {"recall@5": 0.9}})
    run = project.run()
    assert (run.exit, run.status) == (0, "pass")
    gate = run.gate(against="floor")
    assert (gate["floor"], gate["after"], gate["verdict"], gate["before"]) == (0.9, 1, "pass", None)


def test_regression_where_the_mean_fell_beyond_doubt(accepted: Project) -> None:
    accepted.fall(queries(12))
    run = accepted.run("--retrieval-baseline")
    assert (run.exit, run.status, run.report["complete"]) == (1, "regression", True)


def test_regression_where_a_floor_is_broken(project: Project) -> None:
    project.golden(queries(2), gate={"floors": {"recall@5": 0.9}})
    project.answer("text of w01", ["D9"])
    run = project.run()
    assert (run.exit, run.status) == (1, "regression")
    assert "FAILED golden.yaml - recall@5 0.500, floor 0.9, n 2: below floor" in run.text


def test_a_floor_holds_for_a_kind_of_one(project: Project) -> None:
    project.golden(
        [*queries(5), query("p1", "phrase")], gate={"kinds": {"phrase": {"floors": {"hit_rate@3": 1}}}}
    )
    project.answer("text of p1", ["D7", "D8", "D9", "D1"])
    run = project.run()
    assert (run.exit, run.status) == (1, "regression")
    assert run.gate(metric="hit_rate@3", against="floor", kind="phrase")["verdict"] == "below floor"
    assert "FAILED golden.yaml::phrase - hit_rate@3 0.000, floor 1, n 1: below floor" in run.text


def test_regression_goes_before_incomplete(accepted: Project) -> None:
    rows = [*queries(12), *queries(12, "phrase")]
    accepted.golden(rows)
    accepted.run("--update-baseline")
    accepted.fall(queries(12))
    for number in range(1, 9):
        accepted.answer(f"text of p{number:02}", "broken")
    run = accepted.run("--retrieval-baseline")
    assert (run.exit, run.status) == (1, "regression")
    assert run.gate(kind="phrase")["verdict"] == "not evaluated"


def test_incomplete_where_a_query_failed(accepted: Project) -> None:
    accepted.answer("text of w01", "broken")
    run = accepted.run()
    assert (run.exit, run.status) == (1, "incomplete")
    # the queries were all there; what is missing is an answer
    assert run.report["complete"] is True


def test_incomplete_where_a_gate_is_not_evaluated(project: Project) -> None:
    project.golden(queries(2))
    run = project.run("--retrieval-baseline")
    assert (run.exit, run.status) == (1, "incomplete")


def test_incomplete_goes_before_failed(project: Project) -> None:
    project.golden([query("q1", must={"mrr": 1}), query("q2")])
    project.answer("text of q1", ["D9"])
    project.answer("text of q2", "broken")
    assert project.run().status == "incomplete"


def test_failed_where_a_contract_is_broken_and_all_else_is_well(project: Project) -> None:
    project.golden([query("q1", must={"mrr": 1}), query("q2")])
    project.answer("text of q1", ["D9", "D1"])
    run = project.run()
    assert (run.exit, run.status) == (1, "failed")


def test_too_few_queries_alone_are_no_pass_and_no_failure(project: Project) -> None:
    project.golden([*queries(12), *queries(2, "phrase")])
    project.run("--update-baseline")
    project.answers(queries(2, "phrase"), p01=["D9"], p02=["D9"])
    run = project.run("--retrieval-baseline", "-rs")
    assert (run.exit, run.status) == (0, "pass")
    assert run.gate(kind="phrase")["verdict"] == "too few queries"
    assert "too few queries to judge alone: 2 of at least 10" in run.text


def test_a_suspected_drop_is_told_and_not_red(project: Project) -> None:
    # Five of ten words fell and five of ten phrases rose: the words' p is 1/32, and that of two
    # independent kinds together more than 5 %.
    rows = [*queries(10, "word"), *queries(10, "phrase")]
    project.golden(rows, gate={"metrics": ["recall@5"], "margin": 0})
    project.fall(rows[10:15])
    project.run("--update-baseline")
    project.answers(rows)
    project.fall(rows[:5])
    run = project.run("--retrieval-baseline")
    gate = run.gate(kind="word")
    assert (gate["p"], gate["verdict"]) == (pytest.approx(1 / 32), "suspected")
    assert gate["p_adjusted"] > 0.05
    assert gate["reason"].startswith("p is 0.0312 alone but ")
    assert (run.exit, run.status) == (0, "pass")
    assert "suspected: the mean fell by more than the margin" in run.text


def test_an_improvement_is_told_with_the_update_command(accepted: Project) -> None:
    accepted.fall(queries(12))
    accepted.run("--update-baseline", "--retrieval-update-anchor=the index was moved")
    accepted.answers(queries(12))
    run = accepted.run("--retrieval-baseline")
    assert (run.exit, run.status) == (0, "pass")
    assert run.gate()["verdict"] == "improved"
    assert "pytest --update-baseline golden.yaml" in run.text


def test_a_failed_ordinary_test_makes_the_run_red_and_leaves_the_status(accepted: Project) -> None:
    accepted.write("test_it.py", "def test_it():\n    assert False\n")
    run = accepted.run("--retrieval-baseline")
    assert (run.exit, run.status) == (1, "pass")


def test_a_regression_is_counted_as_failed_tests(accepted: Project) -> None:
    accepted.fall(queries(12))
    run = accepted.run("--retrieval-baseline")
    # one kind: the gate is the file's, behind the twelve queries
    assert "1 failed, 12 passed" in run.text
    assert "[100%]" in run.text


# -- runs that end before their end


def test_stopping_at_the_first_failure_leaves_what_was_measured_as_incomplete(accepted: Project) -> None:
    accepted.answer("text of w03", "broken")
    run = accepted.run("-x", "--retrieval-baseline", "-p", "no:randomly")
    assert (run.exit, run.status, run.report["complete"]) == (1, "incomplete", False)
    outcomes = [one["outcome"] for one in run.set()["queries"]]
    assert outcomes == ["scored", "scored", "error", *["not run"] * 9]
    assert "not evaluated: the run stopped early" in run.text
    assert "FAILED golden.yaml -" not in run.text


def test_stopping_at_another_tests_failure_leaves_the_run_incomplete(accepted: Project) -> None:
    accepted.write("test_a.py", "def test_it():\n    assert False\n")
    run = accepted.run("-x", "test_a.py", "golden.yaml", "--retrieval-baseline")
    assert (run.exit, run.status) == (1, "incomplete")


def test_a_keyboard_interrupt_leaves_the_run_incomplete(accepted: Project) -> None:
    accepted.write(
        "conftest.py",
        "import pytest\n@pytest.fixture(scope='session')\ndef retriever():\n"
        "    def search(text, k):\n        if text == 'text of w03':\n            raise KeyboardInterrupt\n"
        "        return ['D1']\n    return search\n",
    )
    run = accepted.run_apart("--retrieval-baseline", "-p", "no:randomly")
    assert (run.exit, run.status) == (2, "incomplete")
    assert run.set()["scored"] == 2


def test_a_process_that_dies_leaves_no_stale_pass(accepted: Project) -> None:
    accepted.write("report.json", json.dumps({"status": "pass"}))
    accepted.answer("text of w03", "die")
    run = accepted.run_apart("--retrieval-baseline")
    assert run.exit == 3
    assert run.report == {
        "format": "pytest-retrieval-report/1",
        "status": "incomplete",
        "complete": False,
        "left_out": [],
        "sets": [],
    }


def test_a_usage_error_after_the_start_leaves_no_stale_pass(accepted: Project) -> None:
    assert accepted.run("--retrieval-baseline").status == "pass"
    accepted.write("baselines/golden.json", "{")
    assert accepted.run("--retrieval-baseline").status == "incomplete"


def test_a_collection_error_leaves_the_run_incomplete(accepted: Project) -> None:
    accepted.write("test_broken.py", "import no_such_module\n")
    run = accepted.run("--retrieval-baseline")
    assert (run.exit, run.status) == (2, "incomplete")
    assert accepted.events == []


def test_nothing_collected_is_pytests_own_code(project: Project) -> None:
    run = project.run("--retrieval-baseline")
    assert (run.exit, run.status) == (5, "incomplete")
