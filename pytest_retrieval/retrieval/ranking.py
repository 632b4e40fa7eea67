"""From hits to documents: the one place where chunks become the documents that are scored."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Hit:
    """One result as the retriever returned it; its score where it gave one."""

    id: str
    score: float | None = None


@dataclass(frozen=True, slots=True)
class Ranking:
    """The distinct documents of one answer, best first.

    ``places`` are the 1-based places of the hits by which the documents came in, ascending, one for
    each document; empty where every hit is a document of its own.
    """

    documents: tuple[str, ...] = ()
    # Where chunks were folded is no part of what is scored.
    places: tuple[int, ...] = field(default=(), compare=False)

    def __len__(self) -> int:
        return len(self.documents)

    def placed(self) -> dict[str, int]:
        """Each document with the 1-based place of its first hit."""
        places = self.places or range(1, len(self.documents) + 1)
        return dict(zip(self.documents, places, strict=True))


def rank_documents(hits: Iterable[Hit], document_id: re.Pattern[str] | None = None) -> Ranking:
    """Map each hit to its document and keep a document's first occurrence.

    ``document_id`` is a pattern whose first group is the document of a hit; a hit
    that it does not match is its own document.
    """
    places: dict[str, int] = {}
    for place, hit in enumerate(hits, 1):
        places.setdefault(document_of(hit.id, document_id), place)
    folded = any(place != rank for rank, place in enumerate(places.values(), 1))
    return Ranking(tuple(places), tuple(places.values()) if folded else ())


def document_of(hit: str, document_id: re.Pattern[str] | None) -> str:
    """The document behind the id of a hit."""
    match = document_id.search(hit) if document_id else None
    return match.group(1) if match and match.group(1) is not None else hit
