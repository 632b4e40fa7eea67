"""Elasticsearch's ranking evaluation and LlamaIndex's question-answer sets."""

from __future__ import annotations

import json

import pytest

from pytest_retrieval.golden.errors import GoldenError
from pytest_retrieval.golden.sources.detect import read_source
from pytest_retrieval.golden.sources.imported import Wishes

RANK_EVAL = {
    "requests": [
        {
            "id": "amsterdam_query",
            "request": {"query": {"match": {"text": "amsterdam"}}},
            "ratings": [
                {"_index": "cities", "_id": "doc1", "rating": 0},
                {"_index": "cities", "_id": "doc2", "rating": 3},
            ],
        },
        {
            "id": "berlin",
            "request": {
                "query": {"bool": {"must": [{"multi_match": {"query": "berlin wall", "fields": ["t"]}}]}}
            },
            "ratings": [{"_index": "towns", "_id": "doc1", "rating": 1}],
        },
        {
            "id": "templated",
            "template_id": "match_one",
            "params": {"query_string": "rome", "field": "text"},
            "ratings": [{"_index": "cities", "_id": "doc9", "rating": 2}],
        },
    ],
    "metric": {"precision": {"k": 20}},
}


def test_a_rank_eval_request_is_read_with_the_texts_of_its_clauses(write) -> None:
    imported = read_source([write("r.json", json.dumps(RANK_EVAL, indent=2))], Wishes())
    assert [(query.id, query.text, query.relevant) for query in imported.queries] == [
        ("amsterdam_query", "amsterdam", {"doc1": 0, "doc2": 3}),
        ("berlin", "berlin wall", {"doc1": 1}),
        ("templated", "rome", {"doc9": 2}),
    ]
    assert imported.guesses == (
        "text: params.query_string (1 of 3)",
        "text: request.query.bool.must.multi_match.query (1 of 3)",
        "text: request.query.match.text (1 of 3)",
    )
    assert imported.warnings == (
        "the documents are of 2 indexes, whose ids may clash; "
        "to keep them apart: --document '{_index}/{_id}'",
    )


def test_index_and_id_can_be_joined(write) -> None:
    path = write("r.json", json.dumps(RANK_EVAL))
    imported = read_source([path], Wishes(document="{_index}/{_id}"))
    assert imported.queries[0].relevant == {"cities/doc1": 0, "cities/doc2": 3}
    assert imported.warnings == ()


def test_the_text_can_be_named_where_a_request_has_several(write) -> None:
    query = {"bool": {"should": [{"match": {"t": "x"}}, {"match": {"u": "y"}}]}}
    ratings = [{"_id": "d", "rating": 1}]
    request = {"id": "a", "request": {"query": query}, "params": {"said": "z"}, "ratings": ratings}
    path = write("r.json", json.dumps({"requests": [request]}))
    imported = read_source([path], Wishes())
    assert (imported.queries[0].text, imported.warnings) == (
        "x",
        ("1 requests have several texts; the first was taken, 'a' first",),
    )
    assert read_source([path], Wishes({"text": "params.said"})).queries[0].text == "z"


ASKED = '"id": "a", "request": {"query": {"match": {"t": "x"}}}'


@pytest.mark.parametrize(
    ("request_text", "words"),
    [
        ('{"id": "a", "request": {"query": {"match_all": {}}}, "ratings": []}', "missing role 'text'"),
        ('{"request": {"query": {"match": {"t": "x"}}}, "ratings": []}', "missing role 'id'"),
        (f"{{{ASKED}}}", "missing role 'relevant': a request with no ratings"),
        (f'{{{ASKED}, "ratings": {{}}}}', "ratings that are a mapping"),
        (f'{{{ASKED}, "ratings": [{{"_id": "d"}}]}}', "missing role 'grade'"),
        (f'{{{ASKED}, "ratings": [{{"rating": 1}}]}}', "needs '_id'"),
        (f'{{{ASKED}, "ratings": [{{"_id": "d", "rating": 1.5}}]}}', "a rating must be a whole number"),
        (
            f'{{{ASKED}, "ratings": [{{"_id": "d", "rating": 1}}, {{"_id": "d", "rating": 2}}]}}',
            "rated twice and differently",
        ),
        ("[]", "a request must be a mapping"),
    ],
)
def test_a_hostile_request_is_refused_with_its_line(write, request_text: str, words: str) -> None:
    path = write("r.json", f'{{"requests": [\n{request_text}]}}')
    with pytest.raises(GoldenError) as caught:
        read_source([path], Wishes())
    assert str(caught.value).startswith(f"{path}:2: ")
    assert words in caught.value.message


LLAMA = {
    "queries": {"u1": "what is new?", "u2": "what is old?", "u3": "what is lost?"},
    "corpus": {"n1": "New text.", "n2": "Old text."},
    "relevant_docs": {"u1": ["n1"], "u2": ["n2", "n7"], "u9": ["n1"]},
    "mode": "text",
}


def test_a_question_answer_set_is_read(write) -> None:
    imported = read_source([write("qa.json", json.dumps(LLAMA, indent=4))], Wishes())
    assert [(query.id, query.text, query.relevant, query.line) for query in imported.queries] == [
        ("u1", "what is new?", {"n1": 1}, 3),
        ("u2", "what is old?", {"n2": 1, "n7": 1}, 4),
    ]
    assert imported.warnings == (
        "1 labelled ids belong to no question, 'u9' first",
        "1 relevant documents are not in the corpus, 'n7' first",
        "1 questions without any label were left out, 'u3' first",
    )


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ('{"queries": {},\n"relevant_docs": {}}', 1, "missing role 'text': queries is empty"),
        ('{"queries": {"a": "x"},\n"relevant_docs": {"a": "d"}}', 2, "of 'a' must be a list"),
        ('{"queries": {"a": "x"},\n"relevant_docs": {"a": [["d"]]}}', 2, "must be an id, found a list"),
        ('{"queries": {"a": ["x"]},\n"relevant_docs": {"a": ["d"]}}', 1, "must be text, found a list"),
        ('{"queries": {"a": "x"},\n"relevant_docs": {"a": [""]}}', 2, "found empty text"),
        ('{"queries": {"a": "x"},\n"relevant_docs": {}}', None, "missing role 'relevant'"),
        ('{"queries": {"a": "x"},\n"relevant_docs": {"a": ["d"]}, "corpus": 1}', 2, "must be a mapping"),
    ],
)  # fmt: skip
def test_a_hostile_set_is_refused_with_its_line(write, text: str, line: int | None, words: str) -> None:
    path = write("qa.json", text)
    with pytest.raises(GoldenError) as caught:
        read_source([path], Wishes())
    assert str(caught.value).startswith(f"{path}:{line}: " if line else f"{path}: ")
    assert words in caught.value.message
