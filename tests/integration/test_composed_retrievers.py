"""Retrievers over others, as a header or the command line names them."""

from __future__ import annotations

import json

import pytest
from inner_project import Project, query

CONFTEST = """
import pytest


def note(event):
    with open({events!r}, "a", encoding="utf-8") as file:
        print(event, file=file)


@pytest.fixture(scope="session")
def one():
    note("built one")
    return lambda text, k: ["a#1", "b#1", "c#1"][:k]


@pytest.fixture(scope="session")
def two():
    return lambda text, k: ["b#2", "d#2", "a#2"][:k]


@pytest.fixture(scope="session")
def last_first():
    return lambda question, ids: range(len(ids))


class Longest:
    def score(self, question, texts):
        return [len(text) for text in texts]


@pytest.fixture(scope="session")
def longest():
    return Longest()


@pytest.fixture
def narrow():
    return len
"""


@pytest.fixture
def parts(project: Project) -> Project:
    project.write("conftest.py", CONFTEST.format(events=str(project.path / "events.txt")))
    return project


def ranked(project: Project, retriever: object, *args: str, **header: object) -> list[str]:
    project.golden([query("q1", relevant=["b"])], retriever=retriever, **header)
    run = project.run(*args)
    assert run.exit == 0, run.text
    return list(run.query("q1")["ranked"])


def test_a_header_fuses_two_fixtures_over_their_chunks(parts: Project) -> None:
    assert ranked(parts, {"hybrid": ["one", "two"]}) == ["a#1", "b#2", "b#1", "d#2", "a#2", "c#1"]


def test_with_a_document_id_documents_are_fused_and_counted_once(parts: Project) -> None:
    # b = 1/62 + 1/61, a = 1/61 + 1/63, d = 1/62, c = 1/63
    assert ranked(parts, {"hybrid": ["one", "two"]}, document_id="^(.*)#") == ["b", "a", "d", "c"]


def test_the_pattern_is_applied_once(parts: Project) -> None:
    parts.write("deep.py", "def search(text, k):\n    return ['x/a#1#2', 'x/b#1#1']\n")
    assert ranked(parts, {"hybrid": ["deep:search", "one"]}, document_id="^(.*)#") == [
        *("a", "x/a#1", "b", "x/b#1", "c")
    ]


def test_a_header_reranks_with_a_fixture(parts: Project) -> None:
    assert ranked(parts, {"rerank": "one", "with": "last_first", "candidates": 2}) == ["b#1", "a#1", "c#1"]


def test_a_scorer_of_texts_reads_the_declared_documents(parts: Project) -> None:
    rows = [{"id": name, "text": "x" * size} for name, size in (("a", 3), ("b", 9), ("c", 6), ("d", 1))]
    parts.write("corpus.jsonl", "\n".join(map(json.dumps, rows)))
    assert ranked(
        parts,
        {"rerank": {"hybrid": ["one", "two"]}, "with": "longest"},
        document_id="^(.*)#",
        documents="corpus.jsonl",
    ) == ["b", "c", "a", "d"]


def test_a_scorer_of_texts_without_documents_is_told(parts: Project) -> None:
    parts.golden([query("q1", relevant=["b"])], retriever={"rerank": "one", "with": "longest"})
    run = parts.run()
    assert run.exit == 1
    assert "declare the documents in the golden set's header" in run.text


def test_the_command_line_names_them_in_one_line(parts: Project) -> None:
    line = "--retrieval-retriever=rerank(hybrid(one, two, k=1), with=last_first, candidates=2)"
    assert ranked(parts, "one", line, document_id="^(.*)#") == ["a", "b", "d", "c"]


def test_the_report_and_the_baseline_name_the_whole(parts: Project) -> None:
    parts.golden([query("q1", relevant=["b#1"])], retriever={"hybrid": ["one", "two"], "k": 10})
    assert parts.run("--update-baseline").exit == 0
    assert json.loads(parts.baselines()["golden.json"])["retriever"] == "hybrid(one, two, k=10)"
    parts.golden([query("q1", relevant=["b#1"])], retriever={"hybrid": ["one", "two"], "k": 20})
    run = parts.run("--retrieval-baseline")
    assert "note: retriever: hybrid(one, two, k=10) before, hybrid(one, two, k=20) now" in run.text


