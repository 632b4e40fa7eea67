from __future__ import annotations

import pytest

from pytest_retrieval.golden.errors import GoldenError
from pytest_retrieval.golden.model import Pooling
from pytest_retrieval.golden.reader import load_golden


def test_beir_files_are_used_where_they_lie(write) -> None:
    write("beir/queries.jsonl", '{"_id": "1", "text": "a"}\n{"_id": "2", "text": "b"}\n')
    write("beir/qrels/test.tsv", "query-id\tcorpus-id\tscore\n2\td1\t1\n2\td2\t0\n")
    golden = load_golden(
        write("golden.yaml", "depth: 5\nqueries: beir/queries.jsonl\nqrels: beir/qrels/test.tsv\n")
    )
    (query,) = golden.queries
    assert (query.id, query.text, query.relevant, query.line) == ("2", "b", {"d1": 1, "d2": 0}, 2)
    assert golden.header.depth == 5
    assert golden.notes == ("1 questions without any label were left out, '1' first",)


def test_trec_files_are_used_where_they_lie_and_from_jsonl_as_well(write) -> None:
    write("topics.xml", '<topics><topic number="1"><query>a</query></topic></topics>')
    write("qrels.txt", "1 0 d1 2\n9 0 d1 1\n")
    golden = load_golden(write("golden.jsonl", '{"queries": "topics.xml", "qrels": "qrels.txt"}\n'))
    assert [(query.text, query.relevant) for query in golden.queries] == [("a", {"d1": 2})]
    assert golden.notes == ("1 labelled ids belong to no question, '9' first",)


def test_several_questions_may_share_the_labels_of_one_topic(write) -> None:
    write("q.jsonl", '{"id": "1-a", "topic": 1, "text": "a"}\n{"id": "1-b", "topic": 1, "text": "b"}\n')
    write("qrels.txt", "1 0 d 1\n")
    golden = load_golden(write("golden.yaml", "queries: q.jsonl\nqrels: {file: qrels.txt, by: topic}\n"))
    assert {query.id: query.relevant for query in golden.queries} == {"1-a": {"d": 1}, "1-b": {"d": 1}}


def test_questions_of_the_golden_set_take_their_labels_from_a_file(write) -> None:
    write("qrels.txt", "q1 0 d 1\nq2 0 d 0\n")
    golden = load_golden(
        write("golden.yaml", "qrels: qrels.txt\nqueries:\n- {id: q1, text: a}\n- {id: q2, text: b}\n")
    )
    assert [(query.id, query.line) for query in golden.queries] == [("q1", 3)]
    assert golden.notes == ("1 questions with grades of 0 or less only were left out, 'q2' first",)


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("queries: gone.jsonl\n", 1, "there is no 'gone.jsonl' at"),
        ("depth: 3\nqueries: q.jsonl\nqrels: gone\n", 3, "qrels must be a file; there is no 'gone'"),
        ("queries: q.jsonl\nqrels: {by: topic}\n", 2, "qrels names no file"),
        ("queries: q.jsonl\nqrels: {file: r, on: topic}\n", 2, "unknown key 'on' in qrels"),
        ("pooled: {date: x}\nqueries: q.jsonl\n", 1, "pooled has no depth"),
        ("pooled: [{depth: 0}]\nqueries: q.jsonl\n", 1, "pooled: depth must be a whole number of at least 1"),
    ],
)
def test_a_header_that_names_no_usable_file_is_an_error(write, text: str, line: int, words: str) -> None:
    write("q.jsonl", '{"id": "1", "text": "a"}\n')
    path = write("golden.yaml", text)
    with pytest.raises(GoldenError) as caught:
        load_golden(path)
    assert str(caught.value).startswith(f"{path}:{line}: ")
    assert words in caught.value.message


@pytest.mark.parametrize(
    ("queries", "qrels", "words"),
    [
        (
            '{"id": "1", "text": "a"}\n',
            "7 0 d 1\n",
            "none of its 1 questions, such as '1', has a relevant label",
        ),
        ('{"id": "1", "text": "a", "relevant": ["d"]}\n', "1 0 d 1\n", "labels of its own beside qrels"),
        ('{"text": "a"}\n', "1 0 d 1\n", "a question without the field 'id'"),
        ('{"id": "1", "text": "a"}\n' * 2, "1 0 d 1\n", "the query id '1' is used twice"),
        ('{"id": "1", "text": "a"}\n', "1 0 d x\n", "found the grade 'x'"),
    ],
)
def test_files_that_do_not_fit_each_other_are_an_error(write, queries: str, qrels: str, words: str) -> None:
    write("q.jsonl", queries)
    write("qrels.txt", qrels)
    with pytest.raises(GoldenError, match=words):
        load_golden(write("golden.yaml", "queries: q.jsonl\nqrels: qrels.txt\n"))


def test_the_header_tells_what_was_pooled(write) -> None:
    golden = load_golden(
        write(
            "golden.yaml",
            "pooled:\n- {depth: 3, date: 2026-01-02, sources: [a.run, b.json]}\n- {depth: 5}\n"
            "queries:\n- {id: q, text: a, relevant: [d]}\n",
        )
    )
    assert golden.header.pooled == (Pooling(3, ("a.run", "b.json"), "2026-01-02"), Pooling(5))
