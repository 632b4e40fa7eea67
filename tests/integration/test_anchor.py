"""The anchor: small accepted drops cannot add up, and moving it takes a reason."""

from __future__ import annotations

import json

import pytest
from inner_project import Project, queries

ROWS = queries(40)


@pytest.fixture
def accepted(project: Project) -> Project:
    """Forty queries that are all answered, and their baseline."""
    project.golden(ROWS)
    assert project.run("--update-baseline").exit == 0
    return project


def lose(project: Project, number: int) -> None:
    """Let the first few queries find nothing."""
    project.answers(ROWS)
    project.fall(ROWS[:number])


def anchor(project: Project) -> dict[str, object]:
    return dict(json.loads(project.baselines()["golden.anchor.json"]))


def test_a_first_baseline_has_no_anchor_and_the_same_run_again_needs_none(accepted: Project) -> None:
    assert accepted.run("--update-baseline").exit == 0
    assert list(accepted.baselines()) == ["golden.json"]


def test_the_first_baseline_stays_as_the_anchor_when_it_is_replaced(accepted: Project) -> None:
    first = accepted.baselines()["golden.json"]
    lose(accepted, 1)
    run = accepted.run("--update-baseline")
    assert run.exit == 0
    assert "golden.yaml: anchor baselines/golden.anchor.json: the baseline before" in run.text
    assert accepted.baselines()["golden.anchor.json"] == first
    assert accepted.baselines()["golden.json"] != first


def test_drops_that_were_accepted_one_by_one_add_up_to_a_regression_against_the_anchor(
    accepted: Project,
) -> None:
    lose(accepted, 2)
    assert accepted.run("--update-baseline").exit == 0
    lose(accepted, 5)
    # one step of 0.075 is no proof against the baseline, 0.125 since the anchor is one
    run = accepted.run("--retrieval-baseline", "--retrieval-gate=recall@5")
    assert (run.exit, run.status) == (1, "regression")
    assert run.gate()["verdict"] == "pass"
    against = run.gate(against="anchor")
    assert (against["verdict"], against["difference"]) == ("regression", -0.125)
    # the first two had their drop accepted, and still count since the anchor
    (first, *_) = (line for line in run.lines if line.startswith("  w01  recall@5 "))
    assert first.startswith("  w01  recall@5 1.000 -> 0.000 since the anchor")
    assert (run.query("w01")["baseline"]["recall@5"], run.query("w01")["anchor"]["recall@5"]) == (0, 1)
    assert 'pytest --update-baseline golden.yaml --retrieval-update-anchor="reason"' in run.text


def test_an_update_that_fails_against_the_anchor_is_refused(accepted: Project) -> None:
    before = accepted.baselines()
    lose(accepted, 12)
    run = accepted.run("--update-baseline", "--retrieval-gate=recall@5")
    assert run.exit == 1
    assert (
        "baseline not updated: recall@5 of all fell 0.300 since the baseline (1.000 -> 0.700), margin 0.02; "
        'to accept that for good: pytest --update-baseline golden.yaml --retrieval-update-anchor="reason"'
    ) in run.text
    assert accepted.baselines() == before


def test_a_reason_moves_the_anchor_and_stays_in_its_file(accepted: Project) -> None:
    lose(accepted, 12)
    for number, reason in ((12, "the index shrank"), (24, "and  again")):
        lose(accepted, number)
        assert accepted.run("--update-baseline", f"--retrieval-update-anchor={reason}").exit == 0
    assert anchor(accepted)["reasons"] == ["the index shrank", "and again"]
    assert accepted.run("--retrieval-baseline").status == "pass"


def test_a_new_question_joins_the_anchor_with_its_first_accepted_ranking(accepted: Project) -> None:
    lose(accepted, 1)
    accepted.run("--update-baseline")
    new = queries(1, "new")
    accepted.golden([*ROWS, *new])
    lose(accepted, 1)
    assert accepted.run("--update-baseline").exit == 0
    assert anchor(accepted)["queries"]["n01"]["ranked"] == ["D1"]  # type: ignore[index]
    assert anchor(accepted)["queries"]["w01"]["ranked"] == ["D1"]  # type: ignore[index]


def test_the_anchor_has_a_margin_of_its_own(accepted: Project) -> None:
    accepted.golden(ROWS, gate={"metrics": ["recall@5"], "anchor_margin": 0.5})
    lose(accepted, 12)
    assert accepted.run("--update-baseline").exit == 0
    run = accepted.run("--retrieval-baseline")
    assert run.status == "pass"
    assert (run.gate(against="anchor")["margin"], run.gate()["margin"]) == (0.5, 0.02)


@pytest.mark.parametrize("flag", ["--retrieval-baseline", "--update-baseline"])
def test_a_damaged_anchor_stops_the_run_before_any_call(accepted: Project, flag: str) -> None:
    accepted.write("baselines/golden.anchor.json", "{ damaged")
    run = accepted.run(flag, report=False)
    assert run.exit == 4
    assert "baselines/golden.anchor.json:1: is no JSON" in run.text
    assert accepted.asked == []
    # the command that is printed is a way out
    assert 'pytest --update-baseline golden.yaml --retrieval-update-anchor="reason"' in run.text
    way_out = ("--update-baseline", "golden.yaml", "--retrieval-update-anchor=reason")
    assert accepted.run(*way_out).exit == 0
    assert accepted.run("--retrieval-baseline").status == "pass"


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["--retrieval-update-anchor=why"], "add --update-baseline"),
        (["--update-baseline", "--retrieval-update-anchor= "], "expected the reason for the move"),
    ],
)
def test_a_reason_belongs_to_an_update(accepted: Project, args: list[str], words: str) -> None:
    run = accepted.run(*args, report=False)
    assert run.exit == 4
    assert words in run.text


def test_a_golden_set_must_not_take_the_anchors_name(project: Project) -> None:
    project.golden(queries(1), "golden.anchor.yaml")
    run = project.run("--update-baseline", report=False)
    assert run.exit == 4
    assert "names that end in .anchor are reserved" in run.text


def test_a_suspicion_that_is_red_is_accepted_with_a_reason_and_then_gone(project: Project) -> None:
    project.golden(ROWS, noisy=True)  # with one run a side nothing is more than suspected
    project.run("--update-baseline")
    project.ini("retrieval_fail_on = suspected")
    lose(project, 20)
    run = project.run("--retrieval-baseline")
    assert (run.exit, run.gate()["verdict"]) == (1, "suspected")
    assert 'pytest --update-baseline golden.yaml --retrieval-update-anchor="reason"' in run.text
    assert project.run("--update-baseline").exit == 1
    assert project.run("--update-baseline", "--retrieval-update-anchor=meant").exit == 0
    assert project.run("--retrieval-baseline").exit == 0


def test_an_anchor_without_its_baseline_is_moved_with_a_reason(accepted: Project) -> None:
    accepted.run("--update-baseline", "--retrieval-update-anchor=first")
    (accepted.path / "baselines/golden.json").unlink()
    lose(accepted, 20)
    assert accepted.run("--update-baseline").exit == 1
    assert accepted.run("--update-baseline", "--retrieval-update-anchor=second").exit == 0
    assert json.loads(accepted.baselines()["golden.anchor.json"])["reasons"] == ["first", "second"]
    assert accepted.run("--retrieval-baseline").status == "pass"
