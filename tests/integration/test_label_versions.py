"""Which labels a report and a baseline speak of: a hash of them, and the name that the team gave them."""

from __future__ import annotations

import json

import pytest
from inner_project import Project, queries, query

from pytest_retrieval.cli import main

OWN = queries(3)


def head(project: Project) -> dict[str, object]:
    return dict(json.loads(project.baselines()["golden.json"]))


def test_report_and_baseline_name_the_same_labels(project: Project) -> None:
    project.golden(OWN, version="2024-06")
    run = project.run("--update-baseline")
    assert (run.set()["labels"], run.set()["version"]) == (head(project)["labels"], "2024-06")
    assert head(project)["version"] == "2024-06"
    assert "golden.yaml: retriever, depth 20, labels version 2024-06" in run.text


def test_the_hash_is_that_of_the_labels_alone(project: Project) -> None:
    project.golden(OWN)
    first = project.run().set()["labels"]
    project.golden([{**row, "kind": "other", "tags": ["new"]} for row in reversed(OWN)])
    assert project.run().set()["labels"] == first
    project.golden([*OWN[:2], query("w03", relevant={"D1": 2})])
    assert project.run().set()["labels"] != first


def test_a_filter_does_not_make_them_other_labels(project: Project) -> None:
    rows = [*OWN, query("x1", "other")]
    project.golden(rows)
    assert project.run("--retrieval-kind=other").set()["labels"] == project.run().set()["labels"]


def test_without_a_version_a_baseline_says_none(project: Project) -> None:
    project.golden(OWN)
    run = project.run("--update-baseline")
    assert run.set()["version"] is None
    assert "version" not in head(project)


def test_another_version_is_told_with_the_comparison(project: Project) -> None:
    project.golden(OWN, version=1)
    assert project.run("--update-baseline").exit == 0
    project.golden(OWN, version=2)
    assert "version of the labels: 1 before, 2 now" in project.run("--retrieval-baseline").set()["notes"]
    project.golden(OWN, version=1)
    assert not any("version" in note for note in project.run("--retrieval-baseline").set()["notes"])


def test_a_diagnosis_of_other_labels_says_so(project: Project, capsys: pytest.CaptureFixture[str]) -> None:
    project.golden(OWN, context=5)
    project.run()
    words = ["diagnose", str(project.path / "report.json"), "--root", str(project.path)]
    assert main(words) == 0
    assert "has other labels now" not in capsys.readouterr().out
    project.golden([*OWN[:2], query("w03", relevant=["D7"])], context=5)
    assert main(words) == 0
    assert "note: golden.yaml has other labels now; these are the report's" in capsys.readouterr().out
