"""What a session fixture hands out, in whole runs of pytest."""

import json
from importlib.util import find_spec

import pytest
from parcels import TEXTS

SETTING = f"""
import pytest

TEXTS = {TEXTS!r}
WORDS = sorted(set(" ".join(TEXTS.values()).split()))


def embed(text):
    return [float(text.lower().split().count(word)) for word in WORDS]


@pytest.fixture(scope="session")
def retriever():
"""

FIXTURES = {
    "langchain_core": """
    from langchain_core.documents import Document
    from langchain_core.embeddings import Embeddings
    from langchain_core.vectorstores import InMemoryVectorStore

    class Counts(Embeddings):
        def embed_documents(self, texts):
            return [embed(text) for text in texts]

        def embed_query(self, text):
            return embed(text)

    store = InMemoryVectorStore(Counts())
    store.add_documents([Document(text, metadata={"doc_id": id_}) for id_, text in TEXTS.items()])
    return store
""",
    "llama_index.core": """
    from llama_index.core import Document, VectorStoreIndex
    from llama_index.core.embeddings import BaseEmbedding

    class Counts(BaseEmbedding):
        def _get_text_embedding(self, text):
            return embed(text)

        def _get_query_embedding(self, query):
            return embed(query)

        async def _aget_query_embedding(self, query):
            return embed(query)

    documents = [Document(id_=id_, text=text) for id_, text in TEXTS.items()]
    return VectorStoreIndex.from_documents(documents, embed_model=Counts())
""",
    "haystack": """
    from haystack import Document
    from haystack.components.retrievers.in_memory import InMemoryBM25Retriever
    from haystack.document_stores.in_memory import InMemoryDocumentStore

    store = InMemoryDocumentStore()
    store.write_documents([Document(id=id_, content=text) for id_, text in TEXTS.items()])
    return InMemoryBM25Retriever(store)
""",
    "qdrant_client": """
    from pytest_retrieval.retrieval.adapters.qdrant import QdrantCollection
    from qdrant_client import QdrantClient
    from qdrant_client.models import Distance, PointStruct, VectorParams

    client = QdrantClient(":memory:")
    size = VectorParams(size=len(WORDS), distance=Distance.EUCLID)
    client.create_collection("parcels", vectors_config=size)
    client.upsert("parcels", [
        PointStruct(id=number, vector=embed(text), payload={"doc_id": id_})
        for number, (id_, text) in enumerate(TEXTS.items())
    ])
    return QdrantCollection(client, "parcels", embed)
""",
    "chromadb": """
    import chromadb

    class Counts(chromadb.EmbeddingFunction):
        def __init__(self):
            pass

        def __call__(self, input):
            return [embed(text) for text in input]

    collection = chromadb.EphemeralClient().create_collection("parcels", embedding_function=Counts())
    collection.add(ids=list(TEXTS), documents=list(TEXTS.values()))
    return collection
""",
}


@pytest.mark.parametrize("library", FIXTURES)
def test_an_object_of_a_library_is_asked_without_naming_an_adapter(pytester, library):
    if find_spec(library.partition(".")[0]) is None:  # importing it here would do so again in each test
        pytest.skip(f"{library} is not installed")
    queries = [
        {"id": "q1", "text": "size of a parcel", "relevant": ["Größe"]},
        {"id": "q2", "text": "fees due in may", "relevant": ["guides/fees"]},
        {"id": "q3", "text": "what is a voucher", "relevant": ["what?"]},
        {"id": "q4", "text": "two parcels", "relevant": ["42"]},
    ]
    (pytester.path / "golden.jsonl").write_text("\n".join(map(json.dumps, queries)), "utf-8")
    (pytester.path / "conftest.py").write_text(SETTING + FIXTURES[library], "utf-8")
    pytester.makeini("[pytest]\n")
    result = pytester.runpytest_subprocess("-p", "no:randomly", "-q", "--retrieval-report=report.json")
    assert result.ret == 0
    (one,) = json.loads((pytester.path / "report.json").read_text("utf-8"))["sets"]
    assert one["means"][0]["metrics"]["mrr"] == 1.0
    assert [query["ranked"][0] for query in one["queries"]] == ["Größe", "guides/fees", "what?", "42"]
