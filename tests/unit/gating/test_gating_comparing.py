from __future__ import annotations

from dataclasses import replace

import pytest

from pytest_retrieval.gating.comparing import compare
from pytest_retrieval.gating.verdict import NOT_EVALUATED, PASS, REGRESSION, UNCHANGED
from pytest_retrieval.golden.model import GoldenSet, Query
from pytest_retrieval.retrieval.ranking import Ranking
from pytest_retrieval.scoring.evaluation import Evaluation, mark

METRICS = ("recall@5", "ndcg@10", "mrr")
FOUND, MISSED = Ranking(("d", "x")), Ranking(("x", "y"))


def _golden(n: int = 12, **changes: object) -> GoldenSet:
    return GoldenSet(
        tuple(replace(Query(f"q{i:02}", f"text {i}", {"d": 1}, "a"), **changes) for i in range(n))
    )


def _evaluation(
    golden: GoldenSet, missed: int = 0, metrics: tuple[str, ...] = METRICS, depth: int = 20
) -> Evaluation:
    rankings = {query.id: MISSED if i < missed else FOUND for i, query in enumerate(golden.queries)}
    return mark(golden, rankings, metrics, depth)


def _words(verdicts: tuple) -> dict[str, str]:
    return {verdict.metric: verdict.verdict for verdict in verdicts}


def test_the_gated_metrics_are_the_default_ones_that_both_sides_have():
    golden = _golden()
    assert list(_words(compare(_evaluation(golden), _evaluation(golden)))) == ["recall@5", "ndcg@10"]
    few = _evaluation(golden, metrics=("ndcg@10", "mrr"))
    assert list(_words(compare(_evaluation(golden), few))) == ["ndcg@10"]
    only = _evaluation(golden, metrics=("mrr",))
    assert list(_words(compare(only, only))) == ["mrr"]


def test_no_metric_in_common_is_told():
    golden = _golden()
    with pytest.raises(ValueError, match="no metric in common"):
        compare(_evaluation(golden, metrics=("mrr",)), _evaluation(golden, metrics=("recall@5",)))


def test_a_metric_that_was_not_computed_can_still_be_asked_for():
    golden = _golden()
    verdicts = compare(_evaluation(golden), _evaluation(golden, missed=6), metrics=["P@1"])
    assert _words(verdicts) == {"precision@1": REGRESSION}


def test_a_drop_is_a_regression_and_a_wide_margin_lets_it_pass():
    golden = _golden()
    before, after = _evaluation(golden), _evaluation(golden, missed=6)
    assert _words(compare(before, before)) == {"recall@5": UNCHANGED, "ndcg@10": UNCHANGED}
    assert _words(compare(before, after)) == {"recall@5": REGRESSION, "ndcg@10": REGRESSION}
    lenient = compare(before, after, margin={"recall@5": 0.6, "ndcg@10": 0.6})
    assert _words(lenient) == {"recall@5": PASS, "ndcg@10": PASS}


def test_old_rankings_are_scored_again_under_the_candidates_labels():
    before = _evaluation(_golden(relevant={"z": 1}))
    after = _evaluation(_golden())
    assert {verdict.before for verdict in before_and(before, after)} == {1.0}


def before_and(before: Evaluation, after: Evaluation) -> tuple:
    return compare(before, after, metrics=["recall@5"])


def test_a_query_whose_text_changed_is_not_compared():
    changed = _golden(24)
    changed = replace(changed, queries=(replace(changed.queries[0], text="another"), *changed.queries[1:]))
    (verdict,) = compare(_evaluation(_golden(24)), _evaluation(changed), metrics=["recall@5"])
    assert (verdict.n, verdict.verdict) == (23, UNCHANGED)


def test_too_many_removed_queries_keep_the_verdict_back():
    (verdict,) = compare(_evaluation(_golden(12)), _evaluation(_golden(10)), metrics=["recall@5"])
    assert verdict.verdict == NOT_EVALUATED
    assert verdict.reason.startswith("2 of 12")


def test_an_error_in_the_baseline_keeps_the_verdict_back():
    golden = _golden()
    good = _evaluation(golden)
    rankings = {query: ranking for query, ranking in good.rankings.items() if query != "q03"}
    failed = mark(golden, rankings, METRICS, 20, {"q03": "TimeoutError: late"})
    (verdict,) = compare(failed, good, metrics=["recall@5"])
    assert (verdict.verdict, verdict.reason) == (NOT_EVALUATED, "1 of 12 queries failed: q03")


def test_an_error_in_the_candidate_keeps_only_a_verdict_back_that_depends_on_it():
    golden = _golden()
    good = _evaluation(golden)
    rankings = {query: ranking for query, ranking in good.rankings.items() if query != "q03"}
    failed = mark(golden, rankings, METRICS, 20, {"q03": "TimeoutError: late"})
    (verdict,) = compare(good, failed, metrics=["recall@5"])
    assert (verdict.verdict, verdict.reason) == (PASS, "1 of 12 queries failed: q03, which changes nothing")


def test_a_query_that_was_not_asked_keeps_the_verdict_back():
    golden = _golden()
    rankings = {query.id: FOUND for query in golden.queries[1:]}
    (verdict,) = compare(_evaluation(golden), mark(golden, rankings, METRICS, 20), metrics=["recall@5"])
    assert (verdict.verdict, verdict.reason) == (NOT_EVALUATED, "1 of 12 queries were not run: q00")


def test_cut_offs_beyond_a_depth_and_whole_lists_of_unequal_depth_are_not_compared():
    golden = _golden()
    verdicts = compare(
        _evaluation(golden, depth=7), _evaluation(golden), metrics=["recall@5", "ndcg@10", "mrr"]
    )
    assert _words(verdicts) == {"recall@5": UNCHANGED, "ndcg@10": NOT_EVALUATED, "mrr": NOT_EVALUATED}


def test_further_fields_are_sliced_on_both_sides():
    golden = _golden(split="dev")
    slices = [
        dict(v.slice)
        for v in compare(_evaluation(golden), _evaluation(golden), metrics=["mrr"], slices=["split"])
    ]
    assert slices == [{}, {"split": "dev"}]
