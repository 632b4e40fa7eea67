"""A baseline that is missing is a failed gate; a damaged one stops the run before anything is asked."""

from __future__ import annotations

import json

import pytest
from inner_project import Project, queries


@pytest.fixture
def accepted(project: Project) -> Project:
    project.golden(queries(3))
    assert project.run("--update-baseline").exit == 0
    return project


# -- missing


def test_a_missing_baseline_is_red_and_incomplete(project: Project) -> None:
    project.golden(queries(3))
    run = project.run("--retrieval-baseline")
    assert (run.exit, run.status) == (1, "incomplete")
    assert run.gate()["verdict"] == "not evaluated"
    assert run.gate()["reason"].startswith("no baseline at baselines/golden.json")
    assert "FAILED golden.yaml - not evaluated: recall@5: no baseline at baselines/golden.json" in run.text
    assert "pytest --update-baseline" in run.text
    assert len(project.asked) == 3


def test_a_missing_baseline_is_red_beside_a_present_one(accepted: Project) -> None:
    accepted.golden(queries(3, "phrase"), "golden_more.yaml")
    run = accepted.run("--retrieval-baseline")
    assert (run.exit, run.status) == (1, "incomplete")
    assert run.gate()["verdict"] == "unchanged"
    assert run.gate("golden_more.yaml")["verdict"] == "not evaluated"


def test_a_regression_elsewhere_goes_before_a_missing_baseline(project: Project) -> None:
    project.golden(queries(12))
    project.run("--update-baseline")
    project.golden(queries(1, "phrase"), "golden_more.yaml")
    project.fall(queries(12))
    run = project.run("--retrieval-baseline")
    assert (run.exit, run.status) == (1, "regression")


# -- damaged


def damaged(content: bytes, damage: str) -> bytes:
    text = content.decode()
    if damage == "merge conflict":
        return f"<<<<<<< HEAD\n{text}=======\n{text}>>>>>>> branch\n".encode()
    if damage == "conflict within":
        return text.replace('"w02":', '<<<<<<< HEAD\n"w02":', 1).encode()
    if damage == "another ranking":
        return text.replace('"ranked": ["D1"]', '"ranked": ["D2"]', 1).encode()
    if damage == "a row is gone":
        lines = [line for line in text.splitlines() if not line.startswith('"w02"')]
        return "\n".join(lines).encode()
    if damage == "another format":
        return text.replace("pytest-retrieval-baseline/1", "pytest-retrieval-baseline/9").encode()
    if damage == "a field is gone":
        data = json.loads(text)
        del data["depth"]
        return json.dumps(data).encode()
    if damage == "cut off":
        return content[: len(content) // 2]
    return {"empty": b"", "a list": b"[]", "bytes": b"\xff\xfe\x00", "not a number": b'{"format": NaN}'}[
        damage
    ]


DAMAGES = [
    *("merge conflict", "conflict within", "another ranking", "a row is gone", "another format"),
    *("a field is gone", "cut off", "empty", "a list", "bytes", "not a number"),
]


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_baseline_stops_the_run_before_anything_is_asked(accepted: Project, damage: str) -> None:
    content = damaged(accepted.baselines()["golden.json"], damage)
    accepted.write("baselines/golden.json", content)
    run = accepted.run("--retrieval-baseline")
    assert run.exit == 4
    errors = [line for line in run.lines if line.startswith("ERROR: ")]
    assert len(errors) == 1
    assert errors[0].startswith("ERROR: baselines/golden.json")
    assert "restore it: git checkout HEAD -- baselines/golden.json, or write it anew" in errors[0]
    assert 'pytest --update-baseline golden.yaml --retrieval-update-anchor="reason"' in errors[0]
    assert ("merge conflict" in errors[0]) == ("conflict" in damage)
    assert "Traceback" not in run.text
    assert accepted.events == []
    assert run.status == "incomplete"
    assert accepted.baselines()["golden.json"] == content


def test_a_damaged_baseline_does_not_hinder_a_run_that_does_not_need_it(accepted: Project) -> None:
    accepted.write("baselines/golden.json", "{")
    assert accepted.run().exit == 0


def test_a_damaged_baseline_stops_parallel_runs_too(accepted: Project) -> None:
    accepted.write("baselines/golden.json", damaged(accepted.baselines()["golden.json"], "another ranking"))
    run = accepted.run("-p", "xdist.plugin", "-n", "2", "--retrieval-baseline")
    assert run.exit == 4
    assert "its rows do not match the digest in its head" in run.text
    assert "Traceback" not in run.text
    assert accepted.events == []


def test_other_line_ends_are_no_damage(accepted: Project) -> None:
    # as git may check it out on Windows
    accepted.write("baselines/golden.json", accepted.baselines()["golden.json"].replace(b"\n", b"\r\n"))
    assert accepted.run("--retrieval-baseline").status == "pass"


def test_a_folder_in_its_place_is_told(accepted: Project) -> None:
    (accepted.path / "baselines/golden.json").unlink()
    (accepted.path / "baselines/golden.json").mkdir()
    run = accepted.run("--retrieval-baseline")
    assert run.exit == 4
    assert "baselines/golden.json" in run.text
    assert accepted.events == []
