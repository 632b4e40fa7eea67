"""Collections of Qdrant, asked with vectors that a function of the user's makes of the texts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pytest_retrieval.retrieval.library_results import documents_of


@dataclass(frozen=True, slots=True)
class QdrantCollection:
    """A collection, the ``client`` (``qdrant_client.QdrantClient``) that knows it, and ``embed``.

    ``embed`` turns one text into what ``query_points`` takes: a vector (list or array), a
    sparse vector, a ``models.Document``. ``document_key`` is the key of a point's payload
    that holds the id of the labels; without it the id is found as by
    :func:`~pytest_retrieval.retrieval.library_results.identified`. A point's own id is a
    whole number or a UUID, seldom what labels name.
    """

    client: Any
    collection: str
    embed: Callable[[str], Any]
    document_key: str | None = None

    def search(self, text: str, k: int, **params: Any) -> object:
        """Return the ``k`` nearest in Qdrant's order; ``params`` go to ``query_points``.

        Its numbers are similarities or distances, as the collection is set, and left out.

        Raises:
            BadAnswer: a point's payload lacks ``document_key``.
        """
        params = {"with_payload": True, **params}
        found = self.client.query_points(self.collection, query=self.embed(text), limit=k, **params)
        return documents_of(found.points, self.document_key)
