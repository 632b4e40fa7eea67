"""LangChain's vector stores and retrievers, asked for documents."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pytest_retrieval.retrieval.library_results import documents_of


@dataclass(frozen=True, slots=True)
class LangChainStore:
    """A vector store (``langchain_core.vectorstores.VectorStore``).

    ``document_key`` is the key of a document's metadata that holds the id of the labels;
    without it the id is found as by
    :func:`~pytest_retrieval.retrieval.library_results.identified`.
    """

    store: Any
    document_key: str | None = None

    def search(self, text: str, k: int, **params: Any) -> object:
        """Return the ``k`` nearest, in the store's order; ``params`` go to its search, such as ``filter``.

        The numbers of ``similarity_search_with_score`` are distances in some stores and
        similarities in others, so they are not asked for.

        Raises:
            BadAnswer: a document has no usable id.
        """
        return documents_of(self.store.similarity_search(text, k=k, **params), self.document_key)


@dataclass(frozen=True, slots=True)
class LangChainRetriever:
    """A retriever, or any other runnable that takes a text and returns documents.

    ``document_key`` as in :class:`LangChainStore`.
    """

    runnable: Any
    document_key: str | None = None

    def search(self, text: str, k: int, **params: Any) -> object:
        """Return what ``invoke`` returns, in its order; ``params`` go to it as keyword arguments.

        A retriever over a vector store is asked for ``k`` results, unless its
        ``search_kwargs`` set their number: what is configured is what is measured. Others
        know no number, and return as many as they are set to.

        Raises:
            BadAnswer: a document has no usable id, or something else than documents came back.
        """
        search_kwargs = getattr(self.runnable, "search_kwargs", None)
        if isinstance(search_kwargs, Mapping) and "k" not in search_kwargs:
            params = {**params, "k": k}
        found = self.runnable.invoke(text, **params)
        return documents_of(found, self.document_key) if isinstance(found, list) else found
