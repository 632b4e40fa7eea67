from __future__ import annotations

import os

# Inner runs in this process would each import them anew, and numpy does not take that.
import numpy  # noqa: F401
import pytest
import yaml  # noqa: F401
from inner_project import Project

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
