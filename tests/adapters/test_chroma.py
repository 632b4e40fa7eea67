"""Chroma in this process."""

import pytest
from parcels import PIECES, RAW, TEXTS, ask, embed

from pytest_retrieval.retrieval.adapters.chroma import ChromaCollection
from pytest_retrieval.retrieval.errors import BadAnswer, BadRetriever
from pytest_retrieval.retrieval.protocol import read_hits

chromadb = pytest.importorskip("chromadb", reason="chromadb is not installed")


class Counts(chromadb.EmbeddingFunction):
    def __init__(self):
        pass

    def __call__(self, input):  # noqa: A002 - Chroma's name
        return [embed(text) for text in input]


@pytest.fixture
def client():
    client = chromadb.EphemeralClient()
    for old in client.list_collections():
        client.delete_collection(old.name)
    return client


def whole_documents(client, space="l2", function=None):
    collection = client.create_collection(
        "parcels", embedding_function=function, configuration={"hnsw": {"space": space}}
    )
    texts = list(TEXTS.values())
    collection.add(ids=list(TEXTS), documents=texts, embeddings=[embed(text) for text in texts])
    return collection


@pytest.mark.parametrize("space", ["l2", "cosine", "ip"])
def test_a_collection_that_embeds_is_asked_as_it_is_and_its_distances_do_not_turn_it_round(client, space):
    collection = whole_documents(client, space, Counts())
    assert ask(collection, "size of a parcel")[0] == "Größe"
    assert len(ask(collection, "size of a parcel")) == 4  # asked for 20
    assert ask(collection, "size of a parcel", depth=1) == ["Größe"]
    assert ask(collection, RAW)[:2] == ["Größe", "what?"] or space == "l2"
    answer = collection.query(query_texts=["size of a parcel"], n_results=4)
    assert answer["distances"][0][0] < answer["distances"][0][-1]
    hits = read_hits(answer, 20)
    assert hits[0].id == "Größe"
    assert {hit.score for hit in hits} == {None}


def test_a_collection_that_does_not_embed_is_given_vectors(client):
    asked = ChromaCollection(whole_documents(client, "cosine"), embed)
    assert ask(asked, RAW)[:2] == ["Größe", "what?"]
    both = asked.search_batch(["fees due", RAW], 2)
    assert both == [asked.search("fees due", 2), asked.search(RAW, 2)]


def test_a_key_of_the_metadata_names_the_document_of_a_piece(client):
    collection = client.create_collection("parcels", embedding_function=Counts())
    collection.add(
        ids=[own for own, _, _ in PIECES],
        documents=[text for _, _, text in PIECES],
        metadatas=[{"page": page} for _, page, _ in PIECES],
    )
    assert ask(ChromaCollection(collection, document_key="page"), "fees in may") == ["guides/fees", "Größe"]
    assert sorted(ask(collection, "fees in may")) == ["p1", "p2", "p3", "p4"]
    with pytest.raises(BadAnswer, match="a result without 'source' in its metadata at place 1"):
        ask(ChromaCollection(collection, document_key="source"), "fees in may")


def test_the_params_of_a_question_reach_the_search(client):
    collection = whole_documents(client, function=Counts())
    assert ask(collection, RAW, ids=["what?", "42"]) == ["what?", "42"]


def test_a_bare_client_is_refused_with_what_to_return(client):
    with pytest.raises(BadRetriever, match=r'return client\.get_collection\("docs"\)'):
        ask(client, RAW)
