"""What reading an answer key costs: 1,000 questions with 100 judgements each.

Run with ``python benchmarks/labels.py``; exits 1 when the limit is missed for a golden set. What
importing the same labels from a table and from JSON costs is told beside it.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from pytest_retrieval.golden.exporting import trec_files
from pytest_retrieval.golden.model import Query
from pytest_retrieval.golden.reader import load_golden
from pytest_retrieval.golden.sources.detect import read_source
from pytest_retrieval.golden.sources.imported import Wishes
from pytest_retrieval.golden.writing import golden_text

QUESTIONS, JUDGEMENTS = 1_000, 100
RUNS = 3
SECONDS = 2.0


def make_queries() -> list[Query]:
    return [
        Query(
            f"q{number}",
            f"question number {number}",
            {f"doc-{(number * 37 + rank * 101) % 50_000}": rank % 3 for rank in range(JUDGEMENTS)},
        )
        for number in range(QUESTIONS)
    ]


def write_files(folder: Path, queries: list[Query]) -> None:
    for name in ("golden_lines.jsonl", "golden_tree.yaml"):
        (folder / name).write_text(golden_text(Path(name), queries, {}), "utf-8")
    for name, text in trec_files(queries).items():
        (folder / name).write_text(text, "utf-8")
    (folder / "golden_place.yaml").write_text("queries: topics.tsv\nqrels: qrels.txt\n", "utf-8")
    rows = (
        f"{one.id},{one.text},{name},{grade}\n" for one in queries for name, grade in one.relevant.items()
    )
    (folder / "table.csv").write_text("qid,query,docid,rating\n" + "".join(rows), "utf-8")
    data = [{"id": one.id, "text": one.text, "relevant": dict(one.relevant)} for one in queries]
    (folder / "array.json").write_text(json.dumps(data), "utf-8")


def seconds(read: Callable[[], object]) -> float:
    """The CPU time of the fastest run."""
    best = float("inf")
    for _ in range(RUNS):
        start = time.process_time()
        read()
        best = min(best, time.process_time() - start)
    return best


def main() -> int:
    slow = False
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_files(folder, make_queries())
        print(f"{QUESTIONS * JUDGEMENTS:,} judgements, CPU seconds (limit {SECONDS:g} for a golden set)")
        for file in ("golden_lines.jsonl", "golden_tree.yaml", "golden_place.yaml"):
            spent = seconds(partial(load_golden, folder / file))
            slow |= spent > SECONDS
            print(f"  {file:20} {spent:5.2f}")
        for file in ("table.csv", "array.json"):
            spent = seconds(partial(read_source, [folder / file], Wishes()))
            print(f"  {file:20} {spent:5.2f}  (convert)")
    return int(slow)


if __name__ == "__main__":
    sys.exit(main())