def test_a_part_is_built_once(parts: Project) -> None:
    parts.golden(
        [query("q1", relevant=["b"]), query("q2", relevant=["b"])],
        retriever={"hybrid": ["one", {"rerank": "one", "with": "last_first"}, "two"]},
    )
    assert parts.run().exit == 0
    assert parts.events == ["built one"]


def test_runs_and_built_ins_may_be_parts(parts: Project) -> None:
    parts.write("runs/a, (1).jsonl", '{"id": "q1", "ranked": ["y", "x"]}')
    parts.write("corpus.jsonl", '{"id": "x", "text": "text of q1"}\n{"id": "z", "text": "nothing else"}')
    header = {"hybrid": ["run:runs/a, (1).jsonl", "bm25"]}
    parts.golden([query("q1", relevant=["x"])], retriever=header, documents="corpus.jsonl")
    run = parts.run()
    assert run.query("q1")["ranked"] == ["x", "y"]


@pytest.mark.parametrize(
    ("retriever", "message"),
    [
        ({"hybrid": ["one", "three"]}, "retriever 'three' is no fixture here and not built in (bm25)"),
        ({"rerank": "one", "with": "three"}, "scorer 'three' is no fixture here: define a session fixture"),
        ({"rerank": "one", "with": "bm25"}, "scorer 'bm25' is no fixture here"),
        ({"rerank": "one", "with": "narrow"}, "fixture 'narrow' has scope 'function'"),
        ({"rerank": "one", "with": "run:x"}, "the scorer 'run:x' must be the name of a fixture"),
        ("hybrid(one, two", "the retriever 'hybrid(one, two' lacks its last bracket"),
    ],
)
def test_what_cannot_work_is_told_before_anything_is_asked(
    parts: Project, retriever: object, message: str
) -> None:
    parts.golden([query("q1", relevant=["b"])], retriever=retriever)
    run = parts.run()
    assert run.exit == 2
    assert "golden.yaml:1: " in run.text
    assert message in run.text
    assert parts.events == []


def test_a_skipped_part_skips_the_whole(parts: Project) -> None:
    parts.write(
        "conftest.py",
        "import pytest\n\n\n@pytest.fixture(scope='session')\ndef one():\n    pytest.skip('no key')\n",
    )
    parts.write("deep.py", "def search(text, k):\n    return ['b']\n")
    parts.golden([query("q1", relevant=["b"])], retriever={"hybrid": ["deep:search", "one"]})
    run = parts.run()
    assert run.query("q1")["outcome"] == "not run"
    assert "no key" in run.query("q1")["error"]


# -- chunkings on one answer key


@pytest.mark.parametrize(
    ("retriever", "chunking", "found"),
    [
        # the two words lie apart in one of them: together only in a chunk that is long enough
        ("bm25", "whole", ["far", "near"]),
        ("bm25", {"fixed": {"words": 3}}, ["near", "far"]),
        ("bm25(fixed, words=3)", None, ["near", "far"]),
        ({"bm25": {"fixed": {"words": 3, "overlap": 1}}}, "whole", ["near", "far"]),
        ({"bm25": "whole"}, {"fixed": {"words": 3}}, ["far", "near"]),
    ],
)
def test_a_header_chooses_how_documents_are_cut(
    project: Project, retriever: object, chunking: object, found: list[str]
) -> None:
    rows = [
        {"id": "far", "text": "cat x x x x dog"},
        {"id": "near", "text": "y y y y y y cat dog y"},
        *({"id": f"z{number}", "text": "nothing at all here"} for number in range(4)),
    ]
    project.write("corpus.jsonl", "\n".join(map(json.dumps, rows)))
    header = {"chunking": chunking} if chunking else {}
    project.golden(
        [query("q1", text="cat dog", relevant=["near"])],
        retriever=retriever,
        documents="corpus.jsonl",
        **header,
    )
    assert project.run().query("q1")["ranked"] == found
