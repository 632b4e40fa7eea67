"""pytest-xdist: the same results whoever asks, and what happens when a worker dies."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from inner_project import Project, Run, queries, timeless

pytest.importorskip("xdist")

XDIST = ("-p", "xdist.plugin")
TWO_WORKERS = (*XDIST, "-n", "2")
WORDS = [*queries(12, "word"), *queries(11, "phrase"), *queries(4, "rare"), *queries(3, "odd")]
MORE = queries(10, "more")
NOTHING = ["D9", "D8"]


@pytest.fixture
def two_sets(project: Project) -> Project:
    """Two golden sets with baselines; since then every word is lost and one of the rest slipped."""
    project.golden(WORDS, retriever="retriever", describe={"model": "é", "dim": 384})
    project.golden(MORE, "sub/golden_more.jsonl")
    assert project.run("--update-baseline").exit == 0
    for row in queries(12, "word"):
        project.answer(str(row["text"]), NOTHING)
    project.answer("text of p03", ["D9", "D7", "D1"])
    return project


Written = tuple[int, str, dict[str, bytes]]


def written(project: Project, run: Run) -> Written:
    """All that must not depend on who asked: exit, report, baselines."""
    return run.exit, timeless((project.path / "report.json").read_bytes()), project.baselines()


def other_hash_seed(seed: str) -> Callable[[Project, pytest.MonkeyPatch, str], Run]:
    def run(project: Project, monkeypatch: pytest.MonkeyPatch, flag: str) -> Run:
        monkeypatch.setenv("PYTHONHASHSEED", seed)
        monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
        return project.run_apart("-p", "pytest_retrieval.plugin", flag)

    return run


WAYS: dict[str, Callable[[Project, pytest.MonkeyPatch, str], Run]] = {
    "-n 0": lambda project, _, flag: project.run(*XDIST, "-n", "0", flag),
    "-n 2": lambda project, _, flag: project.run(*TWO_WORKERS, flag),
    "-n 4, worksteal": lambda project, _, flag: project.run(*XDIST, "-n", "4", "--dist", "worksteal", flag),
    "hash seed 1": other_hash_seed("1"),
    "hash seed 2": other_hash_seed("2"),
    "from a sub-folder": lambda project, _, flag: project.run(
        flag, "../golden.yaml", "golden_more.jsonl", folder="sub"
    ),
    "files in another order": lambda project, _, flag: project.run(
        flag, "sub/golden_more.jsonl", "golden.yaml"
    ),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("flag", ["--retrieval-baseline", "--update-baseline"])
def test_report_and_baselines_are_the_same_bytes(
    two_sets: Project, monkeypatch: pytest.MonkeyPatch, way: str, flag: str
) -> None:
    before = two_sets.baselines()
    if flag == "--update-baseline":
        two_sets.ini("addopts = --retrieval-update-anchor=lost")
    plain = written(two_sets, two_sets.run("-p", "no:xdist", flag))
    assert plain[0] == (1 if flag == "--retrieval-baseline" else 0)
    assert (two_sets.baselines() == before) is (flag == "--retrieval-baseline")
    for path, content in before.items():
        two_sets.write(f"baselines/{path}", content)
    for path in two_sets.baselines().keys() - before.keys():
        (two_sets.path / "baselines" / path).unlink()
    assert written(two_sets, WAYS[way](two_sets, monkeypatch, flag)) == plain


def test_the_regression_is_found_under_workers(two_sets: Project) -> None:
    run = two_sets.run(*TWO_WORKERS, "--retrieval-baseline")
    assert run.status == "regression"
    assert run.gate(kind="word")["verdict"] == "regression"
    assert run.gate(kind="word")["difference"] == -1
    assert any(line.startswith("FAILED golden.yaml::word - ") for line in run.lines)


# -- a worker that dies


@pytest.fixture
def deadly(project: Project) -> Project:
    """One golden set with a baseline; the question w05 now ends the process that asks it."""
    project.golden(WORDS)
    assert project.run("--update-baseline").exit == 0
    project.answer("text of w05", "die")
    return project


def test_a_killed_workers_query_is_an_error_that_names_the_worker(deadly: Project) -> None:
    before = deadly.baselines()
    run = deadly.run(*TWO_WORKERS, "--retrieval-baseline")
    assert run.exit == 1
    assert run.status == "incomplete"
    query = run.query("w05")
    assert query["outcome"] == "error"
    assert query["scores"] is None
    assert "worker 'gw" in query["error"]
    assert run.set()["errors"] == 1
    assert run.set()["scored"] == len(WORDS) - 1
    # the same verdict with w05 scored 0 and scored as before
    assert run.gate(kind="word")["verdict"] == "pass"
    assert run.gate()["reason"] == f"1 of {len(WORDS)} queries failed: w05, which changes nothing"
    assert run.gate(kind="phrase")["verdict"] == "unchanged"
    assert deadly.baselines() == before


def test_an_update_after_a_killed_worker_is_refused(deadly: Project) -> None:
    before = deadly.baselines()
    run = deadly.run(*TWO_WORKERS, "--update-baseline")
    assert run.exit == 1
    assert "baseline not updated" in run.text
    assert "w05" in run.text
    assert deadly.baselines() == before


def test_a_first_update_after_a_killed_worker_writes_nothing(project: Project) -> None:
    project.golden(WORDS)
    project.answer("text of w05", "die")
    assert project.run(*TWO_WORKERS, "--update-baseline").exit == 1
    assert project.baselines() == {}


def test_without_replacements_the_rest_is_not_run(deadly: Project) -> None:
    run = deadly.run(*XDIST, "-n", "1", "--max-worker-restart", "0", "--retrieval-baseline")
    assert run.exit == 1
    assert run.status == "incomplete"
    assert run.set()["not_run"] > 0
    assert "regression" not in {gate["verdict"] for gate in run.set()["gates"]}


# -- before the first call


@pytest.mark.parametrize("flag", ["--retrieval-baseline", "--update-baseline"])
def test_a_damaged_baseline_stops_the_run_before_the_first_call(two_sets: Project, flag: str) -> None:
    two_sets.write("baselines/golden.json", "{ damaged")
    run = two_sets.run(*TWO_WORKERS, flag)
    assert run.exit == 4
    assert two_sets.events == []
    assert "baselines/golden.json" in run.text
    assert (two_sets.path / "baselines/golden.json").read_text() == "{ damaged"
    way_out = ("--update-baseline", "golden.yaml", "--retrieval-update-anchor=damaged")
    assert two_sets.run(*TWO_WORKERS, *way_out).exit == 0


def test_an_update_of_a_selection_is_refused_before_the_first_call(two_sets: Project) -> None:
    before = two_sets.baselines()
    run = two_sets.run(*TWO_WORKERS, "--update-baseline", "-k", "word")
    assert run.exit == 4
    assert two_sets.events == []
    assert two_sets.baselines() == before


def test_a_bad_option_is_refused_before_the_first_call(two_sets: Project) -> None:
    assert two_sets.run(*TWO_WORKERS, "--retrieval-margin", "much").exit == 4
    assert two_sets.events == []


def test_a_golden_set_that_cannot_be_read_fails_the_run(project: Project) -> None:
    project.golden(queries(2))
    project.write("golden_broken.yaml", "queries:\n  - {id: a, txet: b, relevant: [D1]}\n")
    run = project.run(*TWO_WORKERS)
    assert run.exit == 1
    assert "golden_broken.yaml:2" in run.text
    assert "Traceback" not in run.text


# -- selections


@pytest.mark.parametrize(
    "selection",
    [
        ("-k", "word"),
        ("-k", "phrase or w03"),
        ("--deselect", "golden.yaml::phrase::p01"),
        ("-m", "retrieval", "golden.yaml::word"),
        ("--retrieval-kind", "phrase,rare"),
    ],
)
def test_a_selection_is_judged_alike(two_sets: Project, selection: tuple[str, ...]) -> None:
    plain = written(two_sets, two_sets.run("--retrieval-baseline", *selection))
    assert written(two_sets, two_sets.run(*TWO_WORKERS, "--retrieval-baseline", *selection)) == plain


@pytest.mark.parametrize("flag", ["--retrieval-baseline", "--update-baseline"])
def test_maxfail_leaves_an_incomplete_report_and_the_baseline_alone(project: Project, flag: str) -> None:
    project.golden(WORDS)
    assert project.run("--update-baseline").exit == 0
    before = project.baselines()
    for number in (2, 3, 4):
        project.answer(f"text of w{number:02}", "broken")
    run = project.run(*TWO_WORKERS, "--maxfail", "2", flag)
    assert run.exit not in (0, 3)
    assert run.status == "incomplete"
    assert "the run stopped early" in run.text
    assert project.baselines() == before


# -- the retriever


def test_a_session_fixture_is_built_and_closed_once_per_worker(project: Project) -> None:
    project.golden(WORDS)
    project.golden(MORE, "sub/golden_more.jsonl")
    assert project.run(*TWO_WORKERS).exit == 0
    assert project.events.count("built") == 2
    assert project.events.count("closed") == 2
    assert sorted(project.asked) == sorted(str(row["text"]) for row in [*WORDS, *MORE])


def test_collecting_alone_builds_nothing(project: Project) -> None:
    project.golden(WORDS)
    assert project.run(*TWO_WORKERS, "--collect-only").exit == 0
    assert project.events == []


def test_dist_loadfile_and_loadscope_give_the_same_report(two_sets: Project) -> None:
    plain = written(two_sets, two_sets.run("--retrieval-baseline"))
    for distribution in ("loadfile", "loadscope"):
        run = two_sets.run(*TWO_WORKERS, "--dist", distribution, "--retrieval-baseline")
        assert written(two_sets, run) == plain


def test_workers_write_neither_reports_nor_baselines(two_sets: Project) -> None:
    two_sets.run(*TWO_WORKERS, "--update-baseline")
    left = {path.name for path in Path(two_sets.path / "baselines").rglob("*") if path.is_file()}
    assert left == {"golden.json", "golden_more.json"}
