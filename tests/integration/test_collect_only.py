from __future__ import annotations

from inner_project import Project, queries


def test_collecting_builds_no_retriever_and_judges_nothing(project: Project) -> None:
    project.golden(queries(2))
    run = project.run("--collect-only", "--retrieval-baseline")
    assert run.exit == 0
    assert project.events == []
    assert "golden.yaml" in run.text
    assert "not evaluated" not in run.text


def test_collecting_imports_no_retriever(project: Project) -> None:
    project.golden(queries(2), retriever="no_such_module:search")
    assert project.run("--collect-only").exit == 0


def test_collecting_writes_no_report(project: Project) -> None:
    project.golden(queries(2))
    assert project.run("--collect-only").report == {}


def test_collecting_shows_file_kinds_and_queries_as_a_tree(project: Project) -> None:
    project.golden(queries(1, "word"))
    tree = [line.strip() for line in project.run("--collect-only").lines if line.strip().startswith("<")]
    assert tree[-3:] == ["<GoldenFile golden.yaml>", "<KindNode word>", "<QueryItem w01>"]


def test_collecting_refuses_a_broken_golden_set(project: Project) -> None:
    project.write("golden.yaml", "queries:\n  - {id: q1, text: one, relevnt: [D1]}\n")
    run = project.run("--collect-only")
    assert run.exit == 2
    assert "golden.yaml:2: unknown field 'relevnt': did you mean 'relevant'?" in run.text
