"""What a run leaves for the build server that runs it."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from inner_project import Project, Run, queries, query


@pytest.fixture
def red(project: Project) -> Project:
    """Two kinds of twelve, one of which has lost everything since the baseline."""
    project.golden([*queries(12, "word"), *queries(12, "phrase")])
    project.run("--update-baseline")
    project.fall(queries(12, "word"))
    return project


def annotations(run: Run) -> list[str]:
    return [line for line in run.lines if line.startswith("::")]


@pytest.fixture
def summary(project: Project, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file that GitHub's runner names."""
    place = project.path / "summary.md"
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(place))
    return place


def test_the_summary_is_written_by_itself(red: Project, summary: Path) -> None:
    assert red.run("--retrieval-baseline", report=False).exit == 1
    text = summary.read_text("utf-8")
    assert text.startswith("<!-- pytest-retrieval -->\n## ❌ Search got worse\n")
    assert "- Got worse: **<code>word</code>**: recall@5 fell 1.000 (1.000 -> 0.000)" in text
    assert "--retrieval-update-anchor" in text


def test_it_is_the_markdown_report(red: Project, summary: Path) -> None:
    red.run("--retrieval-baseline", "--retrieval-report=report.md")
    assert summary.read_text("utf-8") == (red.path / "report.md").read_text("utf-8")


def test_a_run_without_golden_sets_leaves_it_alone(project: Project, summary: Path) -> None:
    project.write("test_it.py", "def test_it():\n    pass\n")
    assert project.run(report=False).exit == 0
    assert not summary.exists()


def test_a_run_that_stopped_early_says_so(red: Project, summary: Path) -> None:
    red.answer("text of w01", "broken")
    red.run("-x", "--retrieval-baseline", report=False)
    assert "Not everything was judged" in summary.read_text("utf-8")


@pytest.mark.parametrize("after", ["word", "phrase"])
def test_a_summary_that_cannot_be_written_changes_nothing(
    red: Project, monkeypatch: pytest.MonkeyPatch, after: str
) -> None:
    if after == "phrase":
        red.answers(queries(12, "word"))
    usual = red.run("--retrieval-baseline")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(red.path / "no" / "such" / "folder"))
    run = red.run("--retrieval-baseline")
    assert (run.exit, run.status) == (usual.exit, usual.status)
    assert "the step summary was not written: No such file or directory" in run.text


def test_failing_gates_are_annotated_in_github_actions_only(
    red: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert annotations(red.run("--retrieval-baseline")) == []
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    lines = annotations(red.run("--retrieval-baseline"))
    assert lines[0].startswith("::error file=golden.yaml,line=2,title=retrieval%3A word::recall@5 fell 1.000")
    assert len(lines) == 2 + 5
    assert all(line.startswith("::warning file=golden.yaml,line=") for line in lines[2:])


def test_paths_count_from_the_checkout(red: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("GITHUB_WORKSPACE", str(red.path.parent))
    lines = annotations(red.run("--retrieval-baseline"))
    assert lines[0].startswith(f"::error file={red.path.name}/golden.yaml,line=2,")


def test_nothing_that_a_query_says_becomes_a_command(
    project: Project, monkeypatch: pytest.MonkeyPatch, summary: Path
) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    hostile = "100% done\n::error file=x,line=1::injected\r\n::stop-commands::t ##[error]injected"
    rows = [query(f"::warning::{n} ##[error]", text=f"{hostile} {n}") for n in range(11)]
    project.golden([*rows, query("last", text=f"::set-output {hostile}")], "golden.jsonl")
    project.run("--update-baseline")
    project.fall(rows)
    project.answer(f"::set-output {hostile}", "a failure that quotes the query: ##[warning] ::error::x")
    run = project.run("--retrieval-baseline", "--retrieval-max-errors=1", "-v", "-ra")
    for line in run.lines:
        if line.lstrip().startswith("::"):
            assert line.startswith(("::error file=golden.jsonl,", "::warning file=golden.jsonl,")), line
    ours = [line for line in run.lines if "a failure that quotes" not in line]
    assert not any("##[" in line for line in ours)


def test_code_quality_is_written_for_gitlab(red: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI_PROJECT_DIR", str(red.path.parent))
    red.run("--retrieval-baseline", "--retrieval-report=gl.codequality.json")
    entries = json.loads((red.path / "gl.codequality.json").read_text("utf-8"))
    assert entries[0]["location"] == {"path": f"{red.path.name}/golden.yaml", "lines": {"begin": 2}}
    assert entries[0]["severity"] == "major"


def test_workers_write_nothing(red: Project, summary: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    alone = red.run("--retrieval-baseline")
    text = summary.read_text("utf-8")
    summary.unlink()
    together = red.run("--retrieval-baseline", "-p", "xdist.plugin", "-n", "2")
    assert summary.read_text("utf-8") == text
    assert annotations(together) == annotations(alone)
    assert os.environ["GITHUB_STEP_SUMMARY"]
