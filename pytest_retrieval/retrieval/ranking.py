"""From hits to documents: the one place where chunks become the documents that are scored."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Hit:
    """One result as the retriever returned it; its score where it gave one."""

    id: str
    score: float | None = None


@dataclass(frozen=True, slots=True)
class Ranking:
    """The distinct documents of one answer, best first."""

    documents: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.documents)


def rank_documents(hits: Iterable[Hit], document_id: re.Pattern[str] | None = None) -> Ranking:
    """Map each hit to its document and keep a document's first occurrence.

    ``document_id`` is a pattern whose first group is the document of a hit; a hit
    that it does not match is its own document.
    """
    documents: dict[str, None] = {}
    for hit in hits:
        match = document_id.search(hit.id) if document_id else None
        documents.setdefault(match.group(1) if match and match.group(1) is not None else hit.id)
    return Ranking(tuple(documents))
