"""List what nobody has judged yet: pages that one of two searches returns for a question.

    python docs/pool_labels.py [DEPTH]

The searches are of different nature: the built-in word search over sections, and runs of signs
(character n-grams, tf-idf) over whole pages. Read the pages and add their grades to golden_docs.yaml.
"""

from __future__ import annotations

import math
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from pytest_retrieval.golden.documents import Document, read_documents
from pytest_retrieval.golden.reader import load_golden
from pytest_retrieval.retrieval.adapters.bm25 import Bm25Index

ROOT = Path(__file__).resolve().parents[1]


class SignIndex:
    """Cosine of tf-idf weights over runs of 3 to 5 signs; tf is damped by a logarithm."""

    def __init__(self, documents: Sequence[Document]) -> None:
        counts = {document.id: Counter(_runs(document.text)) for document in documents}
        holders = Counter(run for one in counts.values() for run in one)
        self._rarity = {run: math.log(len(documents) / held) for run, held in holders.items()}
        self._weights = {name: self._weigh(one) for name, one in counts.items()}

    def _weigh(self, counts: Counter[str]) -> dict[str, float]:
        raw = {run: (1 + math.log(n)) * self._rarity.get(run, 0.0) for run, n in counts.items()}
        length = math.sqrt(sum(weight * weight for weight in raw.values())) or 1.0
        return {run: weight / length for run, weight in raw.items() if weight}

    def search(self, text: str, k: int) -> list[tuple[str, float]]:
        """The best ``k`` documents that share a run with ``text``, best first, ties by id."""
        query = self._weigh(Counter(_runs(text)))
        scores = {
            name: sum(weight * document.get(run, 0.0) for run, weight in query.items())
            for name, document in self._weights.items()
        }
        ranked = sorted(scores.items(), key=lambda hit: (-hit[1], hit[0]))
        return [hit for hit in ranked if hit[1] > 0][:k]


def _runs(text: str) -> Iterator[str]:
    for word in text.lower().split():
        marked = f" {word} "
        for length in (3, 4, 5):
            yield from (marked[start : start + length] for start in range(len(marked) - length + 1))


def main(depth: int) -> None:
    """Print the holes of the pool, question by question."""
    golden = load_golden(ROOT / "golden_docs.yaml")
    documents = read_documents(ROOT, golden.header.documents)
    searches = {"words": Bm25Index(documents), "signs": SignIndex(documents)}
    holes = 0
    for query in golden.queries:
        found: dict[str, list[str]] = {}
        for name, index in searches.items():
            for rank, (document, _) in enumerate(index.search(query.text, depth), 1):
                if document not in query.relevant:
                    found.setdefault(document, []).append(f"{name} {rank}")
        if found:
            print(f"{query.id}  {query.text}")
            for document, places in found.items():
                print(f"    {document}  ({', '.join(places)})")
        holes += len(found)
    print(f"{holes} pages to judge among the first {depth} of {len(searches)} searches")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
