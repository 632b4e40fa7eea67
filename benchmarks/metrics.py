"""CPU time of scoring 10,000 queries at depth 20: this package against pytrec-eval-terrier.

Run ``python benchmarks/metrics.py``. Both sides start from data in memory in the shape that
each of them takes: ours from ranked lists of documents and labels, pytrec-eval from scored
documents and labels. Building those inputs is timed for neither; everything after it is,
the reading of the labels and the means included. Both compute the same six metrics, and the
means are compared before anything is timed. Exit 1 when ours is slower.
"""

from __future__ import annotations

import math
import random
import statistics
import sys
import time
from collections.abc import Callable

import pytrec_eval

from pytest_retrieval.scoring.metrics import score_rankings

QUERIES, DEPTH, LABELS, REPETITIONS = 10_000, 20, 8, 5
METRICS = {
    "recall@5": "recall_5",
    "precision@5": "P_5",
    "hit_rate@5": "success_5",
    "mrr": "recip_rank",
    "ndcg@10": "ndcg_cut_10",
    "map": "map",
}


def main() -> int:
    draw = random.Random(20)
    documents = [f"doc-{number:05}" for number in range(50_000)]
    rankings, qrels = [], []
    for _ in range(QUERIES):
        ranking = draw.sample(documents, DEPTH)
        labelled = draw.sample(ranking, LABELS // 2) + draw.sample(documents, LABELS // 2)
        rankings.append(ranking)
        qrels.append({document: draw.randint(0, 2) for document in labelled})
    labels = {f"q{row}": grades for row, grades in enumerate(qrels)}
    scored = {
        f"q{row}": {document: float(DEPTH - rank) for rank, document in enumerate(ranking)}
        for row, ranking in enumerate(rankings)
    }

    def ours() -> dict[str, float]:
        scores = score_rankings(rankings, qrels, list(METRICS))
        return {metric: math.fsum(values.tolist()) / QUERIES for metric, values in scores.items()}

    def peer() -> dict[str, float]:
        results = pytrec_eval.RelevanceEvaluator(labels, set(METRICS.values())).evaluate(scored)
        return {
            metric: math.fsum(row[name] for row in results.values()) / QUERIES
            for metric, name in METRICS.items()
        }

    theirs = peer()
    for metric, value in ours().items():
        if abs(value - theirs[metric]) > 1e-9:
            print(f"{metric}: ours {value}, pytrec-eval {theirs[metric]}: not the same work")
            return 1
    pairs = [(cpu_seconds(ours), cpu_seconds(peer)) for _ in range(REPETITIONS)]
    for our_time, peer_time in pairs:
        print(f"ours {our_time:.3f} s   pytrec-eval {peer_time:.3f} s   ratio {our_time / peer_time:.2f}")
    ratio = statistics.median(our_time / peer_time for our_time, peer_time in pairs)
    print(f"{QUERIES} queries, depth {DEPTH}, {len(METRICS)} metrics: median ratio {ratio:.2f}")
    return 1 if ratio > 1 else 0


def cpu_seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


if __name__ == "__main__":
    sys.exit(main())
