"""Where evidence is lost: in the summary, in the report, and by a command over the report."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from inner_project import Project, query

from pytest_retrieval.cli import main

CITING = """
import json
import pathlib

import pytest


@pytest.fixture(scope="session")
def retriever():
    table = json.loads((pathlib.Path(__file__).parent / "table.json").read_text("utf-8"))
    return lambda text, k: {"hits": table[text], "cited": ["D2#9"]}
"""

ROWS = [
    query("q1", "a", ["D1"]),
    query("q2", "a", ["D2"]),
    query("q3", "b", {"D3": 2, "D9": 1}),
    query("q4", "b", [], answerable=False),
]
HITS = {"q1": ["D1#1"], "q2": ["D1#1", "D1#2", "D1#3", "D2#1"], "q3": ["D1#1"], "q4": ["D1#1"]}


@pytest.fixture
def chunks(project: Project) -> Project:
    project.golden(ROWS, context=3, document_id="^(.*)#")
    project.answers(ROWS, **HITS)
    return project


def buckets(run: object) -> list[str | None]:
    rows = run.set()["queries"]  # type: ignore[attr-defined]
    return [row["diagnosis"] and row["diagnosis"]["bucket"] for row in rows]


def test_every_query_with_an_answer_has_its_bucket(chunks: Project) -> None:
    run = chunks.run()
    assert run.exit == 0
    assert buckets(run) == ["ok", "ranking", "retrieval", None]
    assert run.query("q2")["places"] == [1, 4]
    assert run.query("q2")["diagnosis"]["documents"] == [
        {"document": "D2", "grade": 1, "bucket": "ranking", "rank": 2, "place": 4}
    ]
    assert [row["document"] for row in run.query("q3")["diagnosis"]["documents"]] == ["D3", "D9"]
    assert run.set()["context"] == 3
    assert run.set()["diagnosis"]["groups"][0] == {
        "kind": None,
        "n": 3,
        "counts": {"ok": 1, "ranking": 1, "retrieval": 1},
        "first": "retrieval",
    }
    assert run.set()["diagnosis"]["unanswerable"] == 1


def test_the_summary_says_it_in_a_few_lines(chunks: Project) -> None:
    lines = chunks.run().lines
    start = lines.index("diagnosis: 3 hits in the context, 20 in the pool")
    assert [line.split() for line in lines[start + 1 : start + 5]] == [
        ["n", "ok", "ranking", "retrieval", "turn", "first"],
        ["a", "2", "1", "1", "0", "ranking"],
        ["b", "1", "0", "0", "1", "retrieval"],
        ["all", "3", "1", "1", "1", "retrieval"],
    ]


def test_without_a_context_nothing_is_diagnosed(project: Project) -> None:
    project.golden(ROWS)
    run = project.run()
    assert (run.set()["context"], run.set()["diagnosis"], buckets(run)) == (None, None, [None] * 4)
    assert "diagnosis" not in run.text


def test_cited_chunks_are_mapped_to_documents(chunks: Project) -> None:
    chunks.write("conftest.py", CITING)
    run = chunks.run()
    assert buckets(run) == ["generation", "ranking", "retrieval", None]
    assert run.query("q1")["cited"] == ["D2"]


def test_workers_tell_the_same(chunks: Project) -> None:
    pytest.importorskip("xdist")
    chunks.write("conftest.py", CITING)
    alone = chunks.run().set()
    spread = chunks.run("-p", "xdist.plugin", "-n", "2").set()
    assert spread["diagnosis"] == alone["diagnosis"]
    assert [row["places"] for row in spread["queries"]] == [row["places"] for row in alone["queries"]]


def test_the_search_is_as_deep_as_the_context(project: Project) -> None:
    project.golden(ROWS, context=30)
    assert project.run().set()["depth"] == 30


def test_a_depth_below_the_context_is_an_error_of_the_file(project: Project) -> None:
    project.golden(ROWS, context=30, depth=20)
    run = project.run()
    assert run.exit == 2
    assert "golden.yaml:1: depth 20 is not enough for a context of 30 hits" in run.text


def test_a_failed_query_is_not_diagnosed_and_said_to_be(chunks: Project) -> None:
    chunks.answer("text of q1", "broken")
    run = chunks.run()
    assert buckets(run)[0] is None
    assert run.set()["diagnosis"]["unknown"] == 1
    assert "1 queries without a ranking or labels" in " ".join(run.text.split())


# -- the command


@pytest.fixture
def report(chunks: Project) -> Path:
    chunks.run()
    return chunks.path / "report.json"


def test_the_command_tells_what_the_summary_told(report: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diagnose", str(report)]) == 0
    out = capsys.readouterr().out
    assert out.startswith("golden.yaml\ndiagnosis: 3 hits in the context, 20 in the pool\n")
    assert "not diagnosed: 1 no-answer queries" in out


def test_another_context_needs_no_new_run(report: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diagnose", str(report), "--context", "4", "--query", "q2"]) == 0
    assert capsys.readouterr().out == "golden.yaml\nq2  ok  text of q2\n  D2  grade 1: ok, rank 2, hit 4\n"


def test_every_lost_query_can_be_listed(report: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diagnose", str(report), "--queries"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-5:] == [
        "q2  ranking  text of q2",
        "  D2  grade 1: ranking, rank 2, hit 4",
        "q3  retrieval  text of q3",
        "  D3  grade 2: retrieval",
        "  D9  grade 1: retrieval",
    ]


def test_a_question_without_an_answer_is_refused_with_a_clear_word(
    report: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["diagnose", str(report), "--query", "q4"]) == 1
    assert (
        "query 'q4' is not diagnosed: no document answers it (answerable: false)" in capsys.readouterr().err
    )


def test_todays_corpus_tells_what_is_not_in_it(
    chunks: Project, report: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    chunks.write("corpus.jsonl", '{"id": "D3#1", "text": "a"}\n{"id": "D1#1", "text": "b"}\n')
    words = ["diagnose", str(report), "--root", str(chunks.path), "--documents", "corpus.jsonl"]
    assert main([*words, "--query", "q3"]) == 0
    assert capsys.readouterr().out.splitlines()[1:] == [
        "q3  retrieval  text of q3",
        "  D3  grade 2: retrieval",
        "  D9  grade 1: not in the corpus",
    ]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--context", "21"], "a context of 21 hits is not within the 20 that were asked for"),
        (["--context", "0"], "a context of 0 hits is not within"),
        (["--query", "q7"], "has no query 'q7'"),
    ],
)
def test_what_cannot_be_told_is_refused(
    words: list[str], message: str, report: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["diagnose", str(report), *words]) == 1
    assert message in capsys.readouterr().err


def test_a_report_without_a_context_needs_one(project: Project, capsys: pytest.CaptureFixture[str]) -> None:
    project.golden(ROWS)
    project.run()
    assert main(["diagnose", str(project.path / "report.json")]) == 1
    assert "golden.yaml says no context: give --context N" in capsys.readouterr().err


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"format": "pytest-retrieval-report/1", "sets": [1]}'])
def test_a_file_that_is_no_report_is_refused(
    content: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "other.json"
    file.write_text(content, "utf-8")
    assert main(["diagnose", str(file)]) == 1
    assert "write one with: pytest --retrieval-report=FILE.json" in capsys.readouterr().err


def test_a_damaged_query_is_told_without_a_traceback(
    report: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = json.loads(report.read_text("utf-8"))
    del data["sets"][0]["queries"][0]["relevant"]
    report.write_text(json.dumps(data), "utf-8")
    assert main(["diagnose", str(report)]) == 1
    assert "is damaged (KeyError: 'relevant')" in capsys.readouterr().err
