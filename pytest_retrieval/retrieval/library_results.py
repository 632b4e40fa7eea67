"""The results of known search libraries, read without importing any.

A response that wraps its list is opened by :func:`opened`; a single result is identified by
:func:`identified`. Wherever a library leaves open whether its number is a score or a
distance, it is left out: the order of the library is the ranking.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

from pytest_retrieval.retrieval.errors import BadAnswer
from pytest_retrieval.retrieval.libraries import origins

DOCUMENT_KEYS = ("doc_id", "document_id", "docid", "id")
"""Keys of a result's metadata that say, without being named, which document it is a piece of."""


@dataclass(frozen=True, slots=True)
class Piece:
    """One result of a library: what says which document it is, or is a piece of.

    ``own`` is the result's own id, ``parent`` the id that the library itself keeps of the
    document it cut the piece from, ``score`` a number that is known to be no distance.
    """

    metadata: Mapping[Any, Any]
    own: object
    parent: object = None
    score: object = None


def opened(result: object) -> object:
    """The list of hits inside a known library's response; anything else as it is.

    Opened are the responses of Elasticsearch and OpenSearch, Haystack's ``{"documents": [...]}``,
    the answer to one text of Chroma's ``query``, and Qdrant's response to ``query_points``.

    Raises:
        BadAnswer: an Elasticsearch response that is partial (timed out, failed shards), or a
            response to several questions at once.
    """
    if type(result) is list:
        return result  # the most usual answer, once per query
    libraries = origins(type(result))
    if ("elastic_transport", "ApiResponse") in libraries:
        return opened(getattr(result, "body", None))
    if ("qdrant_client", "QueryResponse") in libraries:
        return getattr(result, "points", result)
    if isinstance(result, Mapping):
        if isinstance(result.get("hits"), Mapping):
            return whole_hits(result)
        if _is_of_haystack(result):
            return result["documents"]
        if _is_of_chroma(result):
            return _of_one_question(chroma_pieces(result))
    return result


def is_result(element: object) -> bool:
    """Whether :func:`identified` knows the element."""
    return not origins(type(element)).isdisjoint(_READERS)


def identified(element: object, where: str, document_key: str | None = None) -> tuple[object, object] | None:
    """Document id and score of one result object of a known library; None for any other object.

    The id is, in this order: what the metadata holds under ``document_key``, and nothing
    else, if that is given; what it holds under one of :data:`DOCUMENT_KEYS`; the id of the
    document that the library cut the piece from (LlamaIndex's ``ref_doc_id``, the
    ``source_id`` of Haystack's splitters); the result's own id. ``where`` is for messages.

    Raises:
        BadAnswer: the metadata lacks ``document_key``, or there is none of these ids.
    """
    piece = _piece(element)
    if piece is None:
        return None
    if document_key is not None:
        candidates = [piece.metadata.get(document_key)]
    else:
        candidates = [*(piece.metadata.get(key) for key in DOCUMENT_KEYS), piece.parent, piece.own]
    found = next((candidate for candidate in candidates if candidate is not None), None)
    if found is None:
        _refuse_without(document_key, element, piece, where)
    return found, piece.score


def documents_of(results: Iterable[object], document_key: str | None = None) -> list[object]:
    """``(document id, score)`` for each result of a known library, found as by :func:`identified`.

    A result of another kind is passed on as it is.
    """
    return [
        identified(result, f" at place {place}", document_key) or result
        for place, result in enumerate(results, 1)
    ]


def whole_hits(response: Mapping[Any, Any]) -> list[Any]:
    """The hits of a response of Elasticsearch or OpenSearch that holds all there were.

    Raises:
        BadAnswer: the search timed out, or some shards failed: the list may lack documents.
    """
    shards = response.get("_shards")
    failed = shards.get("failed", 0) if isinstance(shards, Mapping) else 0
    if response.get("timed_out") or failed:
        why = "that timed out" if response.get("timed_out") else f"in which {failed} shards failed"
        _refuse(f"a search response {why}, so that documents may be missing", "expected a complete one")
    hits = response["hits"].get("hits")
    if not isinstance(hits, list):
        _refuse("a search response without hits.hits", "expected the response of one search")
    return hits


def chroma_pieces(response: Mapping[Any, Any]) -> list[list[Piece]]:
    """Chroma's results for each of the questions that were asked at once, nearest first."""
    metadata = response.get("metadatas") or [[None] * len(ids) for ids in response["ids"]]
    return [
        [Piece(_mapping(one), own) for own, one in zip(ids, many, strict=True)]
        for ids, many in zip(response["ids"], metadata, strict=True)
    ]


def _of_one_question(answers: list[list[Piece]]) -> list[Piece]:
    if len(answers) != 1:
        _refuse(f"Chroma's answers to {len(answers)} questions at once", "expected those to one")
    return answers[0]


def _is_of_haystack(response: Mapping[Any, Any]) -> bool:
    documents = response.get("documents")
    if documents == []:
        return len(response) == 1  # with more beside it, it may be anybody's, and no answer
    return isinstance(documents, list) and all(
        ("haystack", "Document") in origins(type(document)) for document in documents
    )


def _is_of_chroma(response: Mapping[Any, Any]) -> bool:
    lists = response.get("ids")
    return "distances" in response and isinstance(lists, list) and all(isinstance(one, list) for one in lists)


def _piece(element: object) -> Piece | None:
    if isinstance(element, Piece):
        return element
    libraries = origins(type(element))
    return next((read(element) for origin, read in _READERS.items() if origin in libraries), None)


def _of_langchain(document: Any) -> Piece:
    return Piece(_mapping(document.metadata), document.id)


def _of_llama_index(node: Any) -> Piece:
    return Piece(_mapping(node.metadata), node.node_id, parent=node.ref_doc_id)


def _of_haystack(document: Any) -> Piece:
    meta = _mapping(document.meta)
    return Piece(meta, document.id, parent=meta.get("source_id"), score=document.score)


def _of_qdrant(point: Any) -> Piece:
    return Piece(_mapping(point.payload), point.id)


_READERS: Mapping[tuple[str, str], Callable[[Any], Piece]] = {
    ("langchain_core", "Document"): _of_langchain,
    ("llama_index", "NodeWithScore"): lambda result: _of_llama_index(result.node),
    ("llama_index", "BaseNode"): _of_llama_index,
    ("haystack", "Document"): _of_haystack,
    ("qdrant_client", "ScoredPoint"): _of_qdrant,
}


def _mapping(value: object) -> Mapping[Any, Any]:
    return value if isinstance(value, Mapping) else {}


def _refuse_without(document_key: str | None, element: object, piece: Piece, where: str) -> NoReturn:
    keys = ", ".join(repr(key) for key in list(piece.metadata)[:8]) or "none"
    kind = "result" if isinstance(element, Piece) else type(element).__name__
    if document_key is None:
        _refuse(
            f"a {kind} without an id{where} (its metadata's keys: {keys})",
            f"expected one, or the document's id in the metadata under {' or '.join(DOCUMENT_KEYS)}; "
            'return an adapter with document_key="..." where it is under another key',
        )
    _refuse(
        f"a {kind} without {document_key!r} in its metadata{where} (its keys: {keys})",
        f"expected the document's id there, as document_key={document_key!r} says",
    )


def _refuse(found: str, expected: str) -> NoReturn:
    raise BadAnswer(f"the retriever returned {found}; {expected}")
