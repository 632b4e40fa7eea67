"""LangChain's own stores, retrievers and chains, handed out as they are."""

import pytest
from parcels import PIECES, RAW, TEXTS, ask, embed

from pytest_retrieval.retrieval.adapters.langchain import LangChainRetriever, LangChainStore
from pytest_retrieval.retrieval.errors import BadAnswer
from pytest_retrieval.retrieval.protocol import read_hits

pytest.importorskip("langchain_core", reason="langchain-core is not installed")

from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import RunnableLambda
from langchain_core.vectorstores import InMemoryVectorStore


class Counts(Embeddings):
    def embed_documents(self, texts):
        return [embed(text) for text in texts]

    def embed_query(self, text):
        return embed(text)


def filled(store, documents, ids=None):
    store.add_documents(documents, ids=ids)
    return store


def whole_documents():
    return [Document(text, metadata={"doc_id": id_}) for id_, text in TEXTS.items()]


@pytest.fixture
def store():
    return filled(InMemoryVectorStore(Counts()), whole_documents())


def chroma_store(distance):
    langchain_chroma = pytest.importorskip("langchain_chroma", reason="langchain-chroma is not installed")
    chromadb = pytest.importorskip("chromadb")
    client = chromadb.EphemeralClient()
    for old in client.list_collections():
        client.delete_collection(old.name)
    return langchain_chroma.Chroma(
        "parcels", Counts(), client=client, collection_configuration={"hnsw": {"space": distance}}
    )


def test_a_store_is_asked_for_the_depth_and_answers_a_raw_question(store):
    assert ask(store, RAW)[:2] == ["Größe", "what?"]
    assert len(ask(store, RAW)) == 4  # asked for 20
    assert ask(store, RAW, depth=1) == ["Größe"]
    assert ask(store, "parcels two") == ["42", *ask(store, "parcels two")[1:]]


@pytest.mark.parametrize("distance", ["l2", "cosine"])
def test_a_store_whose_numbers_are_distances_is_not_turned_round(distance):
    store = filled(chroma_store(distance), whole_documents())
    near, far = store.similarity_search_with_score("size of a parcel", k=2)
    assert near[1] < far[1]  # the library's own: a distance
    assert ask(store, "size of a parcel")[0] == "Größe"
    pairs = store.similarity_search_with_score("size of a parcel", k=4)
    hits = read_hits(pairs, 20)
    assert hits[0].id == "Größe"
    assert {hit.score for hit in hits} == {None}


def test_pieces_count_for_their_document_under_the_key_that_names_it():
    pieces = [Document(text, metadata={"page": page}) for _, page, text in PIECES]
    store = filled(InMemoryVectorStore(Counts()), pieces, [own for own, _, _ in PIECES])
    assert ask(LangChainStore(store, "page"), "fees in may") == ["guides/fees", "Größe"]
    assert ask(LangChainRetriever(store.as_retriever(), "page"), "fees in may") == ["guides/fees", "Größe"]
    assert set(ask(store, "fees in may")) == {
        "p1",
        "p2",
        "p3",
        "p4",
    }  # Document.id where nothing else is known
    with pytest.raises(BadAnswer, match=r"without 'source' in its metadata at place 1 \(its keys: 'page'\)"):
        ask(LangChainStore(store, "source"), "fees in may")


def test_a_retriever_over_a_store_is_asked_for_the_depth_unless_it_is_configured(store):
    assert len(ask(store.as_retriever(), RAW)) == 4
    assert ask(store.as_retriever(), RAW, depth=3) == ask(store, RAW)[:3]
    assert len(ask(store.as_retriever(search_kwargs={"k": 2}), RAW)) == 2
    assert ask(store.as_retriever(search_type="mmr"), RAW)[0] == "Größe"


def test_the_params_of_a_question_reach_the_store(store):
    def only(document):
        return document.metadata["doc_id"] != "Größe"

    assert ask(store, RAW, filter=only)[0] == "what?"
    assert ask(store.as_retriever(), RAW, filter=only)[0] == "what?"


def test_a_retriever_of_ones_own_and_a_chain_are_asked():
    class Mine(BaseRetriever):
        def _get_relevant_documents(self, query, *, run_manager):
            return [Document("", metadata={"doc_id": 42}), Document("", id="b/ä?")]

    assert ask(Mine(), RAW) == ["42", "b/ä?"]
    assert ask(Mine() | RunnableLambda(lambda documents: documents[::-1]), RAW) == ["b/ä?", "42"]


def test_a_chain_that_ends_in_prose_is_no_retriever():
    with pytest.raises(BadAnswer, match="a bare string"):
        ask(RunnableLambda(lambda text: f"about {text}"), RAW)


def test_documents_without_an_id_are_refused_with_their_keys():
    with pytest.raises(
        BadAnswer, match=r"a Document without an id at place 1 \(its metadata's keys: 'source'\)"
    ):
        ask(lambda text: [Document("", metadata={"source": "a.md"})], RAW)
