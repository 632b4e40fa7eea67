from __future__ import annotations

import pytest
from inner_project import Project, Say, queries


def golden_sets(project: Project, *args: str) -> list[str]:
    return sorted(one["golden"] for one in project.run(*args).report.get("sets", []))


@pytest.fixture
def named_otherwise(project: Project) -> Project:
    project.golden(queries(1), "eval/questions.yaml")
    project.golden(queries(1, "phrase"), "eval/deep/more.jsonl")
    project.golden(queries(1, "identifier"), "golden.yaml")
    return project


def test_without_it_only_golden_names_are_found(named_otherwise: Project) -> None:
    assert golden_sets(named_otherwise) == ["golden.yaml"]


def test_every_way_of_saying_it(named_otherwise: Project, say: Say) -> None:
    args = say("files", ["eval/*.yaml", "eval/**/*.jsonl"])
    assert golden_sets(named_otherwise, *args) == [
        "eval/deep/more.jsonl",
        "eval/questions.yaml",
        "golden.yaml",
    ]


@pytest.mark.parametrize(
    ("glob", "found"),
    [
        ("eval/questions.yaml", ["eval/questions.yaml"]),
        ("./eval/questions.yaml", ["eval/questions.yaml"]),
        ("**/questions.yaml", ["eval/questions.yaml"]),
        ("eval/**/questions.yaml", ["eval/questions.yaml"]),
        ("questions.yaml", []),
        ("*.json", []),
    ],
)
def test_globs_are_relative_to_the_root(named_otherwise: Project, glob: str, found: list[str]) -> None:
    (named_otherwise.path / "golden.yaml").unlink()
    assert golden_sets(named_otherwise, f"--retrieval-files={glob}") == found


def test_a_star_stays_within_its_folder(named_otherwise: Project) -> None:
    named_otherwise.golden(queries(1, "far"), "eval/deep/far.yaml")
    assert golden_sets(named_otherwise, "--retrieval-files=eval/*.yaml") == [
        "eval/questions.yaml",
        "golden.yaml",
    ]


def test_they_count_from_the_root_wherever_one_stands(named_otherwise: Project) -> None:
    run = named_otherwise.run("--retrieval-files=eval/*.yaml", folder="eval")
    assert [one["golden"] for one in run.report["sets"]] == ["eval/questions.yaml"]


def test_a_local_file_is_taken_when_a_glob_says_so(project: Project) -> None:
    project.golden(queries(1), "golden.local.yaml")
    assert golden_sets(project) == []
    assert golden_sets(project, "--retrieval-files=golden.local.yaml") == ["golden.local.yaml"]


@pytest.mark.parametrize("content", ["", "key: value\n", "- 1\n- 2\n"])
def test_files_are_read_strictly(project: Project, content: str) -> None:
    project.write("eval/settings.yaml", content)
    run = project.run("--retrieval-files=eval/*.yaml")
    assert run.exit == 2
    assert "eval/settings.yaml: holds no queries" in run.text
    assert "Traceback" not in run.text


def test_an_empty_list_is_refused(project: Project) -> None:
    run = project.run("--retrieval-files=,")
    assert run.exit == 4
    assert "--retrieval-files" in run.text
