"""``pytest.skip()`` inside the retriever: the project itself says that it cannot be asked here."""

from __future__ import annotations

import pytest
from inner_project import Project, queries

SKIPPING = """
import pytest
import table_retriever


@pytest.fixture(scope="session")
def retriever():
    table_retriever.note("built")
    pytest.skip("no index on this machine")
"""


@pytest.fixture
def skipping(project: Project) -> Project:
    project.golden(queries(3))
    assert project.run("--update-baseline").exit == 0
    project.write("conftest.py", SKIPPING)
    return project


def test_a_plain_run_is_skipped_and_green_but_not_complete(skipping: Project) -> None:
    run = skipping.run("-rs")
    assert (run.exit, run.status) == (0, "incomplete")
    assert "3 skipped" in run.text
    assert "no index on this machine" in run.text
    assert {one["outcome"] for one in run.set()["queries"]} == {"not run"}


def test_the_reason_is_asked_for_once(skipping: Project) -> None:
    skipping.run()
    assert skipping.events == ["built"]


def test_a_comparison_that_was_asked_for_is_not_evaluated_and_red(skipping: Project) -> None:
    run = skipping.run("--retrieval-baseline")
    assert (run.exit, run.status) == (1, "incomplete")
    assert run.gate()["verdict"] == "not evaluated"
    assert "FAILED golden.yaml - not evaluated: " in run.text


def test_an_update_is_refused(skipping: Project) -> None:
    before = skipping.baselines()
    run = skipping.run("--update-baseline")
    assert run.exit == 1
    assert "baseline not updated: 3 of 3 queries were not run" in run.text
    assert skipping.baselines() == before


def test_floors_alone_stay_green(project: Project) -> None:
    project.golden(queries(3), gate={"floors": {"recall@5": 0.5}})
    project.write("conftest.py", SKIPPING)
    run = project.run()
    assert (run.exit, run.status) == (0, "incomplete")
    assert run.gate(against="floor")["verdict"] == "not evaluated"


def test_a_skip_while_searching_skips_that_query(project: Project) -> None:
    project.golden(queries(2))
    project.write(
        "conftest.py",
        "import pytest\n@pytest.fixture(scope='session')\ndef retriever():\n"
        "    def search(text, k):\n        if text.endswith('1'):\n            pytest.skip('too long')\n"
        "        return ['D1']\n    return search\n",
    )
    run = project.run()
    assert (run.exit, run.status) == (0, "incomplete")
    assert "1 passed, 1 skipped" in run.text
    assert run.query("w01")["outcome"] == "not run"
    assert run.query("w02")["outcome"] == "scored"
