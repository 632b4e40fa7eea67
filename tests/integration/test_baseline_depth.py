from __future__ import annotations

import pytest
from inner_project import Project, queries


@pytest.fixture
def accepted(project: Project) -> Project:
    """A baseline of depth 20."""
    project.golden(queries(2))
    assert project.run("--update-baseline").exit == 0
    return project


def test_a_cut_off_beyond_the_baseline_is_not_evaluated(accepted: Project) -> None:
    run = accepted.run("--retrieval-baseline", "--retrieval-gate=recall@30,recall@5")
    assert (run.exit, run.status) == (1, "incomplete")
    assert run.set()["depth"] == 30
    assert run.gate(metric="recall@30")["verdict"] == "not evaluated"
    assert run.gate(metric="recall@30")["reason"].startswith(
        "recall@30 needs 30 results per query, the baseline holds 20"
    )
    assert run.gate(metric="recall@5")["verdict"] == "unchanged"


@pytest.mark.parametrize("metric", ["mrr", "recall", "map", "ndcg"])
@pytest.mark.parametrize("depth", [10, 30])
def test_a_metric_of_whole_lists_is_not_compared_at_unequal_depth(
    accepted: Project, metric: str, depth: int
) -> None:
    run = accepted.run("--retrieval-baseline", f"--retrieval-gate={metric}", f"--retrieval-depth={depth}")
    assert (run.exit, run.status) == (1, "incomplete")
    assert run.gate(metric=metric)["verdict"] == "not evaluated"
    assert f"of 20 results before and {depth} now" in run.gate(metric=metric)["reason"]


def test_a_metric_of_whole_lists_is_compared_at_equal_depth(accepted: Project) -> None:
    assert accepted.run("--retrieval-baseline", "--retrieval-gate=mrr").status == "pass"


@pytest.mark.parametrize("depth", [10, 15, 50])
def test_cut_offs_within_both_are_compared_at_any_depth(accepted: Project, depth: int) -> None:
    run = accepted.run("--retrieval-baseline", f"--retrieval-depth={depth}")
    assert (run.exit, run.status) == (0, "pass")


def test_a_new_baseline_settles_it(accepted: Project) -> None:
    options = ("--retrieval-gate=recall@30",)
    assert accepted.run("--update-baseline", *options).exit == 0
    assert accepted.run("--retrieval-baseline", *options).status == "pass"
