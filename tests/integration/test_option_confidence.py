from __future__ import annotations

import pytest
from inner_project import Project, Say, queries


@pytest.fixture
def fallen(project: Project) -> Project:
    """Twelve of twelve queries fell: one metric, one slice, so p is 1 in 4096 = 0.00024."""
    project.golden(queries(12), gate={"metrics": ["recall@5"]})
    assert project.run("--update-baseline").exit == 0
    project.fall(queries(12))
    return project


def verdict(project: Project, *args: str) -> str:
    gate = project.run("--retrieval-baseline", *args).gate()
    assert gate["p"] == pytest.approx(2**-12)
    return str(gate["verdict"])


def test_the_default_is_95_percent(fallen: Project) -> None:
    assert verdict(fallen) == "regression"


def test_every_way_of_saying_it(fallen: Project, say: Say) -> None:
    assert verdict(fallen, *say("confidence", 0.9999)) == "pass"


def test_flag_over_header_over_ini(fallen: Project) -> None:
    fallen.ini("retrieval_confidence = 0.9999")
    assert verdict(fallen) == "pass"
    fallen.golden(queries(12), gate={"metrics": ["recall@5"], "confidence": 0.99})
    fallen.fall(queries(12))
    assert verdict(fallen) == "regression"
    assert verdict(fallen, "--retrieval-confidence=0.9999") == "pass"


@pytest.mark.parametrize("bad", ["0.5", "1", "95", "high", "nan"])
def test_a_value_out_of_range_is_refused(fallen: Project, say: Say, bad: str) -> None:
    run = fallen.run("--retrieval-baseline", *say("confidence", bad))
    assert run.exit == 4
    assert "retrieval-confidence" in run.text.replace("_", "-")
    assert "expected a number between 0.5 and 1" in run.text
    assert fallen.events == []
