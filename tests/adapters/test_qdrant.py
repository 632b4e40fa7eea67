"""A local Qdrant."""

import numpy as np
import pytest
from parcels import PIECES, RAW, TEXTS, ask, embed

from pytest_retrieval.retrieval.adapters.qdrant import QdrantCollection
from pytest_retrieval.retrieval.errors import BadAnswer, BadRetriever
from pytest_retrieval.retrieval.protocol import read_hits

pytest.importorskip("qdrant_client", reason="qdrant-client is not installed")

from qdrant_client import QdrantClient
from qdrant_client.models import Distance, FieldCondition, Filter, MatchValue, PointStruct, VectorParams


def client_with(points, distance=Distance.COSINE):
    client = QdrantClient(":memory:")
    size = len(points[0].vector)
    client.create_collection("parcels", vectors_config=VectorParams(size=size, distance=distance))
    client.upsert("parcels", points)
    return client


def whole_documents(key="doc_id"):
    return [
        PointStruct(id=number, vector=embed(text), payload={key: id_})
        for number, (id_, text) in enumerate(TEXTS.items(), 1)
    ]


@pytest.mark.parametrize("distance", [Distance.COSINE, Distance.EUCLID, Distance.MANHATTAN])
def test_the_nearest_come_first_also_where_the_number_is_a_distance(distance):
    client = client_with(whole_documents(), distance)
    asked = QdrantCollection(client, "parcels", embed)
    assert ask(asked, "size of a parcel")[0] == "Größe"
    assert len(ask(asked, "size of a parcel")) == 4  # asked for 20
    assert ask(asked, "size of a parcel", depth=1) == ["Größe"]
    response = client.query_points("parcels", query=embed("size of a parcel"), limit=4)
    hits = read_hits(response, 20)
    assert hits == read_hits(response.points, 20)
    assert hits[0].id == "Größe"
    assert {hit.score for hit in hits} == {None}


def test_a_raw_question_is_only_ever_embedded():
    asked = QdrantCollection(client_with(whole_documents()), "parcels", lambda text: np.array(embed(text)))
    assert ask(asked, RAW)[:2] == ["Größe", "what?"]


def test_a_key_of_the_payload_names_the_document_of_a_piece():
    points = [
        PointStruct(id=number, vector=embed(text), payload={"page": page})
        for number, (_, page, text) in enumerate(PIECES, 1)
    ]
    client = client_with(points)
    assert ask(QdrantCollection(client, "parcels", embed, "page"), "fees in may") == ["guides/fees", "Größe"]
    assert sorted(ask(QdrantCollection(client, "parcels", embed), "fees in may")) == ["1", "2", "3", "4"]
    with pytest.raises(BadAnswer, match="a ScoredPoint without 'doc' in its metadata at place 1"):
        ask(QdrantCollection(client, "parcels", embed, "doc"), "fees in may")


def test_the_params_of_a_question_reach_the_search():
    asked = QdrantCollection(client_with(whole_documents()), "parcels", embed)
    only = Filter(must=[FieldCondition(key="doc_id", match=MatchValue(value="what?"))])
    assert ask(asked, RAW, query_filter=only) == ["what?"]


def test_a_bare_client_is_refused_with_what_to_return():
    with pytest.raises(BadRetriever, match=r'return QdrantCollection\(client, "docs", embed\)'):
        ask(client_with(whole_documents()), RAW)
