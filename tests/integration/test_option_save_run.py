from __future__ import annotations

import pytest
from inner_project import Project, Say, query


@pytest.fixture
def small(project: Project) -> Project:
    project.golden([query("q1"), query("q2", kind="other")])
    project.answer("text of q1", ["D9", "D1"])
    return project


def test_every_way_of_saying_it(small: Project, say: Say) -> None:
    run = small.run(*say("save-run", "out.trec"))
    assert run.exit == 0
    assert (small.path / "out.trec").read_text("utf-8") == (
        "q1 Q0 D9 1 2 retriever\nq1 Q0 D1 2 1 retriever\nq2 Q0 D1 1 1 retriever\n"
    )
    assert "golden.yaml: 2 rankings written to " in run.text


def test_the_suffix_chooses_jsonl_and_the_path_counts_from_where_it_was_typed(small: Project) -> None:
    (small.path / "inner").mkdir()
    assert small.run("..", "--retrieval-save-run=runs/out.jsonl", folder="inner").exit == 0
    assert (small.path / "inner/runs/out.jsonl").read_text("utf-8") == (
        '{"id": "q1", "ranked": ["D9", "D1"]}\n{"id": "q2", "ranked": ["D1"]}\n'
    )


def test_the_saved_run_is_a_retriever_that_gives_the_same_scores(small: Project) -> None:
    first = small.run("--retrieval-save-run=out.trec")
    again = small.run("--retrieval-retriever=run:out.trec")
    assert small.asked == []
    assert [query["scores"] for query in first.set()["queries"]] == [
        query["scores"] for query in again.set()["queries"]
    ]


def test_documents_are_saved_not_chunks(project: Project) -> None:
    project.golden([query("q1")], document_id="^(.*)#")
    project.answer("text of q1", ["D2#1", "D1#1", "D2#2"])
    project.run("--retrieval-save-run=out.jsonl")
    assert (project.path / "out.jsonl").read_text("utf-8") == '{"id": "q1", "ranked": ["D2", "D1"]}\n'


def test_failed_queries_have_no_ranking_and_empty_answers_are_told(project: Project) -> None:
    project.golden([query("q1"), query("q2"), query("q3")])
    project.answer("text of q1", "out of order")
    project.answer("text of q2", [])
    run = project.run("--retrieval-save-run=out.trec")
    assert (project.path / "out.trec").read_text("utf-8") == "q3 Q0 D1 1 1 retriever\n"
    assert "2 rankings written to " in run.text
    assert "1 empty answers have no line in it: score it with trec_eval -c" in run.text


def test_several_golden_sets_have_a_file_each(project: Project) -> None:
    project.golden([query("q1")], name="golden.yaml")
    project.golden([query("q1", text="another")], name="deep/golden_more.yaml")
    run = project.run("--retrieval-save-run=out.trec")
    assert {file.name for file in project.path.glob("out*")} == {
        "out.golden.trec",
        "out.deep_golden_more.trec",
    }
    assert run.exit == 0


def test_what_cannot_be_written_fails_the_set(project: Project) -> None:
    project.golden([query("q1", relevant=["a b"])])
    run = project.run("--retrieval-save-run=out.trec")
    assert run.exit == 1
    assert "FAILED golden.yaml - " in run.text
    assert "the run was not written: a TREC run cannot hold the id 'a b'" in run.text
    (project.path / "taken.jsonl").mkdir()
    assert project.run("--retrieval-save-run=taken.jsonl").exit == 1


def test_workers_write_nothing_and_the_file_is_the_same(small: Project) -> None:
    small.run("--retrieval-save-run=one.trec")
    run = small.run_apart("-n", "2", "-p", "no:randomly", "--retrieval-save-run=two.trec")
    assert run.exit == 0
    assert (small.path / "one.trec").read_bytes() == (small.path / "two.trec").read_bytes()


@pytest.mark.parametrize("name", ["golden.jsonl", "golden_new.jsonl", "golden.local.jsonl"])
def test_no_golden_set_is_replaced_or_made(project: Project, name: str) -> None:
    golden = project.golden([query("q1")], name="golden.jsonl")
    before = golden.read_bytes()
    run = project.run(f"--retrieval-save-run={name}")
    assert run.exit == 4
    assert f"{name} has the name of a golden set and would be read as one; choose another name" in run.text
    assert golden.read_bytes() == before
    assert project.asked == []


@pytest.mark.parametrize("kept", ["baselines/golden.json", "table.json", "conftest.py"])
def test_only_runs_are_replaced(small: Project, kept: str) -> None:
    small.run("--update-baseline")
    before = (small.path / kept).read_bytes()
    run = small.run(f"--retrieval-save-run={kept}")
    assert run.exit == 4
    assert "is there already and is no run: choose another name, or remove it first" in run.text
    assert (small.path / kept).read_bytes() == before


def test_the_run_that_answers_is_not_replaced(small: Project) -> None:
    small.run("--retrieval-save-run=out.trec")
    before = (small.path / "out.trec").read_bytes()
    run = small.run("--retrieval-retriever=run:out.trec", "--retrieval-save-run=out.trec")
    assert run.exit == 4
    assert "golden.yaml is answered from this file; nothing was asked or written" in run.text
    assert (small.path / "out.trec").read_bytes() == before


def test_one_file_is_not_report_and_run_at_once(small: Project) -> None:
    run = small.run("--retrieval-report=out.json", "--retrieval-save-run=out.json", report=False)
    assert run.exit == 4
    assert "out.json is a report as well; choose another name" in run.text


@pytest.mark.parametrize(
    "header",
    [
        {"retriever": {"hybrid": ["run:old.trec", "retriever"]}},
        {"exact": "run:old.trec"},
        {"retriever": [{"name": "old", "use": "run:old.trec"}, "retriever"]},
    ],
)
def test_no_run_that_has_a_part_in_the_answers_is_replaced(small: Project, header: dict[str, object]) -> None:
    small.run("--retrieval-save-run=old.trec")
    before = (small.path / "old.trec").read_bytes()
    small.golden([query("q1"), query("q2", kind="other")], **header)
    run = small.run("--retrieval-save-run=old.trec", "-k", "retriever or q1")
    assert run.exit == 4
    assert (small.path / "old.trec").read_bytes() == before


def test_two_sets_do_not_write_one_file(project: Project) -> None:
    project.golden([query("q1")], name="golden_a/golden_b.yaml")
    project.golden([query("q1")], name="golden_a_golden_b.yaml")
    run = project.run("--retrieval-save-run=out.trec")
    assert (run.exit, run.status) == (1, "incomplete")
    assert "it holds the rankings of golden_a/golden_b.yaml; rename one of them" in run.text
