"""Slices on fields of the queries and of the documents that answer them."""

from __future__ import annotations

from inner_project import Project, query

CORPUS = "".join(
    f'{{"id": "D{number}", "text": "t", "language": "{language}"}}\n'
    for number, language in ((1, "de"), (2, "en"))
)


def rows() -> list[dict[str, object]]:
    german = [query(f"g{number:02}", relevant=["D1"]) for number in range(12)]
    return german + [query(f"e{number:02}", relevant=["D2"], team="north") for number in range(12)]


def slices(run: object) -> list[dict[str, object]]:
    return [row["slice"] for row in run.set()["means"]]  # type: ignore[attr-defined]


def test_slices_that_the_header_names_are_always_reported(project: Project) -> None:
    project.write("corpus.jsonl", CORPUS)
    project.golden(rows(), documents="corpus.jsonl", slices=["language", "team"])
    run = project.run()
    assert slices(run) == [
        {}, {"kind": "word"}, {"language": "de"}, {"language": "en"}, {"team": "north"},
    ]  # fmt: skip
    assert run.query("g01")["fields"] == {"language": ["de"], "team": []}
    assert any(line.split()[:3] == ["language:", "de", "12"] for line in run.lines)


def test_only_those_of_the_gate_are_judged(project: Project) -> None:
    project.write("corpus.jsonl", CORPUS)
    all_rows = rows()
    project.golden(all_rows, documents="corpus.jsonl", slices=["team"], gate={"slices": ["language"]})
    assert project.run("--update-baseline").exit == 0
    project.fall(all_rows[:12])
    run = project.run("--retrieval-baseline")
    assert run.exit == 1
    assert run.gate(language="de")["verdict"] == "regression"
    assert run.gate(language="en")["verdict"] == "unchanged"
    assert not [gate for gate in run.set()["gates"] if "team" in gate["slice"]]


def test_accepting_a_report_keeps_the_same_fields(project: Project) -> None:
    from pytest_retrieval.cli import main

    project.write("corpus.jsonl", CORPUS)
    project.golden(rows(), documents="corpus.jsonl", gate={"slices": ["language"]})
    assert project.run("--update-baseline").exit == 0
    written = project.baselines()
    assert b'"fields": {"language": ["de"]}' in written["golden.json"]
    assert main(["accept", str(project.path / "report.json"), "--root", str(project.path)]) == 0
    assert project.baselines() == written


def test_a_field_that_neither_queries_nor_documents_have_is_an_error_of_the_file(project: Project) -> None:
    project.golden(rows(), slices=["colour"])
    run = project.run()
    assert run.exit == 2
    assert (
        "golden.yaml:1: slices names 'colour', but no query has such a field, "
        "nor a document that answers one" in run.text
    )
