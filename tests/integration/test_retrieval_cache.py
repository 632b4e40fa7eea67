"""An index is built once for all workers, and never used when it is stale."""

from __future__ import annotations

import pytest
from inner_project import Project, queries

CACHED = """
import json
import os
import pathlib
import pytest
import table_retriever

PAGES = pathlib.Path(__file__).with_name("pages")


def build(folder):
    table_retriever.note("indexed")
    (folder / "half.json").write_text("{")
    if PAGES.with_name("die").exists():
        os._exit(3)
    (folder / "index.json").write_text(json.dumps([path.read_text() for path in sorted(PAGES.glob("*.md"))]))


def load(folder):
    index = json.loads((folder / "index.json").read_text())
    return lambda text, k: index


@pytest.fixture(scope="session")
def retriever(retrieval_cache):
    return retrieval_cache.build("pages", PAGES, build, load)
"""


@pytest.fixture
def cached(project: Project) -> Project:
    pytest.importorskip("filelock")
    project.golden(queries(16))
    project.write("conftest.py", CACHED)
    project.write("pages/a.md", "D1")
    return project


@pytest.mark.parametrize("cache", [True, False])
def test_four_workers_build_one_index(cached: Project, cache: bool) -> None:
    pytest.importorskip("xdist")
    run = cached.run("-p", "xdist.plugin", "-n", "4", cache=cache)
    assert run.exit == 0
    assert cached.events == ["indexed"]
    assert {tuple(one["ranked"]) for one in run.set()["queries"]} == {("D1",)}


def test_the_next_run_uses_what_the_last_one_built_until_the_pages_change(cached: Project) -> None:
    assert cached.run(cache=True).exit == 0
    assert cached.events == ["indexed"]
    assert cached.run(cache=True).exit == 0
    assert cached.events == []
    cached.write("pages/b.md", "D2")
    assert cached.run(cache=True).query("w01")["ranked"] == ["D1", "D2"]
    assert cached.events == ["indexed"]
    assert (cached.path / ".pytest_cache/d/retrieval/pages").is_dir()


def test_pytests_own_flag_clears_it(cached: Project) -> None:
    assert cached.run(cache=True).exit == 0
    assert cached.run("--cache-clear", cache=True).exit == 0
    assert cached.events == ["indexed"]


def test_without_pytests_cache_it_lasts_for_the_run(cached: Project) -> None:
    for _ in range(2):
        assert cached.run().exit == 0
        assert cached.events == ["indexed"]


def test_a_process_killed_while_it_built_leaves_nothing_to_be_taken_for_an_index(cached: Project) -> None:
    cached.monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    die = cached.write("die", "")
    assert cached.run_apart("-p", "pytest_retrieval.plugin", cache=True).exit == 3
    assert list(cached.path.rglob("half.json"))
    die.unlink()
    assert cached.run(cache=True).exit == 0
    assert cached.events == ["indexed"]


def test_ordinary_tests_may_use_it_too(project: Project) -> None:
    pytest.importorskip("filelock")
    project.write(
        "test_it.py",
        "def test_it(retrieval_cache):\n"
        "    build = lambda folder: (folder / 'x').write_text('built')\n"
        "    load = lambda folder: (folder / 'x').read_text()\n"
        "    assert retrieval_cache.build('x', ['v', 1], build, load) == 'built'\n",
    )
    assert project.run(report=False).exit == 0


def test_without_filelock_the_extra_is_named_in_one_line(project: Project) -> None:
    project.golden(queries(2))
    project.write("conftest.py", CACHED)
    project.write("pages/a.md", "D1")
    project.write("filelock.py", "raise ModuleNotFoundError('hidden', name='filelock')\n")
    with project.monkeypatch.context() as patched:
        patched.delitem(__import__("sys").modules, "filelock", raising=False)
        run = project.run()
    assert run.exit == 1
    assert all('pip install "pytest-retrieval[cache]"' in line for line in run.failures)
