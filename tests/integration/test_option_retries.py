"""Declared exceptions are tried again; all others fail at once."""

from __future__ import annotations

import pytest
from inner_project import Project, Say, queries

# Each question fails twice before it is answered.
FLAKY = """
import pytest
import table_retriever


class Overloaded(Exception):
    pass


@pytest.fixture(scope="session")
def retriever():
    seen = []

    def search(text, k):
        seen.append(text)
        table_retriever.note(f"try {seen.count(text)} of {text}")
        if seen.count(text) < 3:
            raise ERROR("try again")  # the user's line
        return ["D1"]

    return search
"""


def fails_with(project: Project, error: str) -> None:
    project.write("conftest.py", FLAKY.replace("ERROR", error))


@pytest.fixture
def flaky(project: Project) -> Project:
    project.golden(queries(2))
    fails_with(project, "ConnectionResetError")
    project.ini("retrieval_retry_wait = 0")
    return project


@pytest.fixture
def _tenacity() -> None:
    pytest.importorskip("tenacity")


def test_without_it_nothing_is_tried_again(flaky: Project) -> None:
    run = flaky.run()
    assert (run.exit, run.set()["errors"]) == (1, 2)
    assert flaky.events == ["try 1 of text of w01", "try 1 of text of w02"]


@pytest.mark.usefixtures("_tenacity")
@pytest.mark.parametrize("threads", ["1", "4"])
def test_a_lost_connection_is_tried_again(flaky: Project, threads: str) -> None:
    run = flaky.run("--retrieval-retries=2", f"--retrieval-concurrency={threads}")
    assert run.exit == 0
    assert run.set()["scored"] == 2
    assert sorted(flaky.events) == sorted(f"try {n} of text of w0{q}" for n in (1, 2, 3) for q in (1, 2))


@pytest.mark.usefixtures("_tenacity")
def test_every_way_of_saying_it(project: Project, say: Say) -> None:
    project.golden(queries(1), ask={"retry_wait": 0})
    fails_with(project, "ConnectionResetError")
    assert project.run(*say("retries", 2)).exit == 0


@pytest.mark.usefixtures("_tenacity")
def test_every_way_of_declaring_exceptions(project: Project, say: Say) -> None:
    project.golden(queries(1), ask={"retries": 2, "retry_wait": 0})
    fails_with(project, "Overloaded")
    assert project.run().exit == 1
    assert project.run(*say("retry-on", ["json.JSONDecodeError", "conftest.Overloaded"])).exit == 0


@pytest.mark.usefixtures("_tenacity")
def test_every_way_of_saying_how_long_to_wait(project: Project, say: Say) -> None:
    project.golden(queries(1), ask={"retries": 2})
    fails_with(project, "ConnectionResetError")
    assert project.run(*say("retry-wait", 0)).exit == 0


@pytest.mark.usefixtures("_tenacity")
def test_the_header_says_all_of_it(project: Project) -> None:
    ask = {"retries": 2, "retry_on": ["LookupError"], "retry_wait": 0.001}
    project.golden(queries(1), ask=ask)
    fails_with(project, "KeyError")
    assert project.run().exit == 0
    fails_with(project, "ConnectionResetError")
    assert project.run().exit == 1


@pytest.mark.usefixtures("_tenacity")
def test_when_the_tries_are_used_up_the_last_error_is_the_querys(flaky: Project) -> None:
    run = flaky.run("--retrieval-retries=1")
    assert run.exit == 1
    assert run.query("w01")["error"] == "ConnectionResetError: try again"
    assert ">           raise ConnectionResetError" in run.text
    for ours in ("tenacity", "retrying.py", "blocks.py"):
        assert ours not in run.text
    assert flaky.events[:2] == ["try 1 of text of w01", "try 2 of text of w01"]


@pytest.mark.parametrize(
    ("declared", "told"),
    [("no_such_package.Error", "cannot be imported"), ("json.dumps", "is no exception")],
)
@pytest.mark.usefixtures("_tenacity")
def test_what_is_no_exception_is_refused_before_anything_is_asked(
    flaky: Project, declared: str, told: str
) -> None:
    flaky.golden(queries(2), ask={"retries": 1, "retry_on": [declared]})
    run = flaky.run()
    assert run.exit == 2
    assert f"golden.yaml:1: retry_on names {declared!r}" in run.text
    assert told in run.text
    assert flaky.events == []


def test_without_tenacity_the_extra_is_named_before_anything_is_asked(flaky: Project) -> None:
    flaky.write("tenacity.py", "raise ModuleNotFoundError('hidden', name='tenacity')\n")
    with flaky.monkeypatch.context() as patched:
        patched.delitem(__import__("sys").modules, "tenacity", raising=False)
        run = flaky.run("--retrieval-retries=1")
    assert run.exit == 2
    assert 'pip install "pytest-retrieval[retries]"' in run.text
    assert flaky.events == []


@pytest.mark.parametrize(("name", "bad"), [("retries", "-1"), ("retries", "often"), ("retry-wait", "-1")])
def test_what_is_no_number_is_refused(flaky: Project, say: Say, name: str, bad: str) -> None:
    run = flaky.run(*say(name, bad))
    assert run.exit == 4
    assert "of at least 0" in run.text
    assert flaky.events == []
