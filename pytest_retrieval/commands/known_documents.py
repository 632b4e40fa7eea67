"""The documents of a golden set by id, for commands that look at them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from pytest_retrieval.golden.documents import Document, read_documents
from pytest_retrieval.golden.errors import GoldenError
from pytest_retrieval.golden.model import GoldenSet
from pytest_retrieval.retrieval.ranking import Hit, rank_documents


def documents_of(golden: GoldenSet, globs: Sequence[str] | None = None) -> dict[str, Document]:
    """The documents that the header declares, or those of ``globs``; none where there are neither.

    Where ``document_id`` makes one document of several entries, their texts are joined. The
    same errors as reading them, told at the header's line where a glob finds nothing.
    """
    patterns = globs or golden.header.documents
    if not patterns or golden.path is None:
        return {}
    try:
        documents = read_documents(golden.path.parent, patterns)
    except GoldenError as error:
        if error.path == golden.path.parent and not globs:
            raise GoldenError(golden.path, golden.header.lines.get("documents"), error.message) from None
        raise
    pattern = re.compile(golden.header.document_id) if golden.header.document_id else None
    known: dict[str, Document] = {}
    for document in documents:
        (name,) = rank_documents([Hit(document.id)], pattern).documents
        first = known.get(name)
        joined = document if first is None else replace(first, text=f"{first.text}\n\n{document.text}")
        known[name] = replace(joined, id=name)
    return known
