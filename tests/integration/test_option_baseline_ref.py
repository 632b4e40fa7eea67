"""The gate against the target branch: a branch that rewrites its own baseline is still measured."""

from __future__ import annotations

import shlex
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


def leave_main(project: Project) -> None:
    """Accept what there is on main, and go on on a branch ``work``."""
    project.write(".gitignore", "report.json\nevents.txt\n__pycache__\n")
    git(project, "init", "-q", "-b", "main")
    project.run("--update-baseline")
    commit(project, "main")
    git(project, "checkout", "-qb", "work")


@pytest.fixture
def branch(project: Project) -> Project:
    """A branch that lost half of the answers and accepted that in its own baseline."""
    project.golden(ROWS)
    leave_main(project)
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
    assert "nothing was asked: this clone has no such branch; it has main, work" in run.text
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
    branch.run("--update-baseline", "--retrieval-update-anchor=it was damaged")
    run = branch.run(REF, report=False)
    assert run.exit == 4
    assert "baselines/golden.json at main (" in run.text


# -- what a branch may try instead of improving


@pytest.fixture
def lossy(project: Project) -> Project:
    """A branch on which half of the answers are lost; main has two golden sets, both with baselines."""
    project.golden(ROWS)
    project.golden(queries(12, "other"), "golden_b.yaml")
    leave_main(project)
    project.fall(ROWS[:6])
    return project


def test_a_renamed_golden_set_is_compared_with_its_old_baseline(lossy: Project) -> None:
    git(lossy, "mv", "golden.yaml", "golden_new.yaml")
    (lossy.path / "baselines/golden.json").unlink()
    lossy.run("--update-baseline")
    commit(lossy, "work")
    assert lossy.run("--retrieval-baseline").status == "pass"
    run = lossy.run(REF)
    assert (run.exit, run.status) == (1, "regression")
    assert run.gate("golden_new.yaml")["difference"] == -0.5
    notes = run.set("golden_new.yaml")["notes"]
    assert any(note.startswith("moved: baselines/golden.json at main (") for note in notes)
    assert run.report["left_out"] == []


def test_a_moved_folder_of_baselines_hides_nothing(lossy: Project) -> None:
    lossy.ini("retrieval_baseline_dir = accepted")
    git(lossy, "rm", "-qr", "baselines")
    lossy.run("--update-baseline")
    commit(lossy, "work")
    run = lossy.run(REF)
    assert (run.exit, run.status) == (1, "regression")
    assert run.gate()["difference"] == -0.5
    assert run.gate("golden_b.yaml")["verdict"] == "unchanged"


@pytest.mark.parametrize("files", [["golden.yaml", "baselines/golden.json"], ["golden.yaml"]])
@pytest.mark.parametrize("apart", [[], ["-n", "2"]])
def test_a_golden_set_that_is_gone_is_a_failure(lossy: Project, files: list[str], apart: list[str]) -> None:
    git(lossy, "rm", "-q", *files)
    commit(lossy, "work")
    run = (lossy.run_apart if apart else lossy.run)(REF, *apart)
    assert (run.exit, run.status) == (1, "incomplete")
    assert run.report["left_out"] == ["baselines/golden.json"]
    assert "FAILED baselines/golden.json - not evaluated: main holds this baseline" in run.text


def test_when_the_last_golden_set_is_gone_nothing_is_green(lossy: Project) -> None:
    git(lossy, "rm", "-q", "golden.yaml", "golden_b.yaml")
    lossy.write("test_it.py", "def test_it():\n    pass\n")
    commit(lossy, "work")
    run = lossy.run(REF)
    assert (run.exit, run.status) == (1, "incomplete")
    assert "--retrieval-baseline-ref was given, and no query of a golden set was selected" in run.text


def test_answers_that_are_taken_away_hide_nothing(lossy: Project) -> None:
    lossy.golden([{**row, "relevant": [], "answerable": False} for row in ROWS])
    git(lossy, "rm", "-q", "baselines/golden.json")
    commit(lossy, "work")
    run = lossy.run(REF)
    assert (run.exit, run.status) == (1, "incomplete")
    assert run.report["left_out"] == ["baselines/golden.json"]


def test_a_retriever_that_left_the_list_is_a_failure(project: Project) -> None:
    project.list_retrievers("one", "two")
    project.golden(ROWS, retriever=["one", "two"])
    leave_main(project)
    # chosen for once, the other one is not gone
    assert project.run(REF, "--retrieval-retriever=one").report["left_out"] == []
    project.golden(ROWS, retriever=["one"])
    git(project, "rm", "-q", "baselines/golden.two.json")
    commit(project, "work")
    run = project.run(REF)
    assert (run.exit, run.report["left_out"]) == (1, ["baselines/golden.two.json"])


