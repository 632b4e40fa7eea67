"""A retriever that fails for every query in the same way is told once, not once per query."""

from __future__ import annotations

import pytest
from inner_project import FIXTURE, Project, Run, queries, query


@pytest.fixture
def down(project: Project) -> Project:
    """Every question is refused in the same place, in words of its own."""
    rows = queries(12)
    project.golden(rows)
    project.answers(rows, **{str(row["id"]): f"no connection for {row['id']}" for row in rows})
    return project


def tracebacks(run: Run) -> int:
    return run.text.count("raise TableError(answer)  # the user's line")


@pytest.mark.parametrize("concurrency", ["1", "4"])
def test_one_traceback_and_a_line_for_each_other_query(down: Project, concurrency: str) -> None:
    run = down.run(f"--retrieval-concurrency={concurrency}")
    assert (run.exit, run.set()["errors"]) == (1, 12)
    assert tracebacks(run) == 1
    line = (
        "table_retriever.TableError: no connection for w02 (golden.yaml:3: query 'w02'), "
        "raised where query 'w01' failed"
    )
    assert line in run.failures
    assert sum("raised where query 'w01' failed" in line for line in run.failures) == 11
    assert run.query("w12")["error"] == "TableError: no connection for w12"


def test_the_set_says_once_that_nothing_was_evaluated(down: Project) -> None:
    run = down.run()
    told = [line for line in run.lines if "nothing was evaluated" in line]
    assert told == [
        "  nothing was evaluated: all 12 queries failed, the first with TableError: no connection for w01"
    ]
    rows = queries(12)
    down.answers(rows, **{str(row["id"]): "no connection" for row in rows})
    assert (
        "  nothing was evaluated: all 12 queries failed, each with TableError: no connection"
        in down.run().lines
    )


def test_one_answer_among_failures_is_something(down: Project) -> None:
    down.answer("text of w07", ["D1"])
    assert "nothing was evaluated" not in down.run().text


def test_the_short_summary_names_every_query(down: Project) -> None:
    run = down.run()
    assert sum(line.startswith("FAILED golden.yaml::word::w") for line in run.lines) == 12


def test_another_place_has_a_traceback_of_its_own(down: Project) -> None:
    down.answer("text of w05", None)
    source = (down.path / "table_retriever.py").read_text()
    down.write("table_retriever.py", source.replace("    return answer", "    return answer['no list']"))
    run = down.run()
    assert tracebacks(run) == 1 + 1  # shown as context of the second failure, too
    assert "TypeError: 'NoneType' object is not subscriptable" in run.text


def test_the_whole_tracebacks_are_shown_on_request(down: Project) -> None:
    assert tracebacks(down.run("--full-trace")) == 12


def test_a_fixture_that_fails_is_told_once(project: Project) -> None:
    project.golden(queries(5))
    project.write("conftest.py", FIXTURE.replace("    yield", "    raise OSError('no index')\n    yield"))
    run = project.run()
    assert (run.exit, run.set()["errors"]) == (1, 5)
    assert run.text.count(">       raise OSError('no index')") == 1
    assert "OSError: no index (golden.yaml:6: query 'w05'), raised where query 'w01' failed" in run.failures
    assert sum(line.startswith("ERROR golden.yaml::word::w") for line in run.lines) == 5


def test_a_failure_that_a_rerun_hid_is_shown_by_the_next_query(project: Project) -> None:
    pytest.importorskip("pytest_rerunfailures")
    project.golden([query("q1"), query("q2")])
    project.write(
        "conftest.py",
        "import pytest\nSEEN = []\n@pytest.fixture(scope='session')\ndef retriever():\n"
        "    def search(text, k):\n        SEEN.append(text)\n"
        "        if text == 'text of q2' or SEEN.count(text) < 2:\n"
        "            raise OSError('down')  # here\n        return ['D1']\n    return search\n",
    )
    run = project.run("-p", "pytest_rerunfailures", "--reruns=1")
    assert run.exit == 1
    assert run.text.count("raise OSError('down')  # here") == 1
    assert "raised where" not in run.text
