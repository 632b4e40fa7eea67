from __future__ import annotations

import subprocess
import sys

import pytest

from pytest_retrieval.scoring.names import (
    DEFAULT_METRICS,
    Metric,
    canonical,
    is_whole_list,
    parse_metric,
    required_depth,
)


@pytest.mark.parametrize(
    "name",
    [
        "recall@5", "recall", "precision@5", "precision", "hit_rate@5", "hit_rate", "f1@5", "f1", "mrr",
        "mrr@10", "map", "map@10", "ndcg", "ndcg@10", "ndcg_burges", "ndcg_burges@10", "r_precision", "bpref",
        "judged@10", "judged",
    ],
)  # fmt: skip
def test_the_canonical_spelling_reads_back_as_itself(name: str) -> None:
    assert str(parse_metric(name)) == name


@pytest.mark.parametrize(
    ("spelling", "name"),
    [
        # ir_measures
        ("R@5", "recall@5"), ("Recall@5", "recall@5"), ("P@5", "precision@5"), ("RR", "mrr"),
        ("RR@10", "mrr@10"), ("MRR", "mrr"), ("nDCG", "ndcg"), ("nDCG@10", "ndcg@10"), ("AP", "map"),
        ("AP@10", "map@10"),
        ("Success@5", "hit_rate@5"), ("Rprec", "r_precision"), ("RPrec", "r_precision"), ("Bpref", "bpref"),
        ("BPref", "bpref"), ("Judged@10", "judged@10"), ("SetP", "precision"), ("SetR", "recall"),
        ("SetF", "f1"),
        # trec_eval
        ("recall_5", "recall@5"), ("P_5", "precision@5"), ("P.5", "precision@5"), ("recip_rank", "mrr"),
        ("ndcg", "ndcg"), ("ndcg_cut_10", "ndcg@10"), ("ndcg_cut.10", "ndcg@10"), ("map", "map"),
        ("map_cut_10", "map@10"), ("success_5", "hit_rate@5"), ("bpref", "bpref"), ("set_P", "precision"),
        ("set_recall", "recall"), ("set_F", "f1"),
        # common
        ("hit@3", "hit_rate@3"), ("HitRate@3", "hit_rate@3"), ("NDCG@10", "ndcg@10"),
        (" recall@5 ", "recall@5"),
    ],
)  # fmt: skip
def test_spellings_of_other_tools_mean_the_same(spelling: str, name: str) -> None:
    assert str(parse_metric(spelling)) == name


def test_a_metric_is_a_name_and_a_cut_off() -> None:
    assert parse_metric("nDCG@10") == Metric("ndcg", 10)
    assert parse_metric("mrr") == Metric("mrr", None)


@pytest.mark.parametrize(
    ("wrong", "meant"),
    [
        ("ndgc@10", "ndcg@10"),
        ("recal@5", "recall@5"),
        ("ndcg_10", "ndcg@10"),
        ("presicion", "precision"),
        ("ndcg_cut", "ndcg"),
        ("hits@5", "hit_rate@5"),
        ("ndcg_burgess@10", "ndcg_burges@10"),
        ("bprf", "bpref"),
    ],
)
def test_a_slip_is_answered_with_the_likely_name_and_the_known_ones(wrong: str, meant: str) -> None:
    with pytest.raises(ValueError) as caught:
        parse_metric(wrong)
    assert f"did you mean {meant};" in str(caught.value)
    assert "recall[@k], precision[@k], hit_rate[@k]" in str(caught.value)


@pytest.mark.parametrize("wrong", ["", "@5", "5", "accuracy_of_answer", "précision@5"])
def test_an_unknown_name_lists_the_known_ones(wrong: str) -> None:
    with pytest.raises(ValueError, match=r"unknown metric .* known are recall"):
        parse_metric(wrong)


@pytest.mark.parametrize("cutoff", ["@", "@0", "@-1", "@05", "@5.0", "@five", "@5@5", "@²", "_0"])
def test_a_cut_off_is_a_whole_number_of_at_least_one(cutoff: str) -> None:
    with pytest.raises(ValueError, match="whole number of at least 1"):
        parse_metric(f"recall{cutoff}")


@pytest.mark.parametrize("wrong", ["r_precision@5", "bpref@10", "Rprec@5"])
def test_measures_that_look_as_deep_as_they_must_take_no_cut_off(wrong: str) -> None:
    with pytest.raises(ValueError, match="takes no cut-off"):
        parse_metric(wrong)


def test_a_list_of_names_becomes_canonical_without_repeats_and_in_order() -> None:
    assert canonical(["P@5", "mrr", "precision@5", "RR", "AP"]) == ("precision@5", "mrr", "map")


def test_the_defaults_are_canonical() -> None:
    assert canonical(DEFAULT_METRICS) == DEFAULT_METRICS


def test_the_depth_is_twenty_or_the_largest_cut_off() -> None:
    assert required_depth([]) == 20
    assert required_depth(["recall@5", "mrr"]) == 20
    assert required_depth(["recall@100", "ndcg@10"]) == 100


@pytest.mark.parametrize(
    "metric", ["mrr", "map", "ndcg", "ndcg_burges", "recall", "f1", "bpref", "r_precision"]
)
def test_without_a_cut_off_a_metric_looks_at_the_whole_list(metric: str) -> None:
    assert is_whole_list(metric)


@pytest.mark.parametrize("metric", ["mrr@10", "map@10", "recall@5", "judged@10"])
def test_with_a_cut_off_a_metric_looks_no_deeper(metric: str) -> None:
    assert not is_whole_list(metric)


def test_names_are_known_without_numpy() -> None:
    code = "import sys, pytest_retrieval.scoring.names; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
