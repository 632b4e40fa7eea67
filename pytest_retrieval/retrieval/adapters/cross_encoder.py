"""A CrossEncoder of sentence-transformers, which scores pairs of a question and a text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True, slots=True)
class CrossEncoderScorer:
    """``model`` is a ``CrossEncoder`` with one output per pair, or anything with its ``predict``."""

    model: Any

    def score(self, question: str, texts: Sequence[str]) -> list[float]:
        """How well each text answers the question: one number per text, in their order, higher is better.

        Raises:
            ValueError: the model gives several numbers per pair, or one that is NaN.
        """
        if not texts:
            return []
        pairs = [(question, text) for text in texts]
        scores = np.asarray(self.model.predict(pairs, show_progress_bar=False), dtype=np.float64)
        if scores.shape != (len(texts),):
            raise ValueError(
                f"the cross encoder returned an array of shape {scores.shape} for {len(texts)} pairs; "
                "expected one number per pair: load a model with num_labels=1"
            )
        if np.isnan(scores).any():
            raise ValueError("the cross encoder returned NaN for a pair")
        return [float(score) for score in scores]
