"""Haystack's retriever components, asked for documents."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import Any

from pytest_retrieval.retrieval.errors import BadRetriever
from pytest_retrieval.retrieval.library_results import documents_of


@dataclass(frozen=True, slots=True)
class HaystackRetriever:
    """A component whose ``run`` takes ``query``, or ``query_embedding`` and an ``embedder`` for it.

    ``embedder`` is a text embedder: ``run(text=...)`` returns ``{"embedding": [...]}``.
    ``document_key`` is the key of a document's ``meta`` that holds the id of the labels;
    without it the id is found as by
    :func:`~pytest_retrieval.retrieval.library_results.identified`: that of the document a
    piece was split from (``source_id``) comes before the piece's own.

    Raises:
        BadRetriever: ``run`` takes neither, or a vector and there is no ``embedder``.
    """

    component: Any
    embedder: Any = None
    document_key: str | None = None

    def __post_init__(self) -> None:
        name, taken = type(self.component).__name__, self._taken()
        if self.embedder is None and "query" not in taken:
            hint = "the component is no retriever"
            if "query_embedding" in taken:
                hint = "give it a text embedder: HaystackRetriever(component, embedder)"
            raise BadRetriever(f"{name}.run takes no query ({', '.join(taken)}); {hint}")
        if self.embedder is not None and "query_embedding" not in taken:
            raise BadRetriever(
                f"{name}.run takes no query_embedding ({', '.join(taken)}); leave out the embedder"
            )

    def search(self, text: str, k: int, **params: Any) -> object:
        """Return the documents in the component's order; ``params`` go to ``run``, such as ``filters``.

        Raises:
            BadAnswer: a document's ``meta`` lacks ``document_key``.
        """
        if "top_k" in self._taken():
            params = {"top_k": k, **params}
        if self.embedder is None:
            found = self.component.run(query=text, **params)
        else:
            vector = self.embedder.run(text=text)["embedding"]
            found = self.component.run(query_embedding=vector, **params)
        return documents_of(found["documents"], self.document_key)

    def _taken(self) -> tuple[str, ...]:
        return tuple(inspect.signature(self.component.run).parameters)
