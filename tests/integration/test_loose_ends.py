"""What leads nowhere is told at the end of a whole run."""

from __future__ import annotations

from inner_project import Project, queries

GONE = "baselines/golden.json: the golden set of this baseline is gone"


def test_a_baseline_whose_golden_set_was_moved_is_named(project: Project) -> None:
    project.golden(queries(1))
    project.run("--update-baseline")
    (project.path / "golden.yaml").rename(project.path / "golden_moved.yaml")
    run = project.run("--retrieval-baseline")
    assert run.exit == 1
    assert GONE in run.text
    assert "git rm baselines/golden.json" in run.text


def test_it_is_not_named_when_the_command_line_chose_a_file(project: Project) -> None:
    project.golden(queries(1))
    project.run("--update-baseline")
    (project.path / "golden.yaml").rename(project.path / "golden_moved.yaml")
    assert GONE not in project.run("golden_moved.yaml").text


def test_a_baseline_with_its_golden_set_is_no_loose_end(project: Project) -> None:
    project.golden(queries(1), "search/golden_a.jsonl")
    project.run("--update-baseline")
    assert "is gone" not in project.run("--retrieval-baseline").text


def test_other_files_beside_the_baselines_are_nobodys_loose_end(project: Project) -> None:
    project.golden(queries(1))
    project.write("baselines/notes.json", '{"format": "something else"}')
    project.write("baselines/broken.json", "[")
    assert "is gone" not in project.run().text


def test_a_glob_that_matches_nothing_is_named(project: Project) -> None:
    project.golden(queries(1))
    run = project.run("--retrieval-files=eval/*.yaml,golden.yaml")
    assert "retrieval_files: eval/*.yaml matches no golden set that was collected" in run.text
    assert "retrieval_files: golden.yaml" not in run.text
