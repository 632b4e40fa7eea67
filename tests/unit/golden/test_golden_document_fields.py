from __future__ import annotations

import re
from pathlib import Path

import pytest

from pytest_retrieval.golden.document_fields import with_document_fields
from pytest_retrieval.golden.errors import GoldenError
from pytest_retrieval.golden.model import GateRules, GoldenSet, Header, Query
from pytest_retrieval.golden.reader import load_golden

CORPUS = """\
{"id": "A", "text": "a", "language": "de", "version": 2}
{"id": "B", "text": "b", "language": "en", "metadata": {"version": "1"}}
{"id": "C", "text": "c", "language": null, "metadata": {"version": ["1", 3]}}
"""


def golden(tmp_path: Path, queries: list[Query], **header: object) -> GoldenSet:
    (tmp_path / "corpus.jsonl").write_text(CORPUS, "utf-8")
    said = {"documents": ("corpus.jsonl",), "slices": ("language", "version"), **header}
    return GoldenSet(tuple(queries), Header(**said), tmp_path / "golden.yaml")  # type: ignore[arg-type]


def values(found: GoldenSet, name: str) -> list[tuple[str, ...]]:
    return [query.values(name) for query in found.queries]


def test_a_query_has_the_values_of_the_documents_that_answer_it(tmp_path: Path) -> None:
    queries = [Query("q1", "t", {"A": 2}), Query("q2", "t", {"B": 1, "A": 1}), Query("q3", "t", {"C": 1})]
    found = with_document_fields(golden(tmp_path, queries), None)
    assert values(found, "language") == [("de",), ("en", "de"), ()]
    assert values(found, "version") == [("2",), ("1", "2"), ("1", "3")]


def test_documents_that_do_not_answer_it_say_nothing(tmp_path: Path) -> None:
    found = with_document_fields(golden(tmp_path, [Query("q1", "t", {"A": 1, "B": 0, "gone": 1})]), None)
    assert values(found, "language") == [("de",)]


def test_what_the_query_says_itself_goes_first(tmp_path: Path) -> None:
    queries = [Query("q1", "t", {"A": 1}, metadata={"language": "fr"}), Query("q2", "t", {"A": 1})]
    found = with_document_fields(golden(tmp_path, queries), None)
    assert values(found, "language") == [("fr",), ("de",)]


def test_fields_that_nobody_slices_on_are_left_alone(tmp_path: Path) -> None:
    found = with_document_fields(golden(tmp_path, [Query("q1", "t", {"A": 1})], slices=("version",)), None)
    assert found.queries[0].metadata == {"version": ["2"]}


def test_gated_slices_count_as_well(tmp_path: Path) -> None:
    rules = GateRules(slices=("language",))
    found = with_document_fields(golden(tmp_path, [Query("q1", "t", {"A": 1})], slices=(), gate=rules), None)
    assert values(found, "language") == [("de",)]


def test_without_slices_no_corpus_is_read(tmp_path: Path) -> None:
    one = golden(tmp_path, [Query("q1", "t", {"A": 1})], slices=())
    (tmp_path / "corpus.jsonl").write_text("no JSON", "utf-8")
    assert with_document_fields(one, None) is one


def test_the_chunks_of_a_document_add_up(tmp_path: Path) -> None:
    one = golden(tmp_path, [Query("q1", "t", {"page": 1})], slices=("part",))
    rows = '{"id": "page#1", "text": "a", "part": "x"}\n{"id": "page#2", "text": "b", "part": "y"}\n'
    (tmp_path / "corpus.jsonl").write_text(rows, "utf-8")
    assert values(with_document_fields(one, re.compile("^(.*)#")), "part") == [("x", "y")]


def test_a_corpus_that_is_not_there_is_told(tmp_path: Path) -> None:
    one = golden(tmp_path, [Query("q1", "t", {"A": 1})], documents=("gone/*.jsonl",))
    with pytest.raises(GoldenError, match=r"'gone/\*.jsonl' matches no file"):
        with_document_fields(one, None)


def test_a_golden_set_is_loaded_with_them(tmp_path: Path) -> None:
    (tmp_path / "corpus.jsonl").write_text(CORPUS, "utf-8")
    text = "documents: corpus.jsonl\nslices: [language]\nqueries:\n  - {id: q1, text: t, relevant: [B]}\n"
    (tmp_path / "golden.yaml").write_text(text, "utf-8")
    assert values(load_golden(tmp_path / "golden.yaml"), "language") == [("en",)]
