"""Haystack's own retriever components, handed out as they are."""

import pytest
from parcels import PIECES, RAW, TEXTS, ask, embed

from pytest_retrieval.retrieval.adapters.haystack import HaystackRetriever
from pytest_retrieval.retrieval.errors import BadAnswer, BadRetriever
from pytest_retrieval.retrieval.protocol import read_hits

pytest.importorskip("haystack", reason="haystack-ai is not installed")

from haystack import Document, Pipeline, component
from haystack.components.preprocessors import DocumentSplitter
from haystack.components.retrievers.in_memory import InMemoryBM25Retriever, InMemoryEmbeddingRetriever
from haystack.document_stores.in_memory import InMemoryDocumentStore


@component
class Counts:
    @component.output_types(embedding=list[float])
    def run(self, text: str):
        return {"embedding": embed(text)}


def store_of(documents, **named):
    store = InMemoryDocumentStore(embedding_similarity_function="cosine", **named)
    store.write_documents(documents)
    return store


def whole_documents():
    return [Document(id=id_, content=text, embedding=embed(text)) for id_, text in TEXTS.items()]


def test_a_word_search_is_asked_for_the_depth_and_answers_a_raw_question():
    retriever = InMemoryBM25Retriever(store_of(whole_documents()))
    assert ask(retriever, RAW)[:2] == ["Größe", "what?"]
    assert ask(retriever, RAW, depth=1) == ["Größe"]


def test_what_no_word_matched_comes_back_with_a_score_of_zero_only_where_the_library_leaves_it_in():
    assert ask(InMemoryBM25Retriever(store_of(whole_documents())), "fees") == ["guides/fees"]
    okapi = InMemoryBM25Retriever(store_of(whole_documents(), bm25_algorithm="BM25Okapi"))
    assert len(ask(okapi, "fees")) == 4
    matched = lambda text, k: [hit for hit in okapi.run(query=text, top_k=k)["documents"] if hit.score]  # noqa: E731
    assert ask(matched, "fees") == ["guides/fees"]


def test_the_scores_are_kept_and_do_not_sort():
    found = {"documents": [Document(id="b", score=0.1), Document(id="a", score=0.9), Document(id="c")]}
    assert [(hit.id, hit.score) for hit in read_hits(found, 20)] == [("b", 0.1), ("a", 0.9), ("c", None)]


def test_a_vector_search_needs_an_embedder():
    retriever = InMemoryEmbeddingRetriever(store_of(whole_documents()))
    with pytest.raises(BadRetriever, match=r"takes no query .*HaystackRetriever\(component, embedder\)"):
        ask(retriever, RAW)
    asked = HaystackRetriever(retriever, Counts())
    assert ask(asked, RAW)[:2] == ["Größe", "what?"]
    assert len(ask(asked, RAW)) == 4
    assert ask(asked, RAW, depth=1) == ["Größe"]


def test_an_embedder_is_no_retriever_and_a_word_search_needs_none():
    with pytest.raises(BadRetriever, match="the component is no retriever"):
        ask(Counts(), RAW)
    with pytest.raises(BadRetriever, match="leave out the embedder"):
        HaystackRetriever(InMemoryBM25Retriever(store_of([])), Counts())


def test_pieces_that_the_library_split_count_for_the_document_they_were_split_from():
    splitter = DocumentSplitter(split_by="word", split_length=4, split_overlap=0)
    pieces = splitter.run(
        [Document(id="long", content="parcel size " * 8), Document(id="fees", content="in may")]
    )
    retriever = InMemoryBM25Retriever(store_of(pieces["documents"]))
    assert len(retriever.run(query="parcel may", top_k=20)["documents"]) > 2
    assert sorted(ask(retriever, "parcel may")) == ["fees", "long"]


def test_a_key_of_the_metadata_names_the_document():
    pieces = [Document(id=own, content=text, meta={"page": page}) for own, page, text in PIECES]
    retriever = InMemoryBM25Retriever(store_of(pieces))
    assert ask(HaystackRetriever(retriever, document_key="page"), "fees due may") == ["guides/fees", "Größe"]
    assert ask(retriever, "fees due")[0] == "p1"
    with pytest.raises(BadAnswer, match="a Document without 'source' in its metadata at place 1"):
        ask(HaystackRetriever(retriever, document_key="source"), "fees due")


def test_the_params_of_a_question_reach_the_component():
    retriever = InMemoryBM25Retriever(store_of(whole_documents()))
    only = {"field": "id", "operator": "==", "value": "what?"}
    assert ask(retriever, RAW, filters=only) == ["what?"]


def test_a_pipeline_is_asked_by_a_function_and_its_part_of_the_answer_is_read():
    pipeline = Pipeline()
    pipeline.add_component("retriever", InMemoryBM25Retriever(store_of(whole_documents())))
    with pytest.raises(BadRetriever, match=r'lambda text, k: pipeline\.run\({"retriever"'):
        ask(pipeline, RAW)
    asked = lambda text, k: pipeline.run({"retriever": {"query": text, "top_k": k}})["retriever"]  # noqa: E731
    assert ask(asked, RAW)[:2] == ["Größe", "what?"]
