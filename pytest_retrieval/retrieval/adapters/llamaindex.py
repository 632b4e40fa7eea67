"""LlamaIndex's retrievers and indexes, asked for documents."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pytest_retrieval.retrieval.library_results import documents_of


@dataclass(frozen=True, slots=True)
class LlamaIndexRetriever:
    """A retriever; it returns as many nodes as it is set to (``similarity_top_k``, 2 unless given).

    ``document_key`` is the key of a node's metadata that holds the id of the labels; without
    it the id is found as by :func:`~pytest_retrieval.retrieval.library_results.identified`:
    that of the document a node was cut from (``ref_doc_id``) comes before the node's own.
    """

    retriever: Any
    document_key: str | None = None

    def search(self, text: str) -> object:
        """Return the documents behind the nodes, in the order of the retriever.

        Raises:
            BadAnswer: a node's metadata lacks ``document_key``.
        """
        return documents_of(self.retriever.retrieve(text), self.document_key)


@dataclass(frozen=True, slots=True)
class LlamaIndexIndex:
    """An index, whose own retriever is asked for as many nodes as are wanted.

    ``document_key`` as in :class:`LlamaIndexRetriever`.
    """

    index: Any
    document_key: str | None = None

    def search(self, text: str, k: int, **params: Any) -> object:
        """Return the documents behind the ``k`` nearest nodes; ``params`` go to ``as_retriever``.

        Raises:
            BadAnswer: a node's metadata lacks ``document_key``.
        """
        retriever = self.index.as_retriever(similarity_top_k=k, **params)
        return documents_of(retriever.retrieve(text), self.document_key)