def test_the_advice_fits_what_is_compared(branch: Project) -> None:
    run = branch.run(REF)
    assert "a new baseline does not help" in run.text
    assert "pytest --update-baseline" not in run.text


# -- what to fetch


def clone(project: Project, *words: str) -> Project:
    """Go on in a clone of the branch ``work``."""
    source = project.path / "source.git"
    git(project, "clone", "-q", "--bare", ".", str(source))
    git(project, "clone", "-q", *words, "--branch=work", source.as_uri(), "copy")
    return project


@pytest.mark.parametrize("words", [["--depth=1"], ["--single-branch"], []])
def test_the_command_that_is_printed_brings_what_is_missing(branch: Project, words: list[str]) -> None:
    clone(branch, *words)
    if not words:
        git(branch, "-C", "copy", "update-ref", "-d", "refs/remotes/origin/main")
    ref = "--retrieval-baseline-ref=origin/main"
    run = branch.run(ref, "--rootdir=.", folder="copy", report=False)
    assert run.exit == 4
    assert "this clone has no such branch; it has " in run.text
    (line,) = (line for line in run.lines if "git fetch " in line)
    command = shlex.split(line[line.index("git fetch ") :])
    git(branch, "-C", "copy", *command[1:])
    assert branch.run(ref, "--rootdir=.", folder="copy", report=False).exit == 1


def test_a_branch_that_is_mistyped_is_told_with_those_there_are(branch: Project) -> None:
    run = branch.run("--retrieval-baseline-ref=mian", report=False)
    assert run.exit == 4
    assert "this clone has no such branch; it has main, work" in run.text
    assert "git fetch" not in run.text


# -- baselines that are left where they were


@pytest.fixture
def listed(project: Project) -> Project:
    """Main gates two retrievers of one golden set."""
    project.list_retrievers("one", "two", "uno")
    project.golden(ROWS, retriever=["one", "two"])
    project.golden(queries(12, "other"), "golden_b.yaml", retriever="one")
    leave_main(project)
    return project


def test_a_retriever_that_left_the_list_is_a_failure_also_with_its_baseline_in_place(listed: Project) -> None:
    listed.golden(ROWS, retriever=["one"])
    run = listed.run(REF)
    assert (run.exit, run.report["left_out"]) == (1, ["baselines/golden.two.json"])


def test_a_retriever_under_another_name_is_compared_with_its_old_baseline(listed: Project) -> None:
    listed.golden(ROWS, retriever=["uno", "two"])
    listed.fall(ROWS[:6])
    listed.run("--update-baseline", "golden.yaml")
    run = listed.run(REF, "golden.yaml")
    assert (run.exit, run.status) == (1, "regression")
    assert run.set()["variant"] == "uno"
    assert run.gate()["difference"] == -0.5


def test_a_folder_of_baselines_that_is_left_behind_hides_nothing(lossy: Project) -> None:
    lossy.ini("retrieval_baseline_dir = accepted")
    lossy.run("--update-baseline")
    run = lossy.run(REF)
    assert (run.exit, run.status) == (1, "regression")


def test_an_emptied_golden_set_is_a_failure(lossy: Project) -> None:
    lossy.write("golden.yaml", "")
    git(lossy, "rm", "-q", "baselines/golden.json")
    run = lossy.run(REF)
    assert run.exit != 0  # a warning that is an error ends with 2
    assert run.report["left_out"] == ["baselines/golden.json"]


def test_an_emptied_golden_set_of_several_retrievers_is_an_error(listed: Project) -> None:
    listed.write("golden.yaml", "")
    assert listed.run("--retrieval-baseline").exit == 2


def test_settings_of_git_for_people_change_nothing(lossy: Project) -> None:
    lossy.answers(ROWS)
    git(lossy, "config", "color.ui", "always")
    git(lossy, "config", "grep.fullName", "true")
    assert lossy.run(REF).status == "pass"


def test_baselines_outside_of_the_work_tree_are_told(
    lossy: Project, tmp_path: pytest.TempPathFactory
) -> None:
    outside = lossy.path.parent / "outside of the work tree"
    lossy.run("--update-baseline", f"--retrieval-baseline-dir={outside}")
    run = lossy.run(REF, f"--retrieval-baseline-dir={outside}", report=False)
    assert run.exit == 4
    assert "lies outside of the work tree" in run.text


def test_a_gain_is_not_stale_before_the_merge(lossy: Project) -> None:
    lossy.ini("retrieval_fail_on = stale")
    lossy.run("--update-baseline", "--retrieval-update-anchor=worse")
    commit(lossy, "worse")
    git(lossy, "checkout", "-qb", "better")
    lossy.answers(ROWS)
    assert lossy.run("--retrieval-baseline").exit == 1
    assert lossy.run("--retrieval-baseline-ref=work").exit == 0
