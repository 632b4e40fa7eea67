"""The gate against the target branch: a branch that rewrites its own baseline is still measured."""

from __future__ import annotations

import subprocess

import pytest
from inner_project import Project, queries

ROWS = queries(12)
REF = "--retrieval-baseline-ref=main"


def git(project: Project, *words: str) -> str:
    who = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"]
    done = subprocess.run(["git", *who, *words], cwd=project.path, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def commit(project: Project, message: str) -> None:
    git(project, "add", "-A")
    git(project, "commit", "-qm", message)


@pytest.fixture
def branch(project: Project) -> Project:
    """A branch that lost half of the answers and accepted that in its own baseline."""
    project.golden(ROWS)
    project.write(".gitignore", "report.json\nevents.txt\n__pycache__\n")
    git(project, "init", "-q", "-b", "main")
    project.run("--update-baseline")
    commit(project, "main")
    git(project, "checkout", "-qb", "work")
    project.fall(ROWS[:6])
    project.run("--update-baseline", "--retrieval-update-anchor=mine")
    commit(project, "work")
    return project


def test_the_branchs_own_baseline_hides_the_loss_and_the_target_branchs_does_not(branch: Project) -> None:
    assert branch.run("--retrieval-baseline").status == "pass"
    run = branch.run(REF)
    assert (run.exit, run.status) == (1, "regression")
    assert run.gate()["difference"] == -0.5
    assert run.set()["baseline"] == "baselines/golden.json"
    assert run.set()["baseline_ref"].startswith("main (")
    assert "recall@5 against baselines/golden.json at main (" in run.text


def test_it_prints_what_the_branch_accepts(branch: Project) -> None:
    notes = branch.run(REF).set()["notes"]
    assert any(
        note.startswith("this branch's own baseline accepts for word: ") and "recall@5 1.000 -> 0.500" in note
        for note in notes
    )


def test_what_main_did_since_does_not_count(branch: Project) -> None:
    git(branch, "checkout", "-q", "main")
    branch.write("baselines/golden.json", "{ rewritten since")
    commit(branch, "main went on")
    git(branch, "checkout", "-q", "work")
    assert branch.run(REF).status == "regression"


def test_a_golden_set_that_is_new_is_compared_with_the_branchs_own_copy(branch: Project) -> None:
    new = queries(12, "new")
    branch.golden(new, "golden_new.yaml")
    branch.run("--update-baseline", "golden_new.yaml")
    run = branch.run(REF, "golden_new.yaml")
    assert run.status == "pass"
    notes = run.set("golden_new.yaml")["notes"]
    assert any(note.startswith("baselines/golden_new.json is new since main (") for note in notes)


@pytest.mark.parametrize("workers", [(), ("-p", "xdist", "-n", "2")])
def test_without_history_nothing_is_asked_and_nothing_claimed(
    branch: Project, workers: tuple[str, ...]
) -> None:
    run = branch.run("--retrieval-baseline-ref=origin/main", *workers, report=False)
    assert run.exit == 4
    assert "--retrieval-baseline-ref=origin/main: where this branch left it is not known" in run.text
    assert "fetch-depth: 0" in run.text
    assert branch.asked == []


def test_outside_of_git_it_says_so(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(project.path.parent))
    project.golden(ROWS)
    run = project.run(REF, report=False)
    assert run.exit == 4
    assert "not a git repository" in run.text


def test_an_ini_key_names_the_branch_for_every_comparison(branch: Project) -> None:
    branch.ini("retrieval_baseline_ref = main")
    assert branch.run().status == "measured"
    assert branch.run("--retrieval-baseline").status == "regression"


def test_it_is_no_part_of_an_update(branch: Project) -> None:
    run = branch.run("--update-baseline", REF, report=False)
    assert run.exit == 4
    assert "give one of them" in run.text


def test_a_damaged_copy_there_is_named_with_its_branch(branch: Project) -> None:
    git(branch, "checkout", "-q", "main")
    branch.write("baselines/golden.json", "{ damaged")
    commit(branch, "damage")
    git(branch, "checkout", "-qb", "later")
    branch.run("--update-baseline")
    run = branch.run(REF, report=False)
    assert run.exit == 4
    assert "baselines/golden.json at main (" in run.text
