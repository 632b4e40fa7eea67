from __future__ import annotations

import pytest
from inner_project import Project, queries


@pytest.fixture
def measured(project: Project) -> Project:
    project.golden(queries(2))
    assert project.run("--update-baseline").exit == 0
    return project


def test_without_it_nothing_is_compared(measured: Project) -> None:
    run = measured.run()
    assert (run.exit, run.status) == (0, "measured")
    assert run.set()["gates"] == []


def test_it_takes_no_value_so_that_a_path_behind_it_stays_a_path(measured: Project) -> None:
    measured.golden(queries(1, "phrase"), "golden_other.yaml")
    run = measured.run("--retrieval-baseline", "golden.yaml")
    assert (run.exit, run.status) == (0, "pass")
    assert [one["golden"] for one in run.report["sets"]] == ["golden.yaml"]


@pytest.mark.parametrize("value", ["true", "True", "yes", "on", "1"])
def test_an_ini_file_can_ask_for_it_in_every_run(measured: Project, value: str) -> None:
    measured.ini(f"retrieval_baseline = {value}")
    assert measured.run().status == "pass"


@pytest.mark.parametrize("value", ["false", "no", "off", "0"])
def test_an_ini_file_can_say_no(measured: Project, value: str) -> None:
    measured.ini(f"retrieval_baseline = {value}")
    assert measured.run().status == "measured"
    assert measured.run("--retrieval-baseline").status == "pass"


@pytest.mark.parametrize("table", ["tool.pytest", "tool.pytest.ini_options"])
def test_native_toml(measured: Project, table: str) -> None:
    if table == "tool.pytest" and pytest.version_tuple < (9,):
        pytest.skip("native TOML came with pytest 9")
    (measured.path / "pytest.ini").unlink()
    measured.write("pyproject.toml", f"[{table}]\nretrieval_baseline = true\n")
    assert measured.run().status == "pass"


def test_the_command_lines_ini_value(measured: Project) -> None:
    assert measured.run("-o", "retrieval_baseline=true").status == "pass"
    measured.ini("retrieval_baseline = true")
    assert measured.run("-o", "retrieval_baseline=false").status == "measured"


def test_an_update_goes_before_the_ini_files_comparison(measured: Project) -> None:
    measured.ini("retrieval_baseline = true")
    measured.answer("text of w01", ["D9"])
    assert measured.run("--update-baseline").exit == 0
    assert measured.run().status == "pass"


def test_another_word_is_refused(measured: Project) -> None:
    measured.ini("retrieval_baseline = maybe")
    run = measured.run()
    assert run.exit == 4
    assert "retrieval_baseline = 'maybe': expected true or false" in run.text
    assert measured.events == []


def test_an_unknown_option_of_ours_is_no_silent_no(measured: Project) -> None:
    assert measured.run("--retrieval-basline").exit == 4


def test_the_file_does_not_repeat_the_queries_that_a_kind_has_named(project: Project) -> None:
    rows = [*queries(12), *queries(12, "phrase")]
    project.golden(rows)
    project.run("--update-baseline")
    project.fall(rows[:12])
    run = project.run("--retrieval-baseline")
    assert run.failures.count("worst queries") == 1
