"""Async retrievers are awaited on a loop of their own, whatever other loops there are."""

from __future__ import annotations

import pytest
from inner_project import Project, queries

ASYNC = """
import asyncio
import pytest
import table_retriever


class Index:
    def __init__(self):
        self.loops = set()

    async def search(self, text, k):
        self.loops.add(asyncio.get_running_loop())
        await asyncio.sleep(0)
        assert len(self.loops) == 1
        return table_retriever.search(text, k)


@pytest.fixture(scope="session")
def retriever():
    return Index()
"""

ASYNC_TESTS = """
import asyncio
import pytest

pytestmark = pytest.mark.{mark}


async def test_before():
    await asyncio.sleep(0)
    assert asyncio.get_running_loop().is_running()
"""


def test_one_loop_answers_all_questions(project: Project) -> None:
    project.golden(queries(6))
    project.write("conftest.py", ASYNC)
    assert project.run().exit == 0
    assert project.run("--retrieval-concurrency=4").exit == 0
    assert len(project.asked) == 6


def test_an_error_shows_the_users_frames_and_none_of_asyncio(project: Project) -> None:
    project.golden(queries(2))
    project.answer("text of w02", "the index is gone")
    project.write("conftest.py", ASYNC)
    run = project.run()
    assert run.exit == 1
    assert ">       return table_retriever.search(text, k)" in run.text
    assert "TableError: the index is gone" in run.text
    for foreign in ("asyncio/", "concurrent/", "looping.py"):
        assert foreign not in run.text.replace("\\", "/")


@pytest.mark.parametrize("order", [("golden.yaml", "test_it.py"), ("test_it.py", "golden.yaml")])
@pytest.mark.parametrize(
    ("plugin", "mark", "options"),
    [
        (
            "pytest_asyncio.plugin",
            "asyncio",
            ["asyncio_default_fixture_loop_scope = session"],
        ),
        ("anyio.pytest_plugin", "anyio", []),
    ],
)
def test_beside_plugins_with_loops_of_their_own(
    project: Project, order: tuple[str, str], plugin: str, mark: str, options: list[str]
) -> None:
    pytest.importorskip(plugin)
    project.golden(queries(3))
    project.ini(*options)
    extra = "\n\n@pytest.fixture\ndef anyio_backend():\n    return 'asyncio'\n"
    project.write("conftest.py", ASYNC + extra)
    project.write("test_it.py", ASYNC_TESTS.format(mark=mark))
    project.monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    run = project.run_apart(
        "-p", plugin, "-p", "pytest_retrieval.plugin", "-W", "error", *order, "--retrieval-concurrency=2"
    )
    assert run.exit == 0, run.text
    assert "4 passed" in run.text
