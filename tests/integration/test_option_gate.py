from __future__ import annotations

import pytest
from inner_project import Project, Say, queries


@pytest.fixture
def measured(project: Project) -> Project:
    project.golden(queries(2))
    assert project.run("--update-baseline").exit == 0
    return project


def gated(project: Project, *args: str) -> list[str]:
    run = project.run("--retrieval-baseline", *args)
    assert [gate["metric"] for gate in run.set()["gates"]] == run.set()["gate_metrics"]
    return list(run.set()["gate_metrics"])


def test_the_defaults(measured: Project) -> None:
    assert gated(measured) == ["recall@5", "ndcg@10"]


def test_every_way_of_saying_it(measured: Project, say: Say) -> None:
    assert gated(measured, *say("gate", ["mrr", "precision@3"])) == ["mrr", "precision@3"]


def test_flag_over_header_over_ini(measured: Project) -> None:
    measured.ini("retrieval_gate = mrr")
    assert gated(measured) == ["mrr"]
    measured.golden(queries(2), gate={"metrics": ["recall@3"]})
    assert gated(measured) == ["recall@3"]
    assert gated(measured, "--retrieval-gate=hit_rate@1") == ["hit_rate@1"]


def test_a_metric_is_gated_once_in_whatever_spelling(measured: Project) -> None:
    assert gated(measured, "--retrieval-gate=recall@5,R@5,recall_5") == ["recall@5"]


def test_an_unknown_metric_is_refused_before_anything_is_asked(measured: Project, say: Say) -> None:
    run = measured.run("--retrieval-baseline", *say("gate", "ndgc@10"))
    assert run.exit == 4
    assert "retrieval-gate" in run.text.replace("_", "-")
    assert "unknown metric 'ndgc@10', did you mean ndcg@10" in run.text
    assert measured.events == []
