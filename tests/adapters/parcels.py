"""Four small documents under awkward ids, vectors for them that can be checked by hand, and raw questions."""

from __future__ import annotations

import re

from pytest_retrieval.golden.model import Query
from pytest_retrieval.retrieval.calling import answer, prepare

TEXTS = {
    "guides/fees": "fees are due in may",
    "what?": "what is a voucher",
    "Größe": "size of a parcel",
    "42": "two parcels",
}
"""Document id -> text."""

PIECES = [
    ("p1", "guides/fees", "fees are due in may"),
    ("p2", "Größe", "size of a parcel"),
    ("p3", "guides/fees", "may is late"),
    ("p4", "Größe", "a parcel has a size in may"),
]
"""``(piece's id, document's id, text)``: documents cut into two pieces each."""

WORDS = sorted(
    {word for text in [*TEXTS.values(), *(text for _, _, text in PIECES)] for word in text.split()}
)

RAW = 'what is "the size (of a [parcel]: AND -NOT'
"""A question as people type it: by its words nearest to Größe, then to what?."""


def embed(text: str) -> list[float]:
    """How often each of the words stands in a text: cosines follow from the words in common."""
    words = re.findall(r"\w+", text.lower())
    return [float(words.count(word)) for word in WORDS]


def ask(retriever: object, text: str, depth: int = 20, **params: object) -> list[str]:
    """The documents that the plugin ranks, as a test item would ask for them."""
    query = Query(id="q1", text=text, params=params)
    return list(answer(prepare(retriever), query, depth, None).documents)
