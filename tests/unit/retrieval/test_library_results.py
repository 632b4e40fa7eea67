"""The results of known libraries, shown by stand-ins; the libraries themselves are in tests/adapters."""

import math

import pytest
from stand_ins import (
    ApiResponse,
    BaseNode,
    LangChainDocument,
    NodeWithScore,
    QdrantResponse,
    class_of,
    haystack_document,
    langchain_document,
    node,
    point,
)

from pytest_retrieval.retrieval.adapters.elasticsearch import hits
from pytest_retrieval.retrieval.library_results import documents_of
from pytest_retrieval.retrieval.protocol import BadAnswer, read_hits
from pytest_retrieval.retrieval.ranking import Hit


def ids(result, depth=20):
    return [hit.id for hit in read_hits(result, depth)]


@pytest.mark.parametrize(
    ("document", "id_"),
    [
        (langchain_document("chunk-7", doc_id="D04"), "D04"),
        (langchain_document("chunk-7", document_id="D04"), "D04"),
        (langchain_document("chunk-7", id="D04"), "D04"),
        (langchain_document("D04", source="a.md"), "D04"),
        (langchain_document(None, doc_id=4), "4"),
        (NodeWithScore(node=node("n1", "D04"), score=0.2), "D04"),
        (NodeWithScore(node=node("n1", "uuid", doc_id="D04"), score=None), "D04"),
        (NodeWithScore(node=node("D04"), score=0.2), "D04"),
        (node("n1", "D04"), "D04"),
        (haystack_document("hash", 0.9, source_id="D04"), "D04"),
        (haystack_document("hash", 0.9, id="D04", source_id="parent's hash"), "D04"),
        (haystack_document("D04"), "D04"),
        (point(7), "7"),
        (point("c0ffee00-0000-0000-0000-000000000000", doc_id="Größe/3?x"), "Größe/3?x"),
        (point(7, id=12), "12"),
    ],
)
def test_a_piece_is_read_under_the_id_of_its_document(document, id_):
    assert ids([document]) == [id_]


def test_a_class_that_derives_from_a_librarys_is_read_like_it():
    derived = class_of("my.project", "Page", LangChainDocument)
    assert ids([derived(id="chunk-1", metadata={"doc_id": "D04"})]) == ["D04"]


def test_an_object_that_is_only_named_like_a_librarys_is_read_by_its_attributes():
    mine = class_of(
        "my.project", "Document", __init__=lambda self: None, id="chunk-1", metadata={"doc_id": "D04"}
    )
    assert ids([mine()]) == ["chunk-1"]


def test_a_distance_beside_a_document_neither_sorts_nor_counts_as_a_score():
    near, far = langchain_document("near"), langchain_document("far")
    assert read_hits([(near, 0.1), (far, 0.9)], 20) == (Hit("near"), Hit("far"))


def test_a_number_that_is_nan_is_refused_also_where_it_may_be_a_distance():
    with pytest.raises(BadAnswer, match="a score that is NaN at place 1"):
        read_hits([(langchain_document("a"), math.nan)], 20)


def test_scores_that_may_be_distances_are_left_out_and_those_of_haystack_are_kept():
    assert read_hits([NodeWithScore(node=node("a"), score=0.2), point("b")], 20) == (Hit("a"), Hit("b"))
    assert read_hits([haystack_document("a", 0.25)], 20) == (Hit("a", 0.25),)


def test_a_document_without_any_id_is_refused_with_the_keys_it_has():
    found = [langchain_document("a"), langchain_document(None, source="a.md", page=3)]
    with pytest.raises(BadAnswer) as refused:
        read_hits(found, 20)
    assert str(refused.value) == (
        "the retriever returned a Document without an id at place 2 (its metadata's keys: 'source', 'page'); "
        "expected one, or the document's id in the metadata under doc_id or document_id or docid or id; "
        'return an adapter with document_key="..." where it is under another key'
    )


def test_a_named_key_counts_alone_and_must_be_there():
    documents = [langchain_document("x", source="b.md", doc_id="D1"), langchain_document("y", source="a.md")]
    assert documents_of(documents, "source") == [("b.md", None), ("a.md", None)]
    with pytest.raises(BadAnswer, match="a Document without 'source' in its metadata at place 2"):
        documents_of([documents[0], langchain_document("y", doc_id="D2")], "source")


