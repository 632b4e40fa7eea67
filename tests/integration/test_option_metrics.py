from __future__ import annotations

import pytest
from inner_project import Project, Say, queries


def metrics(project: Project, *args: str) -> list[str]:
    return list(project.run(*args).set()["metrics"])


@pytest.fixture
def quiet(project: Project) -> Project:
    """A project whose gate asks for one metric, so that it adds no more than that one."""
    project.golden(queries(2), gate={"metrics": ["recall@5"]})
    return project


def test_the_defaults(quiet: Project) -> None:
    assert metrics(quiet) == ["hit_rate@5", "precision@5", "recall@5", "mrr", "ndcg@10"]


def test_every_way_of_saying_it(quiet: Project, say: Say) -> None:
    assert metrics(quiet, *say("metrics", ["mrr", "recall@5"])) == ["mrr", "recall@5"]


def test_one_metric_may_be_written_without_a_list(quiet: Project, say: Say) -> None:
    assert metrics(quiet, *say("metrics", "recall@5")) == ["recall@5"]


def test_an_ini_list_may_have_a_line_each(quiet: Project) -> None:
    quiet.ini("retrieval_metrics =", "    mrr", "    recall@5")
    assert metrics(quiet) == ["mrr", "recall@5"]


def test_flag_over_header_over_ini(quiet: Project) -> None:
    quiet.ini("retrieval_metrics = recall@5, map")
    assert metrics(quiet) == ["recall@5", "map"]
    quiet.golden(queries(2), metrics=["recall@5", "f1"], gate={"metrics": ["recall@5"]})
    assert metrics(quiet) == ["recall@5", "f1"]
    assert metrics(quiet, "--retrieval-metrics=recall@5,bpref") == ["recall@5", "bpref"]


def test_other_tools_spellings_become_ours(quiet: Project) -> None:
    assert metrics(quiet, "--retrieval-metrics=R@5,nDCG@10,success_5") == [
        "recall@5",
        "ndcg@10",
        "hit_rate@5",
    ]


def test_gated_metrics_are_computed_even_if_they_were_not_asked_for(quiet: Project) -> None:
    assert metrics(quiet, "--retrieval-metrics=mrr") == ["mrr", "recall@5"]


def test_the_terminal_shows_a_column_for_each(quiet: Project) -> None:
    run = quiet.run("--retrieval-metrics=mrr@3,recall@5")
    assert any(line.split() == ["n", "mrr@3", "recall@5"] for line in run.lines)


def test_an_unknown_metric_is_refused_before_anything_is_asked(quiet: Project, say: Say) -> None:
    run = quiet.run(*say("metrics", ["mrr", "recal@5"]))
    assert run.exit == 4
    assert "retrieval-metrics" in run.text.replace("_", "-")
    assert "unknown metric 'recal@5', did you mean recall@5" in run.text
    assert quiet.events == []


@pytest.mark.parametrize("bad", ["recall@0", "r_precision@5", "recall@x", "@5", "5"])
def test_a_metric_without_sense_is_refused(quiet: Project, bad: str) -> None:
    run = quiet.run(f"--retrieval-metrics={bad}")
    assert run.exit == 4
    assert f"--retrieval-metrics = '{bad}'" in run.text


def test_an_empty_list_is_refused(quiet: Project) -> None:
    run = quiet.run("--retrieval-metrics=,")
    assert run.exit == 4
    assert "--retrieval-metrics = ',': expected at least one name" in run.text


def test_an_unknown_metric_in_the_header_is_an_error_of_the_file(quiet: Project) -> None:
    quiet.golden(queries(2), depth=20, metrics=["recal@5"])
    run = quiet.run()
    assert run.exit == 2
    assert "golden.yaml:2: metrics: unknown metric 'recal@5', did you mean recall@5" in run.text
