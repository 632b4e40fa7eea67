"""A second search over the pages, of another nature than the built-in word search, as a run: `make pool`.

    python docs/pool_labels.py RUN.jsonl

It compares runs of signs (character n-grams, tf-idf) over whole pages. `pytest-retrieval pool` then
lists what one of the two searches returns and nobody has judged.
"""

from __future__ import annotations

import json
import math
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from pytest_retrieval.golden.documents import Document, read_documents
from pytest_retrieval.golden.reader import load_golden

ROOT = Path(__file__).resolve().parents[1]
DEPTH = 20


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


def main(output: Path) -> None:
    """Ask every question of the project's golden set, and write the rankings."""
    golden = load_golden(ROOT / "golden_docs.yaml")
    index = SignIndex(read_documents(ROOT, golden.header.documents))
    rows = (
        {"id": query.id, "ranked": [name for name, _ in index.search(query.text, DEPTH)]}
        for query in golden.queries
    )
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
