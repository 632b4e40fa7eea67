"""The built-in lexical retriever: BM25 over the documents that a golden set declares."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice

import numpy as np
from numpy.typing import NDArray
from rank_bm25 import BM25Okapi

from pytest_retrieval.golden.documents import Document
from pytest_retrieval.golden.model import Chunking
from pytest_retrieval.retrieval.chunking import cut_documents

_WORD = re.compile(r"\w+")


def tokens(text: str) -> list[str]:
    r"""The lower-cased ``\w+`` of a text, in order."""
    return _WORD.findall(text.lower())


class Bm25Index:
    """Okapi BM25 (rank-bm25 with its defaults: k1 = 1.5, b = 0.75, epsilon = 0.25) over chunks.

    Raises:
        ValueError: the documents hold no word at all.
    """

    def __init__(self, documents: Sequence[Document], chunking: Chunking | None = None) -> None:
        chunks = cut_documents(documents, chunking)
        words = [tokens(chunk.text) for chunk in chunks]
        if not any(words):
            raise ValueError("the documents hold no words to search")
        self._documents = tuple(chunk.document for chunk in chunks)
        self._index = BM25Okapi(words)
        self._holders: dict[str, list[int]] = {}
        for number, frequencies in enumerate(self._index.doc_freqs):
            for word in frequencies:
                self._holders.setdefault(word, []).append(number)
        self._gains: dict[str, tuple[NDArray[np.intp], NDArray[np.float64]]] = {}

    def search(self, text: str, k: int) -> list[tuple[str, float]]:
        """Return the best ``k`` documents that share a word with ``text``, with their scores.

        A document has the score of its best chunk. Scores descend, ties stay in the order
        of the corpus. In a small corpus a score may be 0 or negative and still be a match.
        """
        scores = np.zeros(len(self._documents))
        matched = np.zeros(len(self._documents), dtype=bool)
        for word in tokens(text):
            if word in self._holders:
                holders, gain = self._gain(word)
                scores[holders] += gain
                matched[holders] = True
        chunks = np.flatnonzero(matched)
        best: dict[str, float] = {}
        for chunk in chunks[np.argsort(-scores[chunks], kind="stable")].tolist():
            best.setdefault(self._documents[chunk], float(scores[chunk]))
        return list(islice(best.items(), k))

    def _gain(self, word: str) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
        """The chunks that hold ``word``, and what one occurrence of it in a query adds to each."""
        known = self._gains.get(word)
        if known is None:
            holders = np.array(self._holders[word], dtype=np.intp)
            known = holders, np.asarray(self._index.get_batch_scores([word], self._holders[word]))
            self._gains[word] = known
        return known
