from __future__ import annotations

import pytest
from inner_project import Project, Say, query


@pytest.fixture
def chunked(project: Project) -> Project:
    """A retriever of chunks: two of D2, then two of D1, then one that has no mark."""
    project.golden([query("q1", relevant=["D1"])])
    project.answer("text of q1", ["D2#1", "D2#2", "D1#7", "D1#8", "D3"])
    return project


def test_without_it_a_hit_is_a_document(chunked: Project) -> None:
    run = chunked.run()
    assert run.query("q1")["ranked"] == ["D2#1", "D2#2", "D1#7", "D1#8", "D3"]
    assert run.query("q1")["scores"]["mrr"] == 0


def test_every_way_of_saying_it(chunked: Project, say: Say) -> None:
    run = chunked.run(*say("document-id", "^(.*)#"))
    assert run.query("q1")["ranked"] == ["D2", "D1", "D3"]
    assert run.query("q1")["scores"]["mrr"] == 0.5
    assert run.set()["document_id"] == "^(.*)#"


def test_flag_over_header_over_ini(chunked: Project) -> None:
    def ranked(*args: str) -> list[str]:
        return list(chunked.run(*args).query("q1")["ranked"])

    chunked.ini("retrieval_document_id = ^(.)")
    assert ranked() == ["D"]
    chunked.golden([query("q1")], document_id="^(.*)#")
    chunked.answer("text of q1", ["D2#1", "D2#2", "D1#7", "D1#8", "D3"])
    assert ranked() == ["D2", "D1", "D3"]
    assert ranked("--retrieval-document-id=#(.)") == ["1", "2", "7", "8", "D3"]


def test_it_counts_before_the_cut_so_that_chunks_do_not_crowd_documents_out(chunked: Project) -> None:
    chunked.answer("text of q1", [*(f"D2#{n}" for n in range(10)), "D1#1"])
    run = chunked.run("--retrieval-document-id=^(.*)#", "--retrieval-metrics=recall@2")
    assert run.query("q1")["scores"]["recall@2"] == 1


@pytest.mark.parametrize(
    ("bad", "complaint"),
    [("^(.*#", "expected a regular expression ("), ("^.*#", "a regular expression with a group")],
)
def test_what_is_no_expression_with_a_group_is_refused(
    chunked: Project, say: Say, bad: str, complaint: str
) -> None:
    run = chunked.run(*say("document-id", bad))
    assert run.exit == 4
    assert "retrieval-document-id" in run.text.replace("_", "-")
    assert complaint in run.text
    assert chunked.events == []


def test_a_changed_expression_is_noted_beside_the_verdicts(chunked: Project) -> None:
    assert chunked.run("--update-baseline", "--retrieval-document-id=^(.*)#").exit == 0
    run = chunked.run("--retrieval-baseline", "--retrieval-document-id=^(.*?)#")
    assert run.set()["notes"] == ["document-id: ^(.*)# before, ^(.*?)# now"]
