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
    assert "expected suspected or stale, found everything" in run.text


def improved(project: Project) -> Project:
    """Ten queries that found nothing when the baseline was written, and find everything now."""
    rows = queries(10)
    project.golden(rows)
    project.fall(rows)
    project.run("--update-baseline")
    project.answers(rows)
    return project


def test_an_improvement_is_green_and_names_the_update(project: Project) -> None:
    run = improved(project).run("--retrieval-baseline")
    assert (run.exit, run.status) == (0, "pass")
    assert run.gate()["verdict"] == "improved"
    assert "next: improved: keep the gain" in run.text
    assert "pytest --update-baseline golden.yaml" in run.text


def test_a_stale_baseline_can_be_red(project: Project, say: Say) -> None:
    run = improved(project).run("--retrieval-baseline", *say("fail-on", ["stale"]))
    assert (run.exit, run.status) == (1, "regression")
    assert "FAILED golden.yaml - recall@5 rose 1.000 (0.000 -> 1.000)" in run.text
    assert "improved, the baseline is stale" in run.text
    assert "next: improved, which fails this build: keep the gain" in run.text
    assert "worst queries" not in run.text


def test_after_the_update_nothing_is_stale_although_the_anchor_stays_behind(project: Project) -> None:
    improved(project).run("--update-baseline")
    run = project.run("--retrieval-baseline", "--retrieval-fail-on=suspected,stale")
    assert run.gate(against="anchor")["verdict"] == "improved"
    assert (run.exit, run.status) == (0, "pass")
    assert "next: improved" not in run.text


def test_a_gain_beside_a_loss_does_not_advise_an_update(project: Project) -> None:
    better, worse = queries(12, "word"), queries(12, "phrase")
    project.golden([*better, *worse])
    project.fall(better)
    project.run("--update-baseline")
    project.answers(better)
    project.fall(worse)
    run = project.run("--retrieval-baseline", "--retrieval-fail-on=stale")
    assert run.gate(kind="word")["verdict"] == "improved"
    assert run.gate(kind="phrase")["verdict"] == "regression"
    assert "keep the gain" not in run.text
