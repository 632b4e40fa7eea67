from __future__ import annotations

from inner_project import FIXTURE, Project, queries

OWNER = (
    FIXTURE
    + """

def pytest_addoption(parser):
    parser.addoption("--update-baseline", action="store_true", help="pictures, not rankings")
"""
)


def test_the_short_flag_updates(project: Project) -> None:
    project.golden(queries(2))
    assert project.run("--update-baseline").exit == 0
    assert list(project.baselines()) == ["golden.json"]


def test_the_short_flag_is_in_the_help(project: Project) -> None:
    assert "short for --retrieval-update-baseline" in project.run("--help").text


def test_a_conftest_that_owns_the_short_flag_keeps_it(project: Project) -> None:
    project.write("conftest.py", OWNER)
    project.golden(queries(2))
    run = project.run("--update-baseline")
    assert run.exit == 0
    assert project.baselines() == {}
    assert "write --retrieval-update-baseline instead" in run.text


def test_the_long_flag_works_where_the_short_one_is_taken(project: Project) -> None:
    project.write("conftest.py", OWNER)
    project.golden(queries(2))
    assert project.run("--retrieval-update-baseline").exit == 0
    assert list(project.baselines()) == ["golden.json"]


def test_the_owner_hears_nothing_from_us_without_golden_sets(project: Project) -> None:
    project.write("conftest.py", OWNER)
    project.write(
        "test_it.py", "def test_it(pytestconfig):\n    assert pytestconfig.getoption('update_baseline')\n"
    )
    run = project.run("--update-baseline")
    assert run.exit == 0
    assert "retrieval" not in run.text.partition("collected")[2]


def test_comparing_and_updating_at_once_is_refused(project: Project) -> None:
    project.golden(queries(2))
    run = project.run("--retrieval-baseline", "--update-baseline")
    assert run.exit == 4
    assert "give one of them" in run.text
    assert project.events == []
