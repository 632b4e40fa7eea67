"""A dense index over documents: vectors of sentence-transformers, compared by cosine."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pytest_retrieval.retrieval.adapters.vector_cache import cached_vectors

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

DECIMALS = 5
"""Cosines are compared after rounding: the last digits of float32 depend on the batch and the machine."""


class DenseIndex:
    """Exact search by cosine over texts.

    ``texts`` are ``(document id, text)``; several texts may belong to one document, which
    then has the score of its best. ``model`` is the name or path of a model, or a loaded
    ``SentenceTransformer``. With ``cache``, a folder, the vectors of the documents are kept
    there by text and model; a loaded model then needs a ``name``, under which they are kept.

    Raises:
        ValueError: there are no texts, or ``cache`` without a name of the model.
    """

    def __init__(
        self,
        texts: Iterable[tuple[str, str]],
        model: str | SentenceTransformer,
        *,
        name: str | None = None,
        cache: Path | str | None = None,
    ) -> None:
        pairs = tuple(texts)
        if not pairs:
            raise ValueError("there are no texts to search")
        self._documents = tuple(document for document, _ in pairs)
        name = model if name is None and isinstance(model, str) else name
        self._model: Any = _loaded(model) if isinstance(model, str) else model
        bodies = [text for _, text in pairs]
        if cache is None:
            self._matrix = self._encode(bodies, "encode_document")
        elif name is None:
            raise ValueError('a cache of vectors needs the name of the model: name="..."')
        else:
            self._matrix = cached_vectors(
                Path(cache), name, bodies, lambda missing: self._encode(missing, "encode_document")
            )

    def search(self, text: str, k: int) -> list[tuple[str, float]]:
        """Return the ``k`` documents nearest to ``text`` with their cosines, nearest first.

        Ties, to :data:`DECIMALS` decimals, stay in the order of the texts.
        """
        return self.search_batch([text], k)[0]

    def search_batch(self, texts: Sequence[str], k: int) -> list[list[tuple[str, float]]]:
        """Answer several texts with one pass of the model, as :meth:`search` answers each."""
        if not texts:
            return []
        cosines = np.round(self._encode(texts, "encode_query") @ self._matrix.T, DECIMALS)
        return [self._best(row, k) for row in cosines]

    def _best(self, cosines: NDArray[np.float32], k: int) -> list[tuple[str, float]]:
        best: dict[str, float] = {}
        for place in np.argsort(-cosines, kind="stable").tolist():
            best.setdefault(self._documents[place], float(cosines[place]))
            if len(best) >= k:
                break
        return list(islice(best.items(), k))

    def _encode(self, texts: Sequence[str], method: str) -> NDArray[np.float32]:
        # Before sentence-transformers 5 there was one method for both sides.
        encode = getattr(self._model, method, None) or self._model.encode
        vectors = np.asarray(
            encode(list(texts), show_progress_bar=False, convert_to_numpy=True), dtype=np.float32
        )
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        normalised: NDArray[np.float32] = vectors / np.where(lengths == 0, np.float32(1), lengths)
        return normalised


def _loaded(model: str) -> SentenceTransformer:
    from sentence_transformers import SentenceTransformer

    return SentenceTransformer(model)
