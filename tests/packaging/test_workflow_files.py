"""The workflow files, ours and those to copy: valid, and harmless for pull requests of forks."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

import pytest_retrieval
from pytest_retrieval.commands.starter_files import workflow_text
from pytest_retrieval.reporting.markdown_report import MARK

ROOT = Path(__file__).resolve().parents[2]
TO_COPY = sorted((ROOT / "examples" / "workflows").glob("*.yml"))
COMMENT = ROOT / "examples" / "workflows" / "retrieval-comment.yml"
GATES = [path for path in TO_COPY if path != COMMENT]
OURS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
EXACTLY = "the sdist holds no workflows of the repository"


def read(path: Path) -> dict[Any, Any]:
    data = yaml.safe_load(path.read_text("utf-8"))
    assert isinstance(data, dict)
    return data


def triggers(workflow: dict[Any, Any]) -> dict[str, Any]:
    return dict(workflow[True])  # YAML 1.1 reads the key `on` as a truth value


def steps(workflow: dict[Any, Any]) -> list[dict[str, Any]]:
    return [step for job in workflow["jobs"].values() for step in job["steps"]]


@pytest.fixture
def written_by_init(tmp_path: Path) -> list[Path]:
    files = [tmp_path / "bm25.yml", tmp_path / "fixture.yml"]
    files[0].write_text(workflow_text(retriever="bm25"), "utf-8")
    files[1].write_text(workflow_text(retriever=None), "utf-8")
    return files


@pytest.mark.skipif(
    importlib.util.find_spec("check_jsonschema") is None, reason="check-jsonschema is not installed"
)
def test_every_workflow_is_valid_by_githubs_schema(written_by_init: list[Path]) -> None:
    schema = ["--builtin-schema", "vendor.github-workflows"]
    done = subprocess.run(
        [sys.executable, "-m", "check_jsonschema", *schema, *map(str, [*OURS, *TO_COPY, *written_by_init])],
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_init_writes_the_workflow_that_is_there_to_copy() -> None:
    copied = (ROOT / "examples" / "workflows" / "retrieval.yml").read_text("utf-8")
    assert workflow_text(retriever="bm25") == copied


@pytest.mark.parametrize("path", [*TO_COPY, *OURS], ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_workflow_reads_only_and_needs_no_secret(path: Path) -> None:
    workflow = read(path)
    assert workflow["permissions"] == {"contents": "read"}
    assert "pull_request_target" not in triggers(workflow)
    assert "secrets." not in path.read_text("utf-8")
    for step in steps(workflow):
        if str(step.get("uses", "")).startswith("actions/checkout@"):
            assert step["with"]["persist-credentials"] is False


@pytest.mark.parametrize("path", GATES, ids=lambda path: path.name)
def test_a_gate_to_copy_keeps_its_report_when_it_is_red(path: Path) -> None:
    for job in read(path)["jobs"].values():
        checkout, python, _, gate, upload = job["steps"]
        assert checkout["with"]["fetch-depth"] == 0
        assert python["with"]["cache"] == "pip"
        assert "--retrieval-baseline" in gate["run"]
        assert upload["if"] == "${{ !cancelled() }}"
        assert set(upload["with"]["path"].split()) == {"retrieval.json", "retrieval.md", "junit.xml"}


def test_the_comment_is_written_by_a_workflow_that_runs_nothing_of_the_change() -> None:
    workflow = read(COMMENT)
    assert triggers(workflow) == {"workflow_run": {"workflows": ["retrieval"], "types": ["completed"]}}
    assert read(ROOT / "examples" / "workflows" / "retrieval.yml")["name"] == "retrieval"
    (job,) = workflow["jobs"].values()
    assert job["permissions"] == {"actions": "read", "pull-requests": "write"}
    assert "pull_request" in job["if"]
    assert not any("checkout" in str(step.get("uses")) for step in job["steps"])
    # What a stranger can name reaches the script as data, never as a part of it.
    for step in job["steps"]:
        assert "${{" not in step.get("run", "")
    download, comment = job["steps"]
    assert download["with"]["name"] == "retrieval-report"
    assert download["with"]["run-id"] == "${{ github.event.workflow_run.id }}"
    assert MARK in comment["run"]
    assert "65" in comment["run"]  # the limit of a comment


def test_the_smoke_set_is_for_changes_and_the_whole_set_for_the_night() -> None:
    workflow = read(ROOT / "examples" / "workflows" / "smoke-and-nightly.yml")
    assert set(triggers(workflow)) == {"pull_request", "schedule", "workflow_dispatch"}
    smoke, full = workflow["jobs"]["smoke"], workflow["jobs"]["full"]
    assert "--retrieval-tag=smoke" in smoke["steps"][3]["run"]
    assert "--retrieval-tag" not in full["steps"][3]["run"]
    assert "== 'pull_request'" in smoke["if"]
    assert "!= 'pull_request'" in full["if"]


@pytest.mark.skipif(not OURS, reason=EXACTLY)
def test_the_tests_run_on_every_python_and_both_systems() -> None:
    matrix = read(ROOT / ".github" / "workflows" / "tests.yml")["jobs"]["tests"]["strategy"]["matrix"]
    assert matrix["python"] == ["3.10", "3.11", "3.12", "3.13", "3.14"]
    assert matrix["os"] == ["ubuntu-latest", "windows-latest"]
    assert {(one["os"], one["pytest"]) for one in matrix["include"]} == {
        (system, "pytest==8.2.*") for system in matrix["os"]
    }


@pytest.mark.skipif(not OURS, reason=EXACTLY)
def test_a_release_is_built_once_and_only_its_publishing_may_ask_for_an_identity() -> None:
    workflow = read(ROOT / ".github" / "workflows" / "release.yml")
    assert set(triggers(workflow)) == {"push"}
    assert set(triggers(workflow)["push"]) == {"tags"}
    build, publish = workflow["jobs"]["build"], workflow["jobs"]["publish"]
    assert "permissions" not in build
    assert publish["permissions"] == {"id-token": "write"}
    assert publish["environment"]["name"] == "pypi"
    assert publish["needs"] == "build"
    assert [step["uses"].partition("@")[0] for step in publish["steps"]] == [
        "actions/download-artifact",
        "pypa/gh-action-pypi-publish",
    ]


@pytest.mark.skipif(not OURS, reason=EXACTLY)
def test_the_release_reads_the_version_from_the_one_place_that_has_it() -> None:
    source = (ROOT / "pytest_retrieval" / "__init__.py").read_text("utf-8").splitlines()
    # the line that release.yml looks for
    assert f'__version__ = "{pytest_retrieval.__version__}"' in source
    pyproject = (ROOT / "pyproject.toml").read_text("utf-8")
    assert 'path = "pytest_retrieval/__init__.py"' in pyproject
    assert "\nversion =" not in pyproject


@pytest.mark.skipif(not (ROOT / ".pre-commit-hooks.yaml").exists(), reason=EXACTLY)
def test_the_hooks_gate_before_a_push_and_take_no_file_names() -> None:
    hooks = {
        hook["id"]: hook for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    }
    assert {name: hook["language"] for name, hook in hooks.items()} == {
        "retrieval-gate": "system",
        "retrieval-gate-bm25": "python",
    }
    for hook in hooks.values():
        assert hook["entry"] == "pytest --retrieval-baseline"
        assert hook["stages"] == ["pre-push"]
        assert hook["pass_filenames"] is False
        assert hook["always_run"] is True
