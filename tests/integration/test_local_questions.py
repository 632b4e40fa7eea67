"""Local questions are asked with their set and belong to nothing that is gated or kept."""

from __future__ import annotations

import json

import pytest
from inner_project import Project, queries, query

OWN = queries(12)


def local_file(project: Project, *rows: dict[str, object], name: str = "golden.local.jsonl") -> None:
    project.write(name, "".join(json.dumps(row) + "\n" for row in rows))
    project.answers(rows)


def test_they_are_asked_and_told_apart(project: Project) -> None:
    project.golden(OWN)
    local_file(project, query("x1"), query("x2", "private"))
    project.answers([query("x2")], x2=["D9"])
    run = project.run()
    assert run.exit == 0
    assert {"text of x1", "text of x2"} <= set(project.asked)
    assert [row["id"] for row in run.set()["local_queries"]] == ["x1", "x2"]
    assert {row["local"] for row in run.set()["local_queries"]} == {"golden.local.jsonl"}
    assert {row["local"] for row in run.set()["queries"]} == {None}
    local = run.set()["local"]
    assert (local["files"], local["queries_total"], local["scored"]) == (["golden.local.jsonl"], 2, 2)
    assert local["metrics"]["mrr"] == 0.5
    assert (run.set()["queries_total"], run.set()["scored"]) == (12, 12)
    assert [(row["slice"], row["n"]) for row in run.set()["means"]] == [({}, 12), ({"kind": "word"}, 12)]
    text = " ".join(run.text.split())
    assert (
        "local: 2 of 2 queries of golden.local.jsonl scored, in no table, gate or baseline: hit_rate" in text
    )


def test_a_baseline_is_the_same_with_and_without_them(project: Project) -> None:
    project.golden(OWN)
    assert project.run("--update-baseline").exit == 0
    without = project.baselines()
    local_file(project, query("x1"), query("x2", "private"))
    assert project.run("--update-baseline").exit == 0
    assert project.baselines() == without
    assert "text of x1" in project.asked


def test_gates_and_floors_are_the_same_with_and_without_them(project: Project) -> None:
    project.golden(OWN, gate={"floors": {"recall@5": 0.9}})
    assert project.run("--update-baseline").exit == 0
    without = project.run("--retrieval-baseline")
    rows = queries(12, prefix="x")
    local_file(project, *rows)
    project.fall(rows)
    run = project.run("--retrieval-baseline")
    assert (run.exit, run.status) == (0, "pass")
    assert run.set()["gates"] == without.set()["gates"]
    assert run.set()["added"] == []


def test_one_that_fails_fails_its_own_test_and_keeps_no_baseline_from_being_written(project: Project) -> None:
    project.golden(OWN, max_errors=1)
    local_file(project, query("x1"))
    project.answer("text of x1", "broken")
    run = project.run("--update-baseline")
    assert (run.exit, run.status) == (1, "failed")
    assert "FAILED golden.yaml::word::x1" in run.text
    assert "golden.local.jsonl:1: query 'x1'" in run.text
    assert list(project.baselines()) == ["golden.json"]


def test_a_selection_of_them_alone_judges_nothing(project: Project) -> None:
    project.golden(OWN)
    assert project.run("--update-baseline").exit == 0
    local_file(project, query("x1"))
    run = project.run("--retrieval-baseline", "golden.yaml::word::x1")
    assert run.exit == 1
    assert "not evaluated: 12 of 12 queries were not selected" in run.text


def test_leaving_them_out_is_no_incomplete_run(project: Project) -> None:
    project.golden(OWN)
    assert project.run("--update-baseline").exit == 0
    local_file(project, query("x1"))
    run = project.run("--retrieval-baseline", "--deselect", "golden.yaml::word::x1")
    assert (run.exit, run.status) == (0, "pass")


def test_workers_tell_the_same(project: Project) -> None:
    pytest.importorskip("xdist")
    project.golden(OWN)
    local_file(project, query("x1"))
    run = project.run("-p", "xdist.plugin", "-n", "2")
    assert run.exit == 0
    assert run.set()["local"]["scored"] == 1


