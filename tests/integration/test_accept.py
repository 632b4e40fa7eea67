"""``pytest-retrieval accept``: what CI measured becomes the baseline, and nothing is asked again."""

from __future__ import annotations

import json

import pytest
from inner_project import Project, queries, query

from pytest_retrieval.cli import main


@pytest.fixture
def measured(project: Project) -> Project:
    """Two golden sets that were measured once."""
    project.golden([*queries(3), query("q4", relevant={"D1": 2, "D2": 1})], describe={"model": "a"})
    project.answer("text of q4", ["D3", "D2"])
    project.golden(queries(2, "phrase"), "inner/golden_more.jsonl", depth=30, document_id="^(.*)#")
    project.answer("text of p01", ["D1#a", "D1#b", "D2#a"])
    assert project.run().exit == 0
    return project


def accept(*args: str) -> int:
    return main(["accept", "report.json", *args])


def refused(capsys: pytest.CaptureFixture[str]) -> str:
    err = capsys.readouterr().err
    assert err.startswith("pytest-retrieval accept: report.json: ")
    assert "Traceback" not in err
    return err


def test_it_writes_what_an_update_would_write(measured: Project, capsys: pytest.CaptureFixture[str]) -> None:
    assert accept() == 0
    assert (
        "golden.yaml: 4 rankings accepted, baseline written to baselines/golden.json"
        in capsys.readouterr().out
    )
    accepted = measured.baselines()
    assert list(accepted) == ["golden.json", "inner/golden_more.json"]
    assert measured.run("--update-baseline").exit == 0
    assert measured.baselines() == accepted


def test_it_asks_nothing(measured: Project) -> None:
    (measured.path / "events.txt").unlink()
    (measured.path / "table_retriever.py").unlink()
    assert accept() == 0
    assert measured.events == []


