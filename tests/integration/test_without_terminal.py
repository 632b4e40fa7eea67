from __future__ import annotations

from inner_project import Project, queries


def test_a_run_without_the_terminal_plugin_measures_and_judges(project: Project) -> None:
    project.golden(queries(12))
    assert project.run("-p", "no:terminal", "--update-baseline").exit == 0
    run = project.run("-p", "no:terminal", "--retrieval-baseline")
    assert (run.exit, run.status) == (0, "pass")
    assert "recall@5" not in run.text
    project.fall(queries(12))
    run = project.run("-p", "no:terminal", "--retrieval-baseline")
    assert (run.exit, run.status) == (1, "regression")


def test_quiet_and_summary_free_runs_end_alike(project: Project) -> None:
    project.golden(queries(2))
    for options in (["-q"], ["-qq"], ["-v"], ["-vv"], ["--no-header", "--no-summary"], ["-s"]):
        run = project.run(*options)
        assert (run.exit, run.status) == (0, "measured"), options
