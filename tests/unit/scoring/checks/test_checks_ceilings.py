from __future__ import annotations

import pytest

from pytest_retrieval.golden.model import GateRules, GoldenSet, Header, KindRules, Query
from pytest_retrieval.scoring.checks.ceilings import ceiling, ceilings
from pytest_retrieval.scoring.metrics import score_rankings

QUERIES = (
    Query("one", "x", {"a": 2, "z": 0}, kind="k"),
    Query("four", "y", {"a": 1, "b": 1, "c": 1, "d": 2}),
    Query("none", "n", {}, answerable=False),
)


def test_the_ceilings_of_two_questions_by_hand() -> None:
    assert ceiling("recall@2", QUERIES) == (1 / 1 + 2 / 4) / 2
    assert ceiling("P@2", QUERIES) == (1 / 2 + 2 / 2) / 2
    assert ceiling("recall@4", QUERIES) == 1
    assert ceiling("ndcg@2", QUERIES) is None
    assert ceiling("recall", QUERIES) is None
    assert ceiling("recall@2", QUERIES[2:]) is None


@pytest.mark.parametrize("metric", ["recall@1", "recall@3", "precision@1", "precision@3", "precision@9"])
def test_the_best_ranking_reaches_the_ceiling(metric: str) -> None:
    answerable = [query for query in QUERIES if query.answerable]
    best = [sorted(query.relevant, key=lambda name, q=query: -q.relevant[name]) for query in answerable]
    scores = score_rankings(best, [query.relevant for query in answerable], [metric])[metric]
    assert ceiling(metric, QUERIES) == pytest.approx(float(scores.mean()))


def test_what_no_search_can_exceed_is_told() -> None:
    (found,) = ceilings(GoldenSet(QUERIES), ["recall@2", "recall@4", "precision@2", "mrr"])
    assert (found.problem, found.message) == (
        False,
        "with these labels no search can exceed: recall@2 0.75, precision@2 0.75",
    )


def test_a_floor_above_the_ceiling_is_a_problem() -> None:
    gate = GateRules(floors={"recall@2": 0.8}, kinds={"k": KindRules(floors={"precision@2": 0.6, "mrr": 1})})
    header = Header(gate=gate, lines={"gate.floors": 7, "gate.kinds.k.floors": 9})
    found = [one for one in ceilings(GoldenSet(QUERIES, header), []) if one.problem]
    assert [(one.message, one.line) for one in found] == [
        ("the floor 0.8 for recall@2 is out of reach: at most 0.750", 7),
        ("the floor 0.6 for precision@2 of k is out of reach: at most 0.500", 9),
    ]
