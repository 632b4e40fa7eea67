"""LlamaIndex's own retrievers and indexes, handed out as they are."""

import pytest
from parcels import PIECES, RAW, TEXTS, ask, embed

from pytest_retrieval.retrieval.adapters.llamaindex import LlamaIndexIndex, LlamaIndexRetriever
from pytest_retrieval.retrieval.errors import BadAnswer, BadRetriever

pytest.importorskip("llama_index.core", reason="llama-index-core is not installed")

from llama_index.core import Document, VectorStoreIndex
from llama_index.core.embeddings import BaseEmbedding
from llama_index.core.llms import MockLLM
from llama_index.core.node_parser import SentenceSplitter
from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import NodeWithScore, TextNode


class Counts(BaseEmbedding):
    def _get_text_embedding(self, text):
        return embed(text)

    def _get_query_embedding(self, query):
        return embed(query)

    async def _aget_query_embedding(self, query):
        return embed(query)


@pytest.fixture
def index():
    documents = [Document(id_=id_, text=text) for id_, text in TEXTS.items()]
    return VectorStoreIndex.from_documents(documents, embed_model=Counts())


def piece_index():
    nodes = [TextNode(id_=own, text=text, metadata={"page": page}) for own, page, text in PIECES]
    for one in nodes:
        one.excluded_embed_metadata_keys = ["page"]
    return VectorStoreIndex(nodes, embed_model=Counts())


def test_an_index_is_asked_for_the_depth_and_its_nodes_count_for_their_documents(index):
    assert ask(index, RAW)[:2] == ["Größe", "what?"]
    assert len(ask(index, RAW)) == 4
    assert ask(index, RAW, depth=1) == ["Größe"]


def test_a_retriever_returns_as_many_as_it_is_set_to(index):
    assert len(ask(index.as_retriever(similarity_top_k=3), RAW)) == 3
    assert len(ask(index.as_retriever(), RAW)) == 2


def test_pieces_that_the_library_cut_count_for_the_document_they_were_cut_from():
    splitter = SentenceSplitter(chunk_size=12, chunk_overlap=0, include_metadata=False)
    documents = [
        Document(id_="long", text=" ".join(["parcel size."] * 30)),
        Document(id_="fees", text="fees in may."),
    ]
    index = VectorStoreIndex.from_documents(documents, embed_model=Counts(), transformations=[splitter])
    nodes = index.as_retriever(similarity_top_k=50).retrieve("parcel size")
    assert len(nodes) > 2
    assert "long" not in {found.node_id for found in nodes}
    assert ask(index, "parcel size", depth=50) == ["long", "fees"]


def test_a_key_of_the_metadata_comes_before_the_nodes_own_id():
    index = piece_index()
    assert ask(LlamaIndexIndex(index, "page"), "fees in may") == ["guides/fees", "Größe"]
    assert ask(LlamaIndexRetriever(index.as_retriever(similarity_top_k=1), "page"), "fees") == ["guides/fees"]
    assert set(ask(index, "fees in may")) == {"p1", "p2", "p3", "p4"}
    with pytest.raises(BadAnswer, match="a NodeWithScore without 'source' in its metadata at place 1"):
        ask(LlamaIndexIndex(index, "source"), "fees in may")


def test_the_order_of_a_retriever_is_kept_whatever_its_scores_say():
    class Mine(BaseRetriever):
        def _retrieve(self, query_bundle):
            scores = {"c": 0.1, "a": 0.9, "b": None, "d": 0.0}
            return [NodeWithScore(node=TextNode(id_=id_), score=score) for id_, score in scores.items()]

    assert ask(Mine(), RAW) == ["c", "a", "b", "d"]


def test_a_query_engine_is_refused_with_what_to_return(index):
    with pytest.raises(BadRetriever, match="answers in prose: return its retriever"):
        ask(index.as_query_engine(llm=MockLLM()), RAW)
