from __future__ import annotations

from inner_project import Project, Say, queries


def suspected(project: Project) -> Project:
    """Four kinds, one of which lost five of ten: too little among eight gates, enough by itself."""
    rows = [row for kind in ("a", "b", "c", "d") for row in queries(10, kind)]
    project.golden(rows, gate={"metrics": ["recall@5"], "margin": 0.05})
    project.run("--update-baseline")
    project.fall(rows[:5])
    return project


def test_a_suspected_drop_is_shown_and_not_red(project: Project) -> None:
    run = suspected(project).run("--retrieval-baseline", "--retrieval-correction=holm")
    assert (run.exit, run.status) == (0, "pass")
    assert run.gate(kind="a")["verdict"] == "suspected"


def test_every_way_of_making_it_red(project: Project, say: Say) -> None:
    args = say("fail-on", ["suspected"])
    run = suspected(project).run("--retrieval-baseline", "--retrieval-correction=holm", *args)
    assert (run.exit, run.status) == (1, "regression")
    assert "FAILED golden.yaml::a - recall@5 fell 0.500" in run.text
    assert run.set()["fail_on"] == ["suspected"]


def test_an_unknown_word_is_a_usage_error(project: Project) -> None:
    project.golden(queries(1))
    run = project.run("--retrieval-fail-on=everything", report=False)
    assert run.exit == 4
    assert "expected suspected, found everything" in run.text
