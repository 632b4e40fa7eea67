"""Classes named like those of search libraries, since a library is told by the names of its classes."""

from __future__ import annotations


def class_of(origin, name, *bases, metaclass=type, **members):
    """A class ``name`` that says it comes from the module ``origin``."""
    return metaclass(name, bases, {"__module__": origin, **members})


def filled(self, **fields):
    self.__dict__.update(fields)


LangChainDocument = class_of("langchain_core.documents.base", "Document", __init__=filled)
VectorStore = class_of("langchain_core.vectorstores.base", "VectorStore", __init__=filled)
Runnable = class_of("langchain_core.runnables.base", "Runnable", __init__=filled)
LangChainBaseRetriever = class_of("langchain_core.retrievers", "BaseRetriever", Runnable)

BaseNode = class_of("llama_index.core.schema", "BaseNode", __init__=filled)
NodeWithScore = class_of("llama_index.core.schema", "NodeWithScore", __init__=filled)
LlamaBaseRetriever = class_of("llama_index.core.base.base_retriever", "BaseRetriever", __init__=filled)
BaseIndex = class_of("llama_index.core.indices.base", "BaseIndex", __init__=filled)

HaystackDocument = class_of("haystack.dataclasses.document", "Document", __init__=filled)
ComponentMeta = class_of("haystack.core.component.component", "ComponentMeta", type)

ScoredPoint = class_of("qdrant_client.http.models.models", "ScoredPoint", __init__=filled)
QdrantResponse = class_of("qdrant_client.http.models.models", "QueryResponse", __init__=filled)

Collection = class_of("chromadb.api.models.Collection", "Collection", __init__=filled)
ApiResponse = class_of("elastic_transport", "ApiResponse", __init__=filled)


def langchain_document(own=None, /, **metadata):
    return LangChainDocument(id=own, metadata=metadata, page_content="text")


def node(node_id, ref_doc_id=None, /, **metadata):
    return BaseNode(node_id=node_id, id_=node_id, ref_doc_id=ref_doc_id, metadata=metadata)


def haystack_document(own, score=None, /, **meta):
    return HaystackDocument(id=own, score=score, meta=meta)


def point(own, /, **payload):
    return ScoredPoint(id=own, score=0.5, payload=payload, version=1)
