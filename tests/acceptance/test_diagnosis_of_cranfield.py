"""Cranfield's questions with the built-in BM25: every one is in a bucket, and contexts nest."""

import json
from pathlib import Path

import pytest

from pytest_retrieval.golden.documents import document_ids, read_documents
from pytest_retrieval.retrieval.adapters.bm25 import Bm25Index
from pytest_retrieval.retrieval.ranking import Ranking
from pytest_retrieval.scoring.diagnosis import OK, RANKING, RETRIEVAL, diagnose, sum_up

CRANFIELD = Path(__file__).resolve().parents[2] / "../shared/data/cranfield"
DEPTH = 20

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
    return [Ranking(tuple(document for document, _ in index.search(one["text"], DEPTH))) for one in queries]


@pytest.fixture(scope="module")
def diagnosed(queries, rankings):
    corpus = document_ids(CRANFIELD, ["corpus.jsonl"])
    return {
        context: [
            diagnose(one["relevant"], ranking, context, corpus=corpus)
            for one, ranking in zip(queries, rankings, strict=True)
        ]
        for context in range(1, DEPTH + 1)
    }


def test_ok_ranking_and_retrieval_add_up_to_the_queries_at_every_context(diagnosed):
    for context, every in diagnosed.items():
        counts = sum_up([("question", one) for one in every], context, DEPTH).groups[0].counts
        assert set(counts) <= {OK, RANKING, RETRIEVAL}
        assert sum(counts.values()) == 225


def test_a_smaller_context_moves_queries_from_ok_to_ranking_only(diagnosed):
    moved = 0
    for context in range(DEPTH, 1, -1):
        for large, small in zip(diagnosed[context], diagnosed[context - 1], strict=True):
            if large.bucket != small.bucket:
                assert (large.bucket, small.bucket) == (OK, RANKING)
                moved += 1
    assert moved > 50


def test_the_buckets_are_those_of_the_first_relevant_rank(queries, rankings, diagnosed):
    for one, ranking, found in zip(queries, rankings, diagnosed[6], strict=True):
        ranks = [rank for rank, name in enumerate(ranking.documents, 1) if one["relevant"].get(name, 0) > 0]
        expected = RETRIEVAL if not ranks else OK if ranks[0] <= 6 else RANKING
        assert found.bucket == expected


def test_what_a_smaller_context_loses_is_what_it_moves(diagnosed):
    lost = sum_up([("question", one) for one in diagnosed[6]], 6, DEPTH).lost
    ok = {context: sum(one.bucket == OK for one in every) for context, every in diagnosed.items()}
    assert lost == {smaller: ok[6] - ok[smaller] for smaller in (5, 4, 3, 2, 1)}
