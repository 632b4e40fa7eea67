"""Our numbers against ranx, query by query, where both define a measure alike."""

from __future__ import annotations

import random
from collections.abc import Mapping
from pathlib import Path

import pytest

from pytest_retrieval.golden.qrels import read_qrels
from pytest_retrieval.retrieval.runs import read_run
from pytest_retrieval.scoring.metrics import score_rankings

# A peer's warnings (numba casts, deprecations) are not ours to mend.
pytestmark = [pytest.mark.ranx, pytest.mark.filterwarnings("ignore")]

SHARED = Path(__file__).resolve().parents[2] / "../shared"
METRICS = [
    "recall", "recall@1", "recall@5", "recall@20", "precision", "precision@1", "precision@5", "precision@20",
    "hit_rate", "hit_rate@1", "hit_rate@5", "mrr", "mrr@5", "mrr@20", "ndcg", "ndcg@5", "ndcg@10",
    "ndcg_burges", "ndcg_burges@5", "ndcg_burges@10", "map", "map@5", "map@20", "f1", "f1@5", "f1@20",
    "r_precision",
]  # fmt: skip

RANX = {"r_precision": "r-precision"}  # the one name that ranx writes differently

Qrels = Mapping[str, Mapping[str, int]]
Run = Mapping[str, tuple[str, ...]]


def compare(qrels: Qrels, run: Run, metrics: list[str]) -> None:
    ranx = pytest.importorskip("ranx")
    queries = [query for query in qrels if query in run]
    theirs = ranx.evaluate(
        ranx.Qrels({query: dict(qrels[query]) for query in queries}),
        ranx.Run(
            {
                query: {document: float(len(run[query]) - place) for place, document in enumerate(run[query])}
                for query in queries
            }
        ),
        [RANX.get(metric, metric) for metric in metrics],
        return_mean=False,
        save_results_in_run=False,
    )
    # ranx answers in the sorted order of the query ids.
    ordered = sorted(queries)
    ours = score_rankings([run[query] for query in ordered], [qrels[query] for query in ordered], metrics)
    for metric in metrics:
        expected = theirs if len(metrics) == 1 else theirs[RANX.get(metric, metric)]
        assert ours[metric].tolist() == pytest.approx(list(expected), abs=1e-6), metric


@pytest.mark.parametrize("system", ["bm25", "dense", "rrf"])
def test_cranfield_agrees_query_by_query(system: str) -> None:
    folder = SHARED / "data/cranfield"
    if not folder.exists():
        pytest.skip(f"needs {folder.relative_to(SHARED)} next to the repository")
    compare(read_qrels(folder / "qrels.txt"), read_run(folder / f"runs/{system}.run"), METRICS)


def drawn(grades: tuple[int, int], seed: int) -> tuple[dict[str, dict[str, int]], dict[str, tuple[str, ...]]]:
    draw = random.Random(seed)
    documents = [f"d{number:02}" for number in range(50)]
    qrels = {
        f"q{row:03}": {document: draw.randint(*grades) for document in draw.sample(documents, 15)}
        for row in range(200)
    }
    return qrels, {query: tuple(draw.sample(documents, draw.randint(1, 30))) for query in qrels}


def test_graded_labels_agree_query_by_query() -> None:
    compare(*drawn((0, 4), 5), METRICS)


def test_bpref_agrees_where_relevant_and_wrong_documents_are_judged() -> None:
    # ranx divides by zero where a query lacks one of them.
    qrels, run = drawn((0, 3), 6)
    both = {query: grades for query, grades in qrels.items() if 0 in grades.values() and any(grades.values())}
    assert len(both) > 150
    compare(both, run, ["bpref"])
