"""Collections of Chroma, asked with texts or with vectors made of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from pytest_retrieval.retrieval.library_results import chroma_pieces, documents_of


@dataclass(frozen=True, slots=True)
class ChromaCollection:
    """A collection; ``embed`` turns one text into a vector where the collection itself does not.

    ``document_key`` is the key of an entry's metadata that holds the id of the labels;
    without it the id is found as by
    :func:`~pytest_retrieval.retrieval.library_results.identified`.
    """

    collection: Any
    embed: Callable[[str], Any] | None = None
    document_key: str | None = None

    def search(self, text: str, k: int, **params: Any) -> object:
        """Return the ``k`` nearest, nearest first; ``params`` go to ``query``, such as ``where``.

        Chroma's numbers are distances, and are not asked for.

        Raises:
            BadAnswer: an entry's metadata lacks ``document_key``.
        """
        return self.search_batch([text], k, **params)[0]

    def search_batch(self, texts: Sequence[str], k: int, **params: Any) -> list[object]:
        """Answer several texts with one call, as :meth:`search` answers each."""
        if self.embed is None:
            asked: dict[str, Any] = {"query_texts": list(texts)}
        else:
            asked = {"query_embeddings": [self.embed(text) for text in texts]}
        found = self.collection.query(n_results=k, include=["metadatas"], **asked, **params)
        return [documents_of(pieces, self.document_key) for pieces in chroma_pieces(found)]