def test_the_root_can_be_named(measured: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(measured.path / "inner")
    assert main(["accept", "../report.json", "--root", ".."]) == 0
    assert list(measured.baselines()) == ["golden.json", "inner/golden_more.json"]


def test_another_folder_says_so(
    measured: Project, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(measured.path / "inner")
    assert main(["accept", "../report.json"]) == 1
    assert "run in the project's root, or give --root" in capsys.readouterr().err
    assert measured.baselines("inner/baselines") == {}


def test_a_report_of_another_baseline_folder_is_written_there(measured: Project) -> None:
    measured.run("--retrieval-baseline-dir=tests/kept")
    assert accept() == 0
    assert list(measured.baselines("tests/kept")) == ["golden.json", "inner/golden_more.json"]


def test_a_report_of_a_comparison_can_be_accepted_too(measured: Project) -> None:
    assert accept() == 0
    measured.answer("text of w01", ["D9", "D1"])
    measured.run("--retrieval-baseline")
    assert accept() == 0
    accepted = measured.baselines()
    measured.run("--update-baseline")
    assert measured.baselines() == accepted


def test_labels_may_have_changed_since(measured: Project) -> None:
    measured.golden([*queries(3), query("q4", relevant={"D3": 1})], describe={"model": "a"})
    measured.answer("text of q4", ["D3", "D2"])
    assert accept() == 0
    accepted = measured.baselines()
    assert measured.run("--update-baseline").exit == 0
    assert measured.baselines() == accepted


def test_what_was_measured_is_described_as_the_report_says(measured: Project) -> None:
    measured.golden([*queries(3), query("q4", relevant={"D1": 2, "D2": 1})], describe={"model": "b"})
    assert accept() == 0
    assert b'"describe": {"model": "a"}' in measured.baselines()["golden.json"]


def test_a_report_cannot_name_another_file_as_its_baseline(
    measured: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    path = measured.path / "report.json"
    data = json.loads(path.read_text("utf-8"))
    data["sets"][0]["baseline"] = "conftest.py"
    path.write_text(json.dumps(data), "utf-8")
    assert accept() == 1
    assert "names 'conftest.py' as the baseline of golden.yaml" in refused(capsys)


# -- refusals: nothing is written at all


@pytest.mark.parametrize(
    ("answer", "reason"),
    [("broken", "1 of 4 queries failed, 'w01' first (TableError: broken)"), ([], None)],
)
def test_a_failed_query_refuses_everything(
    measured: Project, capsys: pytest.CaptureFixture[str], answer: object, reason: str | None
) -> None:
    measured.answer("text of w01", answer)
    measured.run()
    if reason is None:
        assert accept() == 0  # one empty answer is an answer
        return
    assert accept() == 1
    assert f"golden.yaml: not accepted, {reason}; no baseline was written" in refused(capsys)
    assert measured.baselines() == {}


def test_nothing_is_written_when_the_last_set_is_refused(
    measured: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    assert accept() == 0
    before = measured.baselines()
    measured.answer("text of p02", "broken")
    measured.answer("text of w01", ["D9"])
    measured.run()
    assert accept() == 1
    assert "inner/golden_more.jsonl: not accepted" in refused(capsys)
    assert measured.baselines() == before


def test_empty_answers_to_everything_are_refused(
    measured: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    measured.answer("text of p01", [])
    measured.answer("text of p02", [])
    measured.run()
    assert accept() == 1
    assert "every query was answered with nothing" in refused(capsys)


def test_a_broken_contract_is_refused(project: Project, capsys: pytest.CaptureFixture[str]) -> None:
    project.golden([query("q1", must={"mrr": 1}), query("q2")])
    project.answer("text of q1", ["D9", "D1"])
    project.run()
    assert accept() == 1
    assert "1 of 2 queries failed, 'q1' first (mrr is 0.5" in refused(capsys)


@pytest.mark.parametrize(
    ("args", "reason"),
    [
        (["-k", "w01"], "3 of 4 queries were not run, 'w02' first"),
        (["--retrieval-kind=word", "golden.yaml"], "the report covers only"),
    ],
)
def test_a_part_is_refused(
    measured: Project, capsys: pytest.CaptureFixture[str], args: list[str], reason: str
) -> None:
    measured.run(*args)
    assert accept() == 1
    assert reason in refused(capsys)
    assert measured.baselines() == {}


def test_a_run_that_stopped_early_is_refused(measured: Project, capsys: pytest.CaptureFixture[str]) -> None:
    measured.answer("text of w02", "broken")
    measured.run("-x", "golden.yaml")
    assert accept() == 1
    assert refused(capsys)
    assert measured.baselines() == {}


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        (queries(3), "1 queries are no longer in the golden set, 'q4' first"),
        (
            [*queries(3), query("q4"), query("q5")],
            "1 queries of the golden set are not in the report, 'q5' first",
        ),
        ([*queries(3), query("q4", text="new")], "1 queries have another text now, 'q4' first"),
    ],
    ids=["removed", "added", "changed"],
)
def test_a_golden_set_that_changed_since_is_refused(
    measured: Project, capsys: pytest.CaptureFixture[str], rows: list[dict[str, object]], reason: str
) -> None:
    measured.golden(rows)
    assert accept() == 1
    assert f"golden.yaml: not accepted, {reason}" in refused(capsys)
    assert measured.baselines() == {}


def test_a_golden_set_that_cannot_be_read_any_more_is_told(
    measured: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    measured.write("golden.yaml", "queries:\n  - {id: q1}\n")
    assert accept() == 1
    assert "golden.yaml:2: a query without a text" in capsys.readouterr().err
    assert measured.baselines() == {}


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (None, "cannot be read"),
        ("", "is no JSON"),
        ("{", "is no JSON"),
        ("[]", "is no report of format"),
        (
            '{"format": "pytest-retrieval-report/1", "status": "incomplete", "complete": false, "sets": []}',
            "holds no golden set",
        ),
        ('{"format": "pytest-retrieval-report/1", "sets": [{"golden": "golden.yaml"}]}', "is damaged"),
    ],
)
def test_what_is_no_report_is_refused(
    measured: Project, capsys: pytest.CaptureFixture[str], content: str | None, reason: str
) -> None:
    if content is None:
        (measured.path / "report.json").unlink()
    else:
        measured.write("report.json", content)
    assert accept() == 1
    assert reason in refused(capsys)
    assert measured.baselines() == {}


@pytest.mark.parametrize("key", ["golden", "baseline"])
@pytest.mark.parametrize("elsewhere", ["../outside.json", "/tmp/outside.json"])
def test_a_report_from_elsewhere_cannot_lead_out_of_the_project(
    measured: Project, capsys: pytest.CaptureFixture[str], key: str, elsewhere: str
) -> None:
    path = measured.path / "report.json"
    data = json.loads(path.read_text("utf-8"))
    data["sets"][0][key] = elsewhere
    path.write_text(json.dumps(data), "utf-8")
    assert accept() == 1
    assert f"names {elsewhere!r}, which lies outside" in refused(capsys)
    assert measured.baselines() == {}


def test_a_ranking_that_is_no_list_is_damage(measured: Project, capsys: pytest.CaptureFixture[str]) -> None:
    path = measured.path / "report.json"
    data = json.loads(path.read_text("utf-8"))
    data["sets"][0]["queries"][0]["ranked"] = "D1"
    path.write_text(json.dumps(data), "utf-8")
    assert accept() == 1
    assert "is damaged" in refused(capsys)


def test_a_loss_since_the_anchor_is_accepted_with_a_reason_only(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = queries(12)
    project.golden(rows)
    project.run("--update-baseline")
    before = project.baselines()
    project.fall(rows[:8])
    project.run("--retrieval-baseline")
    capsys.readouterr()
    assert accept() != 0
    message = refused(capsys)
    assert (
        "golden.yaml: not accepted, recall@5 of all fell 0.667 since the baseline (1.000 -> 0.333)" in message
    )
    assert 'pytest-retrieval accept report.json --update-anchor "reason"' in message
    assert project.baselines() == before
    assert accept("--update-anchor", "smaller index") == 0
    assert b'"reasons": ["smaller index"]' in project.baselines()["golden.anchor.json"]


def test_the_plain_file_of_a_retriever_that_is_listed_now_is_what_is_replaced(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    project.list_retrievers("one", "two")
    rows = queries(12)
    project.golden(rows, retriever="one")
    project.run("--update-baseline")
    project.golden(rows, retriever=["one", "two"])
    project.fall(rows)
    project.run()
    assert main(["accept", "report.json"]) == 1
    assert "fell 1.000 since the baseline" in capsys.readouterr().err


def test_a_report_of_which_a_set_was_left_out_is_refused(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    project.golden(queries(3))
    project.golden(queries(3, "other"), "golden_b.yaml")
    project.run("-k", "word")
    assert main(["accept", "report.json"]) == 1
    assert "is of an incomplete run: golden_b.yaml was left out" in capsys.readouterr().err
    assert not (project.path / "baselines").exists()


def test_the_margin_is_that_of_the_run(project: Project) -> None:
    project.ini("retrieval_margin = 0.95")
    rows = queries(12)
    project.golden(rows)
    project.run("--update-baseline")
    project.fall(rows[:9])
    assert project.run("--retrieval-baseline").status == "pass"
    assert main(["accept", "report.json"]) == 0
