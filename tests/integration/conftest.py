from __future__ import annotations

import json
import os

# Inner runs in this process would each import them anew, and numpy does not take that.
import numpy.fft
import numpy.linalg
import numpy.random  # noqa: F401
import pytest
import yaml  # noqa: F401
from inner_project import Project, Say

import pytest_retrieval.cli
import pytest_retrieval.pytest_side.baselines
import pytest_retrieval.pytest_side.collection
import pytest_retrieval.pytest_side.gate_reports
import pytest_retrieval.reporting.floors
import pytest_retrieval.reporting.json_report
import pytest_retrieval.reporting.update_table  # noqa: F401

# Without byte code every process would rewrite the assertions of all plugins again.
OUTSIDE = ("CI", "BUILD_NUMBER", "PYTHONDONTWRITEBYTECODE")


@pytest.fixture
def project(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Project:
    """An empty project with the table retriever as its session fixture ``retriever``."""
    # The runs inside must not know the workers, the build server and the terminal outside.
    for name in list(os.environ):
        if name.startswith(("PYTEST_XDIST", "COV_CORE", "GITHUB_")) or name in OUTSIDE:
            monkeypatch.delenv(name)
    monkeypatch.setenv("COLUMNS", "200")
    return Project(pytester, monkeypatch)


@pytest.fixture(params=["flag", "ini", "string in TOML", "native TOML", "-o"])
def say(request: pytest.FixtureRequest, project: Project) -> Say:
    """Give one option its value in each of the ways there are; returns the command line's part."""

    def set_option(name: str, value: object) -> list[str]:
        text = ",".join(map(str, value)) if isinstance(value, list) else str(value)
        key = "retrieval_" + name.replace("-", "_")
        if request.param == "flag":
            return [f"--retrieval-{name}={text}"]
        if request.param == "-o":
            return ["-o", f"{key}={text}"]
        if request.param == "ini":
            project.ini(f"{key} = {text}")
            return []
        (project.path / "pytest.ini").unlink()
        if request.param == "native TOML":
            project.write("pyproject.toml", f"[tool.pytest]\n{key} = {json.dumps(value)}\n")
        else:
            project.write("pyproject.toml", f"[tool.pytest.ini_options]\n{key} = {json.dumps(text)}\n")
        return []

    if request.param == "native TOML" and pytest.version_tuple < (9,):
        pytest.skip("native TOML came with pytest 9")
    return set_option
