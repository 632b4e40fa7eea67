"""Several calls at a time, in one process and under workers; the results are those of one by one."""

from __future__ import annotations

import pytest
from inner_project import Project, Say, queries, query, timeless

XDIST = ("-p", "xdist.plugin")
WORDS = queries(40)

# Nobody gets through this barrier alone.
OVERLAPPING = """
import threading
import pytest

TOGETHER = threading.Barrier({parties})


@pytest.fixture(scope="session")
def retriever():
    def search(text, k):
        TOGETHER.wait(20)
        return ["D1"]

    return search
"""

WAYS = {
    "one by one": ("search", ()),
    "two threads": ("search", ("--retrieval-concurrency=2",)),
    "16 threads": ("search", ("--retrieval-concurrency=16",)),
    "a batch": ("Batch()", ()),
    "a batch and threads": ("Batch()", ("--retrieval-concurrency=16", "--retrieval-timeout=60")),
    "async": ("search_later", ()),
    "16 async": ("search_later", ("--retrieval-concurrency=16",)),
    "an async batch": ("LaterBatch()", ("--retrieval-timeout=60",)),
    "16 threads and workers": ("search", (*XDIST, "-n", "2", "--retrieval-concurrency=16")),
    "a batch and workers": ("Batch()", (*XDIST, "-n", "2", "--dist", "worksteal")),
}

ALL_WAYS = """
import asyncio
import pytest
from table_retriever import search


async def search_later(text, k):
    await asyncio.sleep(0)
    return search(text, k)


class Batch:
    def search_batch(self, texts, k):
        return [search(text, k) for text in texts]


class LaterBatch:
    async def search_batch(self, texts, k):
        return [await search_later(text, k) for text in texts]


@pytest.fixture(scope="session")
def retriever():
    return {retriever}
"""


@pytest.fixture
def slipped(project: Project) -> Project:
    """A set with a baseline; since then half of the words are lost."""
    project.golden([*WORDS, *queries(12, "phrase")], ask={"retries": 0})
    assert project.run("--update-baseline").exit == 0
    project.fall(WORDS[:20])
    return project


def all_asked_once(project: Project) -> bool:
    return sorted(project.asked) == sorted(str(row["text"]) for row in [*WORDS, *queries(12, "phrase")])


@pytest.mark.parametrize("way", WAYS)
def test_report_and_exit_are_the_same_in_every_way_of_asking(slipped: Project, way: str) -> None:
    plain = slipped.run("--retrieval-baseline")
    expected = timeless((slipped.path / "report.json").read_bytes())
    retriever, flags = WAYS[way]
    slipped.write("conftest.py", ALL_WAYS.format(retriever=retriever))
    run = slipped.run("--retrieval-baseline", *flags)
    assert (plain.exit, run.exit) == (1, 1)
    assert timeless((slipped.path / "report.json").read_bytes()) == expected
    assert all_asked_once(slipped)


@pytest.mark.parametrize("way", WAYS)
def test_the_baseline_is_the_same_in_every_way_of_asking(slipped: Project, way: str) -> None:
    before = slipped.baselines()
    slipped.ini("addopts = --retrieval-update-anchor=slipped")
    assert slipped.run("--update-baseline").exit == 0
    expected = slipped.baselines()
    assert expected != before
    (slipped.path / "baselines/golden.anchor.json").unlink()
    for name, content in before.items():
        slipped.write(f"baselines/{name}", content)
    retriever, flags = WAYS[way]
    slipped.write("conftest.py", ALL_WAYS.format(retriever=retriever))
    assert slipped.run("--update-baseline", *flags).exit == 0
    assert slipped.baselines()["golden.json"] == expected["golden.json"]


def test_an_error_in_an_async_batch_fails_all_its_queries(project: Project) -> None:
    project.golden(queries(3))
    project.answer("text of w02", "no index")
    project.write("conftest.py", ALL_WAYS.format(retriever="LaterBatch()"))
    run = project.run()
    assert [one["error"] for one in run.set()["queries"]] == ["TableError: no index"] * 3


# -- calls overlap


def test_every_way_of_saying_it(project: Project, say: Say) -> None:
    project.golden(queries(8))
    project.write("conftest.py", OVERLAPPING.format(parties=4))
    run = project.run(*say("concurrency", 4))
    assert run.exit == 0
    assert run.set()["scored"] == 8


def test_flag_over_header_over_ini(project: Project) -> None:
    project.write("conftest.py", OVERLAPPING.format(parties=4))
    project.ini("retrieval_concurrency = 1")
    project.golden(queries(4), ask={"concurrency": 4})
    assert project.run().exit == 0
    project.golden(queries(4), ask={"concurrency": 1})
    assert project.run("--retrieval-concurrency=4").exit == 0


def test_by_default_the_retriever_is_asked_by_the_main_thread(project: Project) -> None:
    project.golden(queries(2))
    project.write(
        "conftest.py",
        "import pytest, threading\n@pytest.fixture(scope='session')\ndef retriever():\n"
        "    def search(text, k):\n"
        "        assert threading.current_thread() is threading.main_thread()\n        return ['D1']\n"
        "    return search\n",
    )
    assert project.run().exit == 0


def test_threads_see_the_context_variables_of_the_session(project: Project) -> None:
    project.golden(queries(4))
    project.write(
        "conftest.py",
        "import pytest\nfrom contextvars import ContextVar\nUSER = ContextVar('user', default='nobody')\n"
        "@pytest.fixture(scope='session', autouse=True)\ndef login():\n    USER.set('clerk')\n"
        "@pytest.fixture(scope='session')\ndef retriever():\n    return lambda text: [USER.get()]\n",
    )
    run = project.run("--retrieval-concurrency=4")
    assert {one["ranked"][0] for one in run.set()["queries"]} == {"clerk"}


