from __future__ import annotations

import pytest
from inner_project import Project, Say, queries


@pytest.fixture
def paid(project: Project) -> Project:
    """A retriever that costs money: it is asked on request only."""
    project.ini("retrieval_run = on_request")
    project.golden(queries(2), "search/golden.yaml")
    project.write("search/test_it.py", "def test_it():\n    pass\n")
    return project


def test_every_way_of_saying_it(project: Project, say: Say) -> None:
    project.golden(queries(2))
    assert project.run(*say("run", "on_request")).exit == 5
    assert project.events == []


def test_an_ordinary_run_asks_nothing(paid: Project) -> None:
    run = paid.run()
    assert (run.exit, paid.events) == (0, [])
    assert "1 passed" in run.text


@pytest.mark.parametrize("named", ["search", "search/test_it.py"])
def test_naming_its_folder_or_its_neighbour_asks_nothing(paid: Project, named: str) -> None:
    assert paid.run(named).exit == 0
    assert paid.events == []


@pytest.mark.parametrize(
    "named", ["search/golden.yaml", "./search/../search/golden.yaml", "search/golden.yaml::word"]
)
def test_naming_the_golden_set_asks(paid: Project, named: str) -> None:
    assert paid.run(named).exit == 0
    assert len(paid.asked) == 2


def test_naming_one_query_asks_that_one(paid: Project) -> None:
    assert paid.run("search/golden.yaml::word::w02").exit == 0
    assert paid.asked == ["text of w02"]


@pytest.mark.parametrize("flag", ["--update-baseline", "--retrieval-update-baseline"])
def test_a_baseline_flag_asks(paid: Project, flag: str) -> None:
    assert paid.run(flag).exit == 0
    assert len(paid.asked) == 2
    assert paid.run("--retrieval-baseline").exit == 0
    assert len(paid.asked) == 2


def test_other_golden_sets_are_not_asked_when_one_is_named(paid: Project) -> None:
    paid.golden(queries(1, "phrase"), "golden_other.yaml")
    assert paid.run("search").exit == 0
    assert paid.run("search/golden.yaml", "test_nothing.py").exit == 4
    assert paid.run("golden_other.yaml", "search").exit == 0
    assert paid.asked == ["text of p01"]


def test_a_flag_turns_the_ini_value_off(paid: Project) -> None:
    assert paid.run("--retrieval-run=always").exit == 0
    assert len(paid.asked) == 2


def test_another_word_is_refused(project: Project, say: Say) -> None:
    project.golden(queries(1))
    run = project.run(*say("run", "never"))
    assert run.exit == 4
    assert "retrieval-run" in run.text.replace("_", "-")
    assert "expected 'always' or 'on_request'" in run.text
