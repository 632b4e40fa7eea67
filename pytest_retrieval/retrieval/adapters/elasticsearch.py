"""Search responses of Elasticsearch and OpenSearch, read under a field of the documents."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pytest_retrieval.retrieval.errors import BadAnswer
from pytest_retrieval.retrieval.library_results import Piece, documents_of, whole_hits


def hits(response: object, document_key: str) -> object:
    """The document ids and scores of a search response, in its order.

    ``response`` is a mapping or a client's response object; ``document_key`` is the field
    that holds the id of the labels, such as ``page`` or ``meta.page``, looked up in
    ``_source`` and then in ``fields``. Where the labels name ``_id``, return the response
    itself from the retriever: it is read without this.

    Raises:
        BadAnswer: no search response, a partial one, or a hit without the field.
    """
    body = response if isinstance(response, Mapping) else getattr(response, "body", None)
    if not isinstance(body, Mapping) or not isinstance(body.get("hits"), Mapping):
        raise BadAnswer(
            f"the retriever returned an object of type {type(response).__name__} without hits; "
            "expected the response of a search"
        )
    pieces = (
        Piece({document_key: _field(hit, document_key)}, hit.get("_id"), score=hit.get("_score"))
        for hit in whole_hits(body)
    )
    return documents_of(pieces, document_key)


def _field(hit: Mapping[str, Any], key: str) -> object:
    found: Any = hit.get("_source") or {}
    if key in found:
        return found[key]
    for part in key.split("."):
        found = found.get(part) if isinstance(found, Mapping) else None
    if found is None:
        found = (hit.get("fields") or {}).get(key)
    # `fields` holds lists, also for one value.
    return found[0] if isinstance(found, list) and len(found) == 1 else found
