"""Unjudged documents: their share on both sides, and verdicts that hang on them."""

from __future__ import annotations

from pytest_retrieval.gating.holes import judge_with_holes
from pytest_retrieval.gating.judging import Comparison
from pytest_retrieval.gating.pairing import Paired
from pytest_retrieval.gating.policy import Policy
from pytest_retrieval.gating.verdict import IMPROVED, PASS, REGRESSION, UNCHANGED, Verdict
from pytest_retrieval.golden.model import Query
from pytest_retrieval.scoring.metrics import score_rankings

METRIC = "precision@2"
POLICY = Policy((METRIC,), {METRIC: 0.0})
LABELS = {"good": 1, "bad": 0}


def _judged(*rankings: tuple[tuple[str, ...], tuple[str, ...]]) -> Verdict:
    """The verdict on (before, after) rankings of questions with the same labels."""
    queries = tuple(Query(f"q{i:02}", "text", LABELS) for i in range(len(rankings)))
    sides = [{query.id: pair[side] for query, pair in zip(queries, rankings, strict=True)} for side in (0, 1)]
    scores = [
        {
            METRIC: dict(
                zip(
                    side,
                    score_rankings(list(side.values()), [LABELS] * len(side), [METRIC])[METRIC].tolist(),
                    strict=True,
                )
            )
        }
        for side in sides
    ]
    paired = Paired(queries, scores[0], scores[1], before_rankings=sides[0], after_rankings=sides[1])
    (row,) = judge_with_holes((Comparison(paired),), POLICY)
    return row


SAME = (("good", "bad"), ("good", "bad"))


def test_the_judged_share_looks_at_the_top_k_of_what_was_returned() -> None:
    # before: 2 of 2 judged everywhere; after: 1 of 2, 0 of 1, 2 of 2
    row = _judged((("good", "bad"), ("good", "new", "bad")), (("good", "bad"), ("new",)), SAME)
    assert (row.judged_before, row.judged_after) == (1.0, 0.5)


def test_a_fall_that_only_unjudged_documents_make_says_so() -> None:
    row = _judged(*[(("good", "bad"), ("new", "bad"))] * 8, *[SAME] * 4)
    assert row.verdict == REGRESSION
    assert row.reason == (
        "would be unchanged if the 8 unjudged documents new in the top were relevant: "
        "judge them, see pytest-retrieval pool"
    )


def test_a_fall_to_judged_documents_says_nothing() -> None:
    row = _judged(*[(("good", "bad"), ("bad", "bad2"))] * 8, *[SAME] * 4)
    assert row.verdict == REGRESSION
    # bad2 is unjudged and new: with it precision is what it was
    assert "8 unjudged documents" in row.reason
    certain = _judged(*[(("good", "bad"), ("bad",))] * 8, *[SAME] * 4)
    assert (certain.verdict, certain.reason) == (REGRESSION, "")


def test_unjudged_documents_that_were_there_before_are_no_news() -> None:
    row = _judged(*[(("good", "old"), ("old", "bad"))] * 8, *[SAME] * 4)
    assert (row.verdict, row.reason) == (REGRESSION, "")


def test_a_gain_that_only_lost_unjudged_documents_make_says_so() -> None:
    row = _judged(*[(("old", "bad"), ("good", "bad"))] * 8, *[SAME] * 4)
    assert row.verdict == IMPROVED
    assert row.reason.startswith("would be unchanged if the 8 unjudged documents gone from the top")


def test_other_verdicts_are_left_alone() -> None:
    row = _judged((("good", "bad"), ("new", "bad")), *[SAME] * 11)
    assert (row.verdict, row.reason) == (PASS, "")
    assert _judged(*[SAME] * 12).verdict == UNCHANGED


def test_the_number_is_that_of_the_row() -> None:
    kinds = ["a"] * 8 + ["b"] * 12
    queries = tuple(Query(f"q{place:02}", "text", LABELS, kind=kind) for place, kind in enumerate(kinds))
    metrics = ("recall@1", "precision@3")
    policy = Policy(metrics, dict.fromkeys(metrics, 0.0), min_queries=5)
    before = {query.id: ("good", "bad") for query in queries}
    after = {query.id: ("new", "newer", "newest", "deeper") for query in queries}
    labels = [query.relevant for query in queries]
    scores = [
        {
            metric: dict(
                zip(side, score_rankings(list(side.values()), labels, [metric])[metric].tolist(), strict=True)
            )
            for metric in metrics
        }
        for side in (before, after)
    ]
    paired = Paired(queries, scores[0], scores[1], before_rankings=before, after_rankings=after)
    told = {
        (str(row.slice.get("kind")), row.metric): row.reason.split(" unjudged")[0].rsplit(" ", 1)[-1]
        for row in judge_with_holes((Comparison(paired),), policy)
        if "unjudged" in row.reason
    }
    # one place a query for recall@1, three for precision@3
    assert (told["a", "recall@1"], told["b", "recall@1"], told["None", "recall@1"]) == ("8", "12", "20")
    assert (told["a", "precision@3"], told["None", "precision@3"]) == ("24", "60")
