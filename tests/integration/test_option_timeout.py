"""A query that hangs costs its time limit, not the run."""

from __future__ import annotations

import pytest
from inner_project import Project, Say, queries

# The third question is never answered; this test's own time would end the others.
HANGING = """
import threading
import pytest
import table_retriever

NEVER = threading.Event()


@pytest.fixture(scope="session")
def retriever():
    def search(text, k):
        if text == "text of w03":
            table_retriever.note("hung")
            NEVER.wait()
        return table_retriever.search(text, k)

    return search
"""

HANGING_LATER = """
import asyncio
import pytest
import table_retriever


@pytest.fixture(scope="session")
def retriever():
    async def search(text, k):
        if text == "text of w03":
            table_retriever.note("hung")
            await asyncio.Event().wait()
        return table_retriever.search(text, k)

    return search
"""

TOLD = "no answer within 0.2 s, the limit of retrieval_timeout"


@pytest.fixture
def hanging(project: Project) -> Project:
    project.golden(queries(12))
    project.write("conftest.py", HANGING)
    return project


def others_are_scored(run_set: dict[str, object]) -> bool:
    return (run_set["scored"], run_set["errors"], run_set["not_run"]) == (11, 1, 0)


def test_every_way_of_saying_it(hanging: Project, say: Say) -> None:
    run = hanging.run(*say("timeout", 0.2))
    assert run.exit == 1
    assert others_are_scored(run.set())
    assert run.query("w03")["error"] == f"TimedOut: {TOLD}"
    assert (run.query("w03")["scores"], run.query("w03")["seconds"]) == (None, None)


def test_flag_over_header(project: Project) -> None:
    project.golden(queries(3), ask={"timeout": 1000})
    project.write("conftest.py", HANGING)
    run = project.run("--retrieval-timeout=0.2")
    assert (run.exit, run.query("w03")["error"]) == (1, f"TimedOut: {TOLD}")


def test_the_hung_query_is_told_in_one_line_at_its_place(hanging: Project) -> None:
    run = hanging.run("--retrieval-timeout=0.2")
    assert run.failures == [f"{TOLD} (golden.yaml:4: query 'w03')"]


@pytest.mark.parametrize("source", [HANGING, HANGING_LATER], ids=["thread", "async"])
@pytest.mark.parametrize("concurrency", [1, 4])
def test_the_others_are_answered_around_it(project: Project, source: str, concurrency: int) -> None:
    project.golden(queries(12))
    project.write("conftest.py", source)
    run = project.run("--retrieval-timeout=0.2", f"--retrieval-concurrency={concurrency}")
    assert run.exit == 1
    assert others_are_scored(run.set())
    assert sorted(project.asked) == [f"text of w{n:02}" for n in range(1, 13) if n != 3]
    assert project.events.count("hung") == 1


@pytest.mark.parametrize("source", [HANGING, HANGING_LATER], ids=["thread", "async"])
@pytest.mark.parametrize("workers", [(), ("-p", "xdist.plugin", "-n", "2")], ids=["alone", "xdist"])
def test_the_process_ends_with_its_exit_code_while_the_call_still_hangs(
    project: Project, source: str, workers: tuple[str, ...]
) -> None:
    project.golden(queries(12))
    project.write("conftest.py", source)
    project.monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    run = project.run_apart("-p", "pytest_retrieval.plugin", "--retrieval-timeout=0.2", *workers)
    assert run.exit == 1
    assert others_are_scored(run.set())
    assert "Traceback" not in run.text
    assert "Fatal" not in run.text


def test_a_batch_that_hangs_fails_its_queries(project: Project) -> None:
    project.golden(queries(2))
    project.write(
        "conftest.py",
        "import pytest, threading\n@pytest.fixture(scope='session')\ndef retriever():\n"
        "    class Batch:\n        def search_batch(self, texts, k):\n"
        "            threading.Event().wait()\n    return Batch()\n",
    )
    run = project.run("--retrieval-timeout=0.1")
    told = "TimedOut: no answer within 0.1 s, the limit of retrieval_timeout, for each of 2 texts in one call"
    assert [one["error"] for one in run.set()["queries"]] == [told, told]


def test_a_slow_fixture_has_no_limit(project: Project) -> None:
    project.golden(queries(2))
    project.write(
        "conftest.py",
        "import pytest, threading\n@pytest.fixture(scope='session')\ndef retriever():\n"
        "    threading.Event().wait(0.3)\n    return lambda text: ['D1']\n",
    )
    assert project.run("--retrieval-timeout=0.1").exit == 0


@pytest.mark.parametrize("bad", ["0", "-1", "soon", "inf", "nan"])
def test_what_is_no_time_is_refused(hanging: Project, say: Say, bad: str) -> None:
    run = hanging.run(*say("timeout", bad))
    assert run.exit == 4
    assert "retrieval-timeout" in run.text.replace("_", "-")
    assert "expected a number of seconds above 0" in run.text
    assert hanging.events == []