@pytest.mark.parametrize("bad", ["0", "-1", "many", "1.5"])
def test_what_is_no_count_is_refused(project: Project, say: Say, bad: str) -> None:
    project.golden(queries(1))
    run = project.run(*say("concurrency", bad))
    assert run.exit == 4
    assert "expected a whole number of at least 1" in run.text
    assert project.events == []


# -- in advance


def test_what_was_not_selected_is_never_asked(project: Project) -> None:
    project.golden([*queries(4), *queries(4, "phrase")])
    project.run("--retrieval-concurrency=4", "--deselect", "golden.yaml::word::w02", "-k", "word")
    assert sorted(project.asked) == ["text of w01", "text of w03", "text of w04"]
    project.run("--retrieval-concurrency=4", "--retrieval-kind=phrase")
    assert sorted(project.asked) == [f"text of p0{n}" for n in range(1, 5)]


def test_what_is_skipped_is_never_asked(project: Project) -> None:
    project.golden(queries(4))
    project.write(
        "conftest.py",
        (project.path / "conftest.py").read_text()
        + "\n\ndef pytest_collection_modifyitems(items):\n"
        + "    items[2].add_marker(pytest.mark.skip(reason='not today'))\n",
    )
    run = project.run("--retrieval-concurrency=4")
    assert run.set()["not_run"] == 1
    assert sorted(project.asked) == ["text of w01", "text of w02", "text of w04"]


def test_after_the_first_failure_no_more_than_one_block_was_asked(project: Project) -> None:
    project.golden(WORDS)
    project.answer("text of w01", "broken")
    project.run("-x", "--retrieval-concurrency=4")
    # four calls at a time, asked in four rounds
    assert sorted(project.asked) == [f"text of w{n:02}" for n in range(1, 17)]
    project.run("-x")
    assert project.asked == ["text of w01"]


def test_the_error_of_a_query_asked_in_advance_is_told_by_its_own_test(project: Project) -> None:
    project.golden(queries(4))
    project.answer("text of w03", "the index is gone")
    run = project.run("--retrieval-concurrency=4", "-v")
    assert "golden.yaml::word::w02 PASSED" in run.text
    assert "golden.yaml::word::w03 FAILED" in run.text
    assert ">           raise TableError(answer)  # the user's line" in run.text
    assert "golden.yaml:4: query 'w03'" in run.text
    assert "threads.py" not in run.text
    assert "blocks.py" not in run.text


def test_sets_that_share_a_retriever_are_asked_one_after_the_other(project: Project) -> None:
    project.golden(queries(3), "golden_a.yaml")
    project.golden(queries(3, "phrase"), "golden_b.yaml", depth=30)
    project.answer("text of w01", "broken")
    project.run("-x", "--retrieval-concurrency=8")
    assert sorted(project.asked) == ["text of w01", "text of w02", "text of w03"]


def test_a_batch_is_one_call_per_block(project: Project) -> None:
    project.golden(queries(150, "word", "w"))
    project.write(
        "conftest.py",
        "import pytest\nimport table_retriever\n@pytest.fixture(scope='session')\ndef retriever():\n"
        "    class Batch:\n        def search_batch(self, texts, k):\n"
        "            table_retriever.note(f'batch of {len(texts)}')\n"
        "            return [['D1'] for _ in texts]\n    return Batch()\n",
    )
    assert project.run().exit == 0
    assert project.events == ["batch of 64", "batch of 64", "batch of 22"]


# -- beside other plug-ins


@pytest.mark.parametrize("distribution", ["load", "worksteal", "loadscope"])
def test_no_call_is_made_twice_under_workers(project: Project, distribution: str) -> None:
    pytest.importorskip("xdist")
    project.golden([*WORDS, *queries(12, "phrase")])
    run = project.run(*XDIST, "-n", "2", "--dist", distribution, "--retrieval-concurrency=8")
    assert run.exit == 0
    assert all_asked_once(project)


def test_a_worker_asks_its_current_and_its_next_query_together(project: Project) -> None:
    pytest.importorskip("xdist")
    project.golden(queries(8))
    project.write("conftest.py", OVERLAPPING.format(parties=2))
    assert project.run(*XDIST, "-n", "1", "--retrieval-concurrency=8").exit == 0


def test_a_rerun_asks_anew(project: Project) -> None:
    pytest.importorskip("pytest_rerunfailures")
    project.golden(queries(6))
    project.write(
        "conftest.py",
        "import pytest\nimport table_retriever\nSEEN = []\n@pytest.fixture(scope='session')\n"
        "def retriever():\n    def search(text, k):\n        table_retriever.search(text, k)\n"
        "        SEEN.append(text)\n"
        "        if text == 'text of w03' and SEEN.count(text) < 3:\n            raise OSError('again')\n"
        "        return ['D1']\n    return search\n",
    )
    run = project.run("-p", "pytest_rerunfailures", "--reruns=2", "--retrieval-concurrency=4")
    assert run.exit == 0
    assert run.query("w03")["outcome"] == "scored"
    assert sorted(project.asked) == sorted([*(f"text of w0{n}" for n in range(1, 7)), *["text of w03"] * 2])


def test_ordinary_tests_between_the_sets_are_left_alone(project: Project) -> None:
    project.golden([query("q1")], "a/golden.yaml")
    project.golden([query("q2")], "c/golden.yaml")
    project.write("b/test_it.py", "def test_it():\n    pass\n")
    run = project.run("--retrieval-concurrency=4")
    assert run.exit == 0
    assert "3 passed" in run.text
