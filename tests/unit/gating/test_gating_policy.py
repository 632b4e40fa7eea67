from __future__ import annotations

import pytest

from pytest_retrieval.gating.policy import agree
from pytest_retrieval.golden.model import GateRules, KindRules


def test_where_nothing_is_said_the_defaults_hold():
    policy = agree(GateRules())
    assert policy.metrics == ("recall@5", "ndcg@10")
    assert policy.margins == {"recall@5": 0.02, "ndcg@10": 0.02}
    assert (policy.confidence, policy.min_queries) == (0.95, 10)
    assert (dict(policy.floors), dict(policy.kinds), policy.slices) == ({}, {}, ())


def test_the_golden_sets_rules_come_before_the_keywords():
    rules = GateRules(("mrr",), 0.05, 0.9, 20, slices=("split", "split"))
    policy = agree(rules, metrics=["recall@5"], margin=0.01, confidence=0.99, min_queries=5)
    assert (policy.metrics, policy.margins) == (("mrr",), {"mrr": 0.05})
    assert (policy.confidence, policy.min_queries, policy.slices) == (0.9, 20, ("split",))


def test_the_keywords_hold_where_the_rules_say_nothing():
    policy = agree(GateRules(), metrics=["mrr"], margin=0.01, confidence=0.99, min_queries=5)
    assert (policy.metrics, policy.margins) == (("mrr",), {"mrr": 0.01})
    assert (policy.confidence, policy.min_queries) == (0.99, 5)


def test_a_margin_that_names_some_metrics_leaves_the_others_to_the_next_source():
    rules = GateRules(margin={"R@5": 0.1})
    policy = agree(rules, metrics=["recall@5", "mrr", "ndcg@10"], margin={"rr": 0.03})
    assert policy.margins == {"recall@5": 0.1, "mrr": 0.03, "ndcg@10": 0.02}


def test_metric_names_are_canonical_everywhere():
    kinds = {"identifier": KindRules(margin={"nDCG@10": 0}, floors={"Success@3": 0.75})}
    policy = agree(GateRules(("nDCG@10",), floors={"P@5": 0.2}, kinds=kinds))
    assert policy.metrics == ("ndcg@10",)
    assert policy.floors == {"precision@5": 0.2}
    assert policy.kinds["identifier"].floors == {"hit_rate@3": 0.75}
    assert policy.margin("ndcg@10", "identifier") == 0
    assert policy.margin("ndcg@10", "another") == policy.margin("ndcg@10") == 0.02


def test_a_kinds_single_margin_holds_for_every_gated_metric():
    policy = agree(GateRules(kinds={"a": KindRules(margin=0)}))
    assert policy.kinds["a"].margins == {"recall@5": 0, "ndcg@10": 0}


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"metrics": ["recal@5"]}, "unknown metric"),
        ({"margin": -0.1}, "margin is -0.1, expected a number from 0 to 1"),
        ({"margin": {"recall@5": 2}}, "margin of recall@5 is 2"),
        ({"confidence": 0.5}, "confidence is 0.5"),
        ({"confidence": float("nan")}, "confidence is nan"),
        ({"min_queries": 0}, "min_queries is 0"),
    ],
)
def test_a_number_out_of_its_range_is_told(keywords: dict[str, object], message: str):
    with pytest.raises(ValueError) as told:
        agree(GateRules(), **keywords)
    assert message in str(told.value)
