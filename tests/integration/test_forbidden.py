from __future__ import annotations

import pytest
from inner_project import Project, query


@pytest.fixture
def guarded(project: Project) -> Project:
    """One query that must not get two documents, and one that may get all."""
    project.golden([query("q1", forbidden=["S1", "S2"]), query("q2")])
    return project


def test_a_query_that_gets_none_of_them_passes(guarded: Project) -> None:
    run = guarded.run()
    assert (run.exit, run.status) == (0, "measured")
    assert run.query("q1")["must_failed"] == []


def test_a_query_that_gets_one_fails_and_names_it(guarded: Project) -> None:
    guarded.answer("text of q1", ["D1", "D3", "S2"])
    run = guarded.run()
    assert (run.exit, run.status) == (1, "failed")
    assert "FAILED golden.yaml::word::q1" in run.text
    assert "must: forbidden S2 was returned at rank 3 (golden.yaml:2: query 'q1')" in run.text
    assert run.query("q1")["must_failed"] == ["forbidden S2 was returned at rank 3"]
    assert run.query("q1")["outcome"] == "scored"
    assert run.query("q1")["scores"]["mrr"] == 1.0


def test_all_of_them_are_named_beside_other_contracts(project: Project) -> None:
    project.golden([query("q1", forbidden=["S1", "S2"], must={"mrr": 1})])
    project.answer("text of q1", ["S2", "D1", "S1"])
    assert project.run().query("q1")["must_failed"] == [
        "forbidden S1 was returned at rank 3",
        "forbidden S2 was returned at rank 1",
        "mrr is 0.5, must be at least 1",
    ]


def test_only_what_is_within_the_depth_counts(guarded: Project) -> None:
    guarded.answer("text of q1", ["D1", "D2", "D3", "D4", "D5", "S1"])
    assert guarded.run("--retrieval-depth=5", "--retrieval-metrics=mrr", "--retrieval-gate=mrr").exit == 0
    assert guarded.run("--retrieval-depth=6", "--retrieval-metrics=mrr", "--retrieval-gate=mrr").exit == 1


def test_the_document_of_a_chunk_is_what_is_forbidden(project: Project) -> None:
    project.golden([query("q1", forbidden=["S1"])], document_id="^(.*)#")
    project.answer("text of q1", ["D1#1", "D1#2", "S1#7"])
    assert project.run().query("q1")["must_failed"] == ["forbidden S1 was returned at rank 2"]


def test_it_needs_no_answer(project: Project) -> None:
    project.golden([query("q1", relevant=[], answerable=False, forbidden=["S1"]), query("q2")])
    assert project.run().exit == 0
    project.answer("text of q1", ["S1"])
    run = project.run()
    assert (run.exit, run.status) == (1, "failed")
    assert "expected nothing" in run.text


def test_a_run_that_returned_one_becomes_no_baseline(guarded: Project) -> None:
    guarded.answer("text of q1", ["S1"])
    run = guarded.run("--update-baseline")
    assert run.exit == 1
    assert "must: forbidden S1 was returned at rank 1" in run.text
    assert guarded.baselines() == {}


def test_it_fails_a_gated_run_whose_gates_pass(guarded: Project) -> None:
    assert guarded.run("--update-baseline").exit == 0
    guarded.answer("text of q1", ["D1", "S1"])
    run = guarded.run("--retrieval-baseline")
    assert run.exit == 1
    assert run.query("q1")["must_failed"]


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"forbidden": ["D1"]}, "the document 'D1' is both relevant and forbidden"),
        ({"forbidden": ["S1", "S1"]}, "forbidden lists the document 'S1' twice"),
        ({"forbiden": ["S1"]}, "did you mean 'forbidden'"),
        ({"forbidden": {"S1": 1}}, "a document id in forbidden must be text, found a mapping"),
    ],
)
def test_a_mistake_is_told_with_its_line(project: Project, fields: dict[str, object], message: str) -> None:
    project.golden([query("q1", **fields)])
    run = project.run()
    assert run.exit == 2
    assert "golden.yaml:2" in run.text
    assert message in run.text


def test_an_id_that_no_declared_document_has_guards_nothing_and_is_told(project: Project) -> None:
    project.write("corpus.jsonl", '{"id": "D1", "text": "x"}\n{"id": "S1", "text": "x"}')
    project.golden([query("q1", forbidden="S2")], documents="corpus.jsonl")
    run = project.run()
    assert run.exit == 2
    assert "q1 forbids 'S2', which is none of the 2 declared documents" in run.text
