"""What is shown when a retriever raises: the user's frames and the golden set's line, nothing of ours."""

from __future__ import annotations

import re

import pytest
from inner_project import FIXTURE, Project, Run, query

FOREIGN = re.compile(r"[/\\](_pytest|pluggy|pytest_retrieval)[/\\]")


@pytest.fixture
def failing(project: Project) -> Project:
    project.golden([query("q1"), query("q2")])
    project.answer("text of q2", "the index is gone")
    return project


def shown(run: Run) -> str:
    return "\n".join(run.failures)


def test_the_users_line_and_the_golden_line_are_shown(failing: Project) -> None:
    run = failing.run()
    assert run.exit == 1
    assert ">           raise TableError(answer)  # the user's line" in run.text
    assert "E           table_retriever.TableError: the index is gone" in run.text
    assert "golden.yaml:3: query 'q2': 'text of q2'" in run.text
    assert "FAILED golden.yaml::word::q2 - table_retriever.TableError: the index is gone" in run.text


@pytest.mark.parametrize("style", ["auto", "long", "short", "line", "native", "no"])
def test_no_frame_of_the_plugin_or_pytest_is_shown(failing: Project, style: str) -> None:
    run = failing.run(f"--tb={style}")
    assert run.exit == 1
    foreign = FOREIGN.search(run.text.partition(" = FAILURES")[2])
    assert not foreign, foreign


@pytest.mark.parametrize("style", ["short", "native"])
def test_short_styles_show_the_users_line_and_the_golden_line(failing: Project, style: str) -> None:
    text = shown(failing.run(f"--tb={style}"))
    assert "raise TableError(answer)  # the user's line" in text
    assert "TableError: the index is gone" in text
    assert "golden.yaml:3: query 'q2'" in text


def test_one_line_per_failure_names_the_users_place(failing: Project) -> None:
    assert any(
        line.endswith("table_retriever.py:25: table_retriever.TableError: the index is gone")
        for line in failing.run("--tb=line").lines
    )


def test_no_traceback_still_has_the_summary_line(failing: Project) -> None:
    run = failing.run("--tb=no")
    assert "FAILED golden.yaml::word::q2 - table_retriever.TableError: the index is gone" in run.text
    assert "raise TableError" not in run.text


def test_the_whole_traceback_is_shown_on_request(failing: Project) -> None:
    assert FOREIGN.search(shown(failing.run("--full-trace")))


def test_locals_are_shown_on_request(failing: Project) -> None:
    text = failing.run("--showlocals").text
    assert "answer     = 'the index is gone'" in text


def test_an_error_without_a_frame_of_the_user_is_one_line(project: Project) -> None:
    project.golden([query("q1")], retriever="operator:neg")
    run = project.run()
    assert run.exit == 1
    assert run.failures == ["TypeError: bad operand type for unary -: 'str' (golden.yaml:3: query 'q1')"]


def test_the_error_is_in_the_report_and_its_slices_have_no_means(failing: Project) -> None:
    run = failing.run()
    assert run.status == "incomplete"
    broken = run.query("q2")
    assert (broken["outcome"], broken["scores"]) == ("error", None)
    assert broken["error"] == "TableError: the index is gone"
    assert run.query("q1")["scores"]["recall@5"] == 1
    assert {tuple(row["metrics"]) for row in run.set()["means"]} == {()}


def test_an_exception_inside_a_generator_is_the_users(project: Project) -> None:
    project.golden([query("q1")])
    project.write(
        "conftest.py",
        "import pytest\n@pytest.fixture(scope='session')\ndef retriever():\n"
        "    def search(text, k):\n        yield 'D1'\n        raise OSError('connection lost')\n"
        "    return search\n",
    )
    run = project.run()
    assert run.exit == 1
    assert "OSError: connection lost" in run.text
    assert "conftest.py:6: OSError" in run.text
    assert not FOREIGN.search(shown(run))


def test_a_fixture_that_fails_is_an_error_of_set_up(project: Project) -> None:
    project.golden([query("q1"), query("q2")])
    project.write("conftest.py", FIXTURE.replace("    yield", "    raise OSError('no index')\n    yield"))
    run = project.run()
    assert (run.exit, run.status) == (1, "incomplete")
    assert "2 errors" in run.text
    assert "ERROR golden.yaml::word::q1 - OSError: no index" in run.text
    assert ">       raise OSError('no index')" in run.text
    assert not FOREIGN.search(shown(run))
    assert project.events == ["built"]
    assert [one["error"] for one in run.set()["queries"]] == ["OSError: no index"] * 2


def test_failing_queries_that_could_turn_a_verdict_break_the_gates_of_their_kind_only(
    project: Project,
) -> None:
    rows = [query(f"{kind}{n:02}", kind) for kind in ("word", "phrase") for n in range(12)]
    project.golden(rows)
    assert project.run("--update-baseline").exit == 0
    for row in rows[:8]:
        project.answer(str(row["text"]), "broken")
    run = project.run("--retrieval-baseline")
    assert (run.exit, run.status) == (1, "incomplete")
    reason = (
        "8 of 12 queries failed: word00, word01, word02, ...; "
        "with them scored 0 it would be regression, as before unchanged"
    )
    assert run.gate(kind="word")["verdict"] == "not evaluated"
    assert run.gate(kind="word")["reason"] == reason
    assert run.gate()["verdict"] == "not evaluated"
    assert run.gate(kind="phrase")["verdict"] == "unchanged"
    assert f"FAILED golden.yaml::word - not evaluated: recall@5: {reason[:30]}" in run.text


def test_a_failing_query_that_cannot_turn_a_verdict_fails_alone(project: Project) -> None:
    rows = [query(f"word{n:02}") for n in range(12)]
    project.golden(rows)
    assert project.run("--update-baseline").exit == 0
    project.answer("text of word03", "broken")
    run = project.run("--retrieval-baseline")
    assert (run.exit, run.status) == (1, "incomplete")
    assert run.gate()["verdict"] == "pass"
    assert run.gate()["reason"] == "1 of 12 queries failed: word03, which changes nothing"
    assert "1 failed" in run.lines[-1]


def test_a_fixture_that_fails_while_closing_is_an_error_behind_the_answers(project: Project) -> None:
    project.golden([query("q1")])
    project.write("conftest.py", FIXTURE + "    raise OSError('no disk')\n")
    run = project.run()
    assert run.exit == 1
    assert "1 passed, 1 error" in run.text
    assert "OSError: no disk" in shown(run)
    assert not FOREIGN.search(shown(run))
    assert run.query("q1")["outcome"] == "scored"


def test_a_retriever_that_cannot_be_built_is_told_in_one_line(project: Project) -> None:
    project.golden([query("q1")], retriever="no_such_module:search")
    run = project.run()
    assert run.exit == 1
    assert len(run.failures) == 1
    assert run.failures[0].startswith(
        "retriever 'no_such_module:search': there is no module 'no_such_module'"
    )
    project.golden([query("q1")], retriever="run:no_such_run.trec")
    run = project.run()
    assert run.exit == 1
    assert len(run.failures) == 1
    assert run.failures[0].startswith("no_such_run.trec: cannot be read: No such file")
