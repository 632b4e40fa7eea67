"""The first key against the tests of ranx.compare, on rankings of real retrievers.

ranx tests both sides against a margin of 0. The sign-flip test is Fisher's randomization test, and
its flips are symmetric: the two-sided p is twice the one-sided. Student's t agrees with it at two
hundred queries.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path

import pytest

from pytest_retrieval.gating.differences import take_differences
from pytest_retrieval.gating.evidence import weigh
from pytest_retrieval.golden.qrels import read_qrels
from pytest_retrieval.retrieval.runs import read_run
from pytest_retrieval.scoring.metrics import score_rankings

# A peer's warnings (numba casts, deprecations) are not ours to mend.
pytestmark = [pytest.mark.ranx, pytest.mark.filterwarnings("ignore")]

CRANFIELD = Path(__file__).resolve().parents[2] / "../shared/data/cranfield"
METRICS = ["recall@5", "mrr@10", "ndcg@10"]
PAIRS = [("bm25", "rrf"), ("bm25", "dense"), ("dense", "rrf")]
PERMUTATIONS = 10_000

Rankings = Mapping[str, tuple[str, ...]]


def _load(system: str) -> tuple[Mapping[str, Mapping[str, int]], Rankings]:
    if not CRANFIELD.exists():
        pytest.skip("needs data/cranfield next to the repository")
    qrels, run = read_qrels(CRANFIELD / "qrels.txt"), read_run(CRANFIELD / f"runs/{system}.run")
    return {query: grades for query, grades in qrels.items() if query in run}, run


def _two_sided(first: str, second: str, metric: str) -> float:
    """Twice our p, in the direction in which the mean moved."""
    qrels, before = _load(first)
    _, after = _load(second)
    queries = sorted(query for query in qrels if query in after)
    grades = [qrels[query] for query in queries]
    scores = [
        dict(zip(queries, score_rankings([run[q] for q in queries], grades, [metric])[metric], strict=True))
        for run in (before, after)
    ]
    return min(1.0, 2 * weigh(take_differences(*scores, queries, 0.0), 0.95).p)


def _theirs(first: str, second: str, test: str) -> Mapping[str, float]:
    ranx = pytest.importorskip("ranx")
    qrels, _ = _load(first)
    runs = []
    for system in (first, second):
        _, rankings = _load(system)
        documents = {
            query: {
                document: float(len(rankings[query]) - place)
                for place, document in enumerate(rankings[query])
            }
            for query in qrels
        }
        runs.append(ranx.Run(documents, name=system))
    report = ranx.compare(
        ranx.Qrels({query: dict(grades) for query, grades in qrels.items()}),
        runs,
        METRICS,
        stat_test=test,
        n_permutations=PERMUTATIONS,
    )
    found = report.to_dict()[first]["comparisons"][second]
    return {metric: float(found[metric]) for metric in METRICS}


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_fishers_randomization_test_gives_the_same_p(first: str, second: str) -> None:
    theirs = _theirs(first, second, "fisher")
    for metric in METRICS:
        p = _two_sided(first, second, metric)
        error = math.sqrt(p * (1 - p) / PERMUTATIONS) + 1 / PERMUTATIONS
        # ranx compares means in floating point, so that it misses some ties.
        assert theirs[metric] == pytest.approx(p, abs=4 * error + 0.005), metric


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_students_test_gives_nearly_the_same_p(first: str, second: str) -> None:
    theirs = _theirs(first, second, "student")
    for metric in METRICS:
        assert theirs[metric] == pytest.approx(_two_sided(first, second, metric), abs=0.02), metric
