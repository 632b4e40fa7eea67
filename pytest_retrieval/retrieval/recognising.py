"""Objects of known search libraries, made askable without naming an adapter or importing anything."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module

from pytest_retrieval.retrieval.errors import BadRetriever
from pytest_retrieval.retrieval.libraries import origins

_ADAPTERS = "pytest_retrieval.retrieval.adapters"

_ASKED_BY: Mapping[tuple[str, str], tuple[str, str]] = {
    ("langchain_core", "VectorStore"): ("langchain", "LangChainStore"),
    ("langchain_core", "Runnable"): ("langchain", "LangChainRetriever"),  # of which retrievers are one kind
    ("llama_index", "BaseRetriever"): ("llamaindex", "LlamaIndexRetriever"),
    ("llama_index", "BaseIndex"): ("llamaindex", "LlamaIndexIndex"),
    ("chromadb", "Collection"): ("chroma", "ChromaCollection"),
}
"""A class of a library -> the adapter, by module and class, that asks its objects."""

_RECIPES = "docs/recipes.md shows how it is asked"
_NO_INDEX = "which knows neither the index nor the query to send: return a function, such as lambda text, k: "
_NO_SEARCH: Mapping[tuple[str, str], str] = {
    ("qdrant_client", "QdrantBase"): (
        "which knows neither the collection nor how a text becomes a vector: "
        f'return QdrantCollection(client, "docs", embed) of {_ADAPTERS}.qdrant'
    ),
    ("elasticsearch", "BaseClient"): (
        f'{_NO_INDEX}client.search(index="docs", query={{"match": {{"body": text}}}}, size=k)'
    ),
    ("opensearchpy", "Client"): (
        f'{_NO_INDEX}client.search(index="docs", body={{"query": {{"match": {{"body": text}}}}, "size": k}})'
    ),
    ("chromadb", "BaseAPI"): 'which holds several collections: return client.get_collection("docs")',
    ("haystack", "PipelineBase"): (
        "whose inputs have names of your own: return a function, such as "
        'lambda text, k: pipeline.run({"retriever": {"query": text, "top_k": k}})["retriever"]'
    ),
    ("llama_index", "BaseQueryEngine"): "which answers in prose: return its retriever",
    ("sentence_transformers", "SentenceTransformer"): (
        "which is a model without documents: return DenseIndex(texts, model) "
        f"of {_ADAPTERS}.sentence_transformers"
    ),
    ("sentence_transformers", "CrossEncoder"): (
        f"which scores pairs and finds nothing: see CrossEncoderScorer of {_ADAPTERS}.cross_encoder"
    ),
    ("rank_bm25", "BM25"): f"which holds no ids: {_RECIPES}",
    ("bm25s", "BM25"): f"which holds no ids: {_RECIPES}",
    ("faiss", "Index"): f"which takes vectors and holds no ids: {_RECIPES}",
    ("lancedb", "Table"): f"whose search returns a query to be completed: {_RECIPES}",
    ("tantivy", "Index"): f"which takes parsed queries: {_RECIPES}",
    ("tantivy", "Searcher"): f"which takes parsed queries: {_RECIPES}",
}
"""A class of a library that cannot be asked as it is -> why, and what to return in its place."""


def recognise(value: object) -> object:
    """An adapter around an object of a known library; any other value as it is.

    Known are LangChain's vector stores, retrievers and other runnables, LlamaIndex's
    retrievers and indexes, Haystack's components and Chroma's collections. A class that
    derives from one of these counts as well.

    Raises:
        BadRetriever: an object of a known library that cannot be asked as it is, such as a
            client without an index, unless a class of the user's own made it a search.
    """
    kind = type(value)
    libraries = origins(kind)
    for origin, (module, name) in _ASKED_BY.items():
        if origin in libraries:
            return _adapter(module, name, value)
    # Haystack's components share no base, only the class of their classes.
    if ("haystack", "ComponentMeta") in origins(type(kind)):
        return _adapter("haystack", "HaystackRetriever", value)
    for (library, name), why in _NO_SEARCH.items():
        if (library, name) in libraries and not _is_made_a_search(kind, library):
            raise BadRetriever(f"the retriever is an object of type {kind.__name__}, {why}")
    return value


def _adapter(module: str, name: str, value: object) -> object:
    adapter: object = getattr(import_module(f"{_ADAPTERS}.{module}"), name)(value)
    return adapter


def _is_made_a_search(kind: type, library: str) -> bool:
    """Whether a class in front of the library's own can be called or searches."""
    for base in kind.__mro__:
        if base.__module__.partition(".")[0] == library:
            return False
        if not vars(base).keys().isdisjoint(("__call__", "search", "answer_query")):
            return True
    return False
