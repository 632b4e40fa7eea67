"""The built-in BM25 on Cranfield, against figures made with rank-bm25 and a peer's metrics."""

import json
from pathlib import Path

import pytest

from pytest_retrieval.golden.documents import read_documents
from pytest_retrieval.retrieval.adapters.bm25 import Bm25Index
from pytest_retrieval.scoring.metrics import score_rankings

CRANFIELD = Path(__file__).resolve().parents[2] / "../shared/data/cranfield"

pytestmark = pytest.mark.skipif(
    not CRANFIELD.is_dir(), reason="the Cranfield collection is not at ../shared/data/cranfield"
)


@pytest.fixture(scope="module")
def queries():
    lines = (CRANFIELD / "golden.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


@pytest.fixture(scope="module")
def rankings(queries):
    index = Bm25Index(read_documents(CRANFIELD, ["corpus.jsonl"]))
    return [[document for document, _ in index.search(query["text"], 100)] for query in queries]


@pytest.mark.parametrize(("metric", "mean"), [("ndcg@10", 0.32414), ("mrr", 0.49364), ("recall@10", 0.35549)])
def test_the_mean_over_225_queries_is_the_known_one(queries, rankings, metric, mean):
    scores = score_rankings(rankings, [query["relevant"] for query in queries], [metric])[metric]
    assert len(scores) == 225
    assert round(float(scores.mean()), 5) == mean


def test_each_ranking_holds_a_hundred_distinct_documents(rankings):
    assert {len(set(ranking)) for ranking in rankings} == {100}