def test_a_complete_report_is_accepted_with_them(project: Project) -> None:
    from pytest_retrieval.cli import main

    project.golden(OWN)
    local_file(project, query("x1"))
    project.run()
    assert main(["accept", str(project.path / "report.json"), "--root", str(project.path)]) == 0
    assert b"x1" not in project.baselines()["golden.json"]


def test_filters_and_splits_hold_for_them(project: Project) -> None:
    project.golden(OWN, split={"test": 0.5})
    local_file(project, query("hello"), query("abc"))
    run = project.run("--retrieval-split=test")
    assert [row["id"] for row in run.set()["local_queries"]] == ["hello"]


def test_they_may_be_yaml_and_there_may_be_two_files(project: Project) -> None:
    project.golden(OWN)
    local_file(project, query("x1"))
    project.write("golden.local.yaml", "- {id: y1, kind: word, text: text of y1, relevant: [D1]}\n")
    project.answers([query("y1")])
    run = project.run()
    assert run.set()["local"]["files"] == ["golden.local.yaml", "golden.local.jsonl"]


def test_their_contracts_are_their_own(project: Project) -> None:
    project.golden(OWN)
    local_file(project, query("x1", must={"hit_rate@3": 1}))
    project.answer("text of x1", ["D9"])
    run = project.run()
    assert (run.exit, run.status) == (1, "failed")
    assert run.set()["local_queries"][0]["must_failed"] == ["hit_rate@3 is 0, must be at least 1"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            '{"id": "w03", "text": "t", "relevant": ["D1"]}',
            "golden.local.jsonl:1: the query id 'w03' is already used in golden.yaml",
        ),
        (
            '{"depth": 3}\n{"id": "x1", "text": "t", "relevant": ["D1"]}',
            "golden.local.jsonl:1: a local file joins golden.yaml, whose header counts for it, too: remove d",
        ),
        ('{"id": "x1", "text": "t", "relevant": []}', "golden.local.jsonl:1: a query with no relevant"),
        (
            '{"id": "x1", "text": "t", "relevant": ["D1"], "must": {"recal@3": 1}}',
            "golden.local.jsonl:1: query 'x1': must: unknown metric",
        ),
    ],
)
def test_a_mistake_in_a_local_file_is_told(project: Project, content: str, message: str) -> None:
    project.golden(OWN)
    project.write("golden.local.jsonl", content + "\n")
    run = project.run()
    assert run.exit == 2
    assert message in run.text
    assert project.events == []


def test_their_labels_are_held_against_the_documents(project: Project) -> None:
    project.write("corpus.jsonl", '{"id": "D1", "text": "t"}\n')
    project.golden(OWN, documents="corpus.jsonl")
    local_file(project, query("x1", relevant=["D7"]))
    run = project.run()
    assert run.exit == 2
    assert "golden.local.jsonl:1: x1 labels 'D7', which is none of the 1 declared documents" in run.text


# -- tuned on the questions


def test_a_dev_split_far_above_test_is_told(project: Project) -> None:
    rows = [{**row, "split": "dev" if number < 6 else "test"} for number, row in enumerate(OWN)]
    project.golden(rows)
    project.fall(rows[6:])
    run = project.run()
    note = next(note for note in run.set()["notes"] if note.startswith("dev is significantly above test"))
    # one of the 924 ways to choose 6 of 12, times two gated metrics
    assert "recall@5 1.000 over 6 questions, 0.000 over 6 (p 0.0022)" in note
    assert "--retrieval-split=test" in note


def test_a_small_lead_is_not(project: Project) -> None:
    rows = [{**row, "split": "dev" if number < 6 else "test"} for number, row in enumerate(OWN)]
    project.golden(rows)
    project.fall(rows[10:])
    assert not any("dev is" in note for note in project.run().set()["notes"])
