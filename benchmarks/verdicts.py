"""What all verdicts of a large run cost: 10,000 queries in 10 kinds, 2 metrics, a real drop.

Run with ``python benchmarks/verdicts.py``; exits 1 when a limit is missed. The scores are the
hard case: recall in thirds to sevenths, ndcg without a common step, most queries changed.
"""

from __future__ import annotations

import random
import sys
import time
import tracemalloc

from pytest_retrieval.gating.judging import judge
from pytest_retrieval.gating.pairing import Paired
from pytest_retrieval.gating.policy import Policy
from pytest_retrieval.gating.verdict import Verdict
from pytest_retrieval.golden.model import Query

QUERIES, KINDS = 10_000, 10
CPU_SECONDS, PEAK_MEGABYTES = 3.0, 150.0
METRICS = ("recall@5", "ndcg@10")


def make_pair() -> Paired:
    chance = random.Random(1)
    queries = tuple(Query(f"q{i:05}", f"text {i}", {"d": 1}, f"kind {i % KINDS}") for i in range(QUERIES))
    before: dict[str, dict[str, float]] = {metric: {} for metric in METRICS}
    after: dict[str, dict[str, float]] = {metric: {} for metric in METRICS}
    for query in queries:
        relevant = chance.randint(1, 7)
        found = chance.randint(0, relevant)
        # Lost a little more often than found: about 0.05 of recall and of ndcg.
        then_found = min(relevant, max(0, found + chance.choices((-1, 0, 1), (30, 55, 15))[0]))
        before["recall@5"][query.id], after["recall@5"][query.id] = found / relevant, then_found / relevant
        score = chance.random()
        before["ndcg@10"][query.id] = score
        after["ndcg@10"][query.id] = min(1.0, max(0.0, score + chance.gauss(-0.05, 0.2)))
    return Paired(queries, before, after)


def judge_all(paired: Paired) -> tuple[Verdict, ...]:
    return judge(paired, Policy(METRICS, dict.fromkeys(METRICS, 0.02)))


def main() -> int:
    paired = make_pair()
    started = time.process_time()
    verdicts = judge_all(paired)
    seconds = time.process_time() - started
    tracemalloc.start()
    judge_all(paired)
    megabytes = tracemalloc.get_traced_memory()[1] / 1e6
    tracemalloc.stop()
    words = sorted({verdict.verdict for verdict in verdicts})
    print(f"{len(verdicts)} verdicts ({', '.join(words)}) on {QUERIES} queries in {KINDS} kinds")
    print(
        f"{seconds:.2f} s CPU (at most {CPU_SECONDS}), peak {megabytes:.0f} MB (at most {PEAK_MEGABYTES:.0f})"
    )
    return int(seconds > CPU_SECONDS or megabytes > PEAK_MEGABYTES)


if __name__ == "__main__":
    sys.exit(main())