def test_what_is_no_result_of_a_library_passes_through_the_adapters():
    assert documents_of(["a", ("b", 0.5)]) == ["a", ("b", 0.5)]


@pytest.mark.parametrize("score", [None, 0.0])
def test_a_response_of_elasticsearch_is_opened(score):
    hit = {"_index": "docs", "_id": "a/b?c", "_score": score, "_source": {"id": "not this"}}
    response = {"took": 1, "timed_out": False, "_shards": {"failed": 0}, "hits": {"total": {}, "hits": [hit]}}
    assert read_hits(response, 20) == (Hit("a/b?c", score),)
    assert read_hits(ApiResponse(body=response), 20) == (Hit("a/b?c", score),)


def test_a_response_without_hits_is_an_empty_answer():
    assert read_hits({"hits": {"total": {"value": 0}, "hits": []}}, 20) == ()


@pytest.mark.parametrize(
    ("response", "words"),
    [
        ({"timed_out": True, "hits": {"hits": []}}, "a search response that timed out"),
        ({"_shards": {"failed": 2}, "hits": {"hits": []}}, "in which 2 shards failed"),
        ({"hits": {"total": 3}}, "a search response without hits.hits"),
        ({"responses": [{"hits": {"hits": []}}]}, "as the score of 'responses'"),
        ({"error": {"type": "parsing_exception"}, "status": 400}, "as the score of 'error'"),
    ],
)
def test_a_response_that_is_partial_or_no_ranking_is_refused(response, words):
    with pytest.raises(BadAnswer, match=words):
        read_hits(response, 20)


@pytest.mark.parametrize(
    "hit",
    [
        {"_source": {"meta": {"page": "D04"}}},
        {"_source": {"meta.page": "D04"}},
        {"_source": {}, "fields": {"meta.page": ["D04"]}},
        {"fields": {"meta.page": ["D04"]}},
    ],
)
def test_a_field_of_an_elasticsearch_hit_names_the_document(hit):
    response = {"hits": {"hits": [{"_id": "chunk-1", "_score": 1.5, **hit}]}}
    for answer in (response, ApiResponse(body=response)):
        assert read_hits(hits(answer, "meta.page"), 20) == (Hit("D04", 1.5),)


def test_an_elasticsearch_hit_without_the_field_is_refused():
    with pytest.raises(BadAnswer, match="a result without 'page' in its metadata at place 1"):
        hits({"hits": {"hits": [{"_id": "1", "_source": {"title": "x"}}]}}, "page")
    with pytest.raises(BadAnswer, match="an object of type list without hits"):
        hits([{"_id": "1"}], "page")


def test_haystacks_wrapped_documents_are_opened_and_other_wrapped_lists_are_not():
    assert ids({"documents": [haystack_document("b"), haystack_document("a")]}) == ["b", "a"]
    assert ids({"documents": []}) == []
    for other in ({"documents": [langchain_document("a")]}, {"documents": [], "error": "no such index"}):
        with pytest.raises(BadAnswer, match="as the score of 'documents'"):
            read_hits(other, 20)


def test_chromas_answer_to_one_question_is_opened_nearest_first():
    answer = {"ids": [["b", "a"]], "distances": [[0.1, 0.7]], "metadatas": [[None, {"doc_id": "D1"}]]}
    assert read_hits(answer, 20) == (Hit("b"), Hit("D1"))
    assert ids({"ids": [["b", "a"]], "distances": None, "metadatas": None}) == ["b", "a"]
    assert ids({"ids": [[]], "distances": [[]]}) == []


def test_chromas_answers_to_several_questions_are_refused():
    with pytest.raises(BadAnswer, match="Chroma's answers to 2 questions at once; expected those to one"):
        read_hits({"ids": [["a"], ["b"]], "distances": [[0.1], [0.2]]}, 20)


def test_a_flat_list_of_ids_beside_distances_is_nobodys_response():
    with pytest.raises(BadAnswer, match="as the score of 'ids'"):
        read_hits({"ids": ["ab"], "distances": [0.1]}, 20)


def test_qdrants_response_is_opened():
    assert ids(QdrantResponse(points=[point(2), point(1)])) == ["2", "1"]


def test_an_answer_of_a_library_is_cut_at_the_depth():
    assert ids([node(str(number)) for number in range(9)], depth=3) == ["0", "1", "2"]
    assert isinstance(node("a"), BaseNode)
