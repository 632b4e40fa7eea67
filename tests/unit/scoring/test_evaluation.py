from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from pytest_retrieval.golden.errors import GoldenError
from pytest_retrieval.golden.model import GoldenSet, Header, Query
from pytest_retrieval.retrieval.ranking import Ranking
from pytest_retrieval.scoring.evaluation import Evaluation, mark
from pytest_retrieval.scoring.measuring import evaluate
from pytest_retrieval.scoring.names import DEFAULT_METRICS

GOLDEN = GoldenSet(
    (
        Query("q1", "one", {"a": 1, "b": 1}, kind="short"),
        Query("q2", "two", {"c": 2}, kind="short"),
        Query("q3", "three", {"d": 1}, kind="long"),
        Query("q4", "four", kind="long", answerable=False),
    )
)
RANKINGS = {
    "q1": Ranking(("a", "x")),
    "q2": Ranking(("x", "c")),
    "q3": Ranking(()),
    "q4": Ranking(("a",)),
}


def searching(answers: dict[str, list[str]]) -> Callable[[str, int], list[str]]:
    return lambda text, k: answers[text][:k]


ANSWERS = {"one": ["a", "x"], "two": ["x", "c"], "three": [], "four": ["a"]}


def test_answered_queries_are_scored_under_canonical_names() -> None:
    evaluation = mark(GOLDEN, RANKINGS, ["R@2", "recip_rank", "recall@2"], 20)
    assert evaluation.metrics == ("recall@2", "mrr")
    assert evaluation.scores == {
        "recall@2": {"q1": 0.5, "q2": 1.0, "q3": 0.0},
        "mrr": {"q1": 1.0, "q2": 0.5, "q3": 0.0},
    }
    assert evaluation.depth == 20
    assert evaluation.rankings == RANKINGS


def test_scores_are_built_in_numbers() -> None:
    evaluation = mark(GOLDEN, RANKINGS, ["mrr"], 20)
    assert {type(score) for score in evaluation.scores["mrr"].values()} == {float}


def test_means_are_taken_over_all_answerable_queries_or_one_kind() -> None:
    evaluation = mark(GOLDEN, RANKINGS, ["recall@2", "mrr"], 20)
    assert evaluation.mean("mrr") == 0.5
    assert evaluation.mean("RR", kind="short") == 0.75
    assert evaluation.mean("mrr", kind="long") == 0.0
    assert evaluation.means() == {"recall@2": 0.5, "mrr": 0.5}


def test_a_mean_is_rounded_to_twelve_decimals() -> None:
    golden = GoldenSet(tuple(Query(f"q{number}", "t", {"a": 1}) for number in range(3)))
    rankings = {"q0": Ranking(("a",)), "q1": Ranking(), "q2": Ranking()}
    assert mark(golden, rankings, ["mrr"], 20).mean("mrr") == 0.333333333333


def test_a_failed_query_is_never_averaged_away() -> None:
    evaluation = mark(GOLDEN, RANKINGS, ["mrr"], 20, errors={"q2": "TimeoutError: slow"})
    assert "q2" not in evaluation.scores["mrr"]
    assert "q2" not in evaluation.rankings
    assert evaluation.errors == {"q2": "TimeoutError: slow"}
    assert evaluation.mean("mrr") is None
    assert evaluation.mean("mrr", kind="short") is None
    assert evaluation.mean("mrr", kind="long") == 0.0
    assert evaluation.means() == {"mrr": None}


def test_nothing_to_average_is_no_mean() -> None:
    evaluation = mark(GOLDEN, {}, ["mrr"], 20)
    assert evaluation.mean("mrr") is None
    assert evaluation.mean("mrr", kind="no such kind") is None


def test_rankings_and_errors_of_unknown_queries_are_left_out() -> None:
    evaluation = mark(GOLDEN, {**RANKINGS, "q9": Ranking(("a",))}, ["mrr"], 20, errors={"q8": "KeyError: 8"})
    assert "q9" not in evaluation.rankings
    assert evaluation.errors == {}
    assert evaluation.mean("mrr") == 0.5


def test_a_mean_of_a_metric_that_was_not_computed_is_an_error() -> None:
    with pytest.raises(ValueError, match="ndcg was not computed; computed are mrr"):
        mark(GOLDEN, RANKINGS, ["mrr"], 20).mean("ndcg")


def test_a_ranking_with_a_document_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="query 'q1' holds a document twice"):
        mark(GOLDEN, {"q1": Ranking(("a", "b", "a"))}, ["recall"], 20)


def test_a_retriever_is_asked_every_query() -> None:
    evaluation = evaluate(searching(ANSWERS), GOLDEN, metrics=["mrr"])
    assert evaluation == Evaluation(
        golden=GOLDEN,
        rankings=RANKINGS,
        errors={},
        depth=20,
        metrics=("mrr",),
        scores={"mrr": {"q1": 1.0, "q2": 0.5, "q3": 0.0}},
    )


def test_without_wishes_the_default_metrics_and_depth_hold() -> None:
    asked: list[int] = []

    def search(text: str, k: int) -> list[str]:
        asked.append(k)
        return []

    evaluation = evaluate(search, GOLDEN)
    assert evaluation.metrics == DEFAULT_METRICS
    assert asked == [20, 20, 20, 20]


def test_an_exception_of_the_retriever_is_the_outcome_of_its_query() -> None:
    evaluation = evaluate(searching({"one": ["a"], "three": [], "four": []}), GOLDEN, metrics=["mrr"])
    assert evaluation.errors == {"q2": "KeyError: 'two'"}
    assert evaluation.mean("mrr") is None
    assert evaluation.mean("mrr", kind="long") == 0.0


def test_an_interrupt_is_no_outcome() -> None:
    def search(text: str, k: int) -> list[str]:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        evaluate(search, GOLDEN)


def with_header(**wishes: object) -> GoldenSet:
    lines = dict.fromkeys(wishes, 3)
    return GoldenSet(GOLDEN.queries, Header(lines=lines, **wishes), Path("golden.yaml"))  # type: ignore[arg-type]


def test_the_header_is_followed_where_no_argument_is_given() -> None:
    golden = with_header(metrics=("RR@1",), depth=7, document_id="^(.*)#")
    evaluation = evaluate(searching({**ANSWERS, "one": ["a#1", "a#2", "b#1"]}), golden)
    assert (evaluation.metrics, evaluation.depth) == (("mrr@1",), 7)
    assert evaluation.rankings["q1"] == Ranking(("a", "b"))


def test_arguments_come_before_the_header() -> None:
    golden = with_header(metrics=("mrr",), depth=7, document_id="^(.*)#")
    answers = {**ANSWERS, "one": ["a/1", "a/2"]}
    evaluation = evaluate(searching(answers), golden, metrics=["recall@2"], depth=2, document_id="^(.*)/")
    assert (evaluation.metrics, evaluation.depth) == (("recall@2",), 2)
    assert evaluation.rankings["q1"] == Ranking(("a",))


def test_the_depth_follows_the_largest_cut_off() -> None:
    assert evaluate(searching(ANSWERS), GOLDEN, metrics=["recall@50"]).depth == 50


@pytest.mark.parametrize("depth", [0, -1, 9])
def test_a_depth_that_does_not_reach_the_cut_off_is_refused(depth: int) -> None:
    with pytest.raises(ValueError, match=f"a depth of {depth} cannot show ndcg@10; expected at least 10"):
        evaluate(searching(ANSWERS), GOLDEN, metrics=["mrr", "ndcg@10"], depth=depth)


@pytest.mark.parametrize(
    ("wishes", "message"),
    [
        ({"metrics": ("recal@5",)}, "metrics: unknown metric 'recal@5', did you mean recall@5"),
        ({"depth": 3, "metrics": ("recall@5",)}, "depth: a depth of 3 cannot show recall@5"),
        ({"document_id": "("}, "document_id: '(' is no regular expression"),
        ({"document_id": ".*#"}, "document_id: '.*#' has no group"),
    ],
)
def test_a_wish_of_the_header_that_cannot_be_met_is_told_with_its_line(
    wishes: dict[str, object], message: str
) -> None:
    with pytest.raises(GoldenError) as caught:
        evaluate(searching(ANSWERS), with_header(**wishes))
    assert str(caught.value).startswith(f"golden.yaml:3: {message}")


@pytest.mark.parametrize("expression", ["(", ".*#"])
def test_a_document_pattern_that_cannot_be_used_is_refused(expression: str) -> None:
    with pytest.raises(ValueError, match="document_id"):
        evaluate(searching(ANSWERS), GOLDEN, document_id=expression)


def test_a_golden_set_may_be_given_by_its_path(tmp_path: Path) -> None:
    path = tmp_path / "golden.jsonl"
    path.write_text('{"id": "q1", "text": "one", "relevant": ["a"]}\n', encoding="utf-8")
    for given in (path, str(path)):
        assert evaluate(searching(ANSWERS), given, metrics=["mrr"]).scores == {"mrr": {"q1": 1.0}}


def test_a_depth_that_is_no_whole_number_is_refused() -> None:
    golden = GoldenSet((Query("q1", "one", {"d": 1}),))
    with pytest.raises(ValueError, match=r"depth is 2\.5, expected a whole number"):
        evaluate(lambda text: ["d"], golden, metrics=["recall@1"], depth=2.5)  # type: ignore[arg-type]


def test_metrics_in_one_text_are_refused() -> None:
    golden = GoldenSet((Query("q1", "one", {"d": 1}),))
    with pytest.raises(ValueError, match="expected a list of metric names, found the text 'recall@5'"):
        evaluate(lambda text: ["d"], golden, metrics="recall@5")


# -- an exact index

EXACT = {
    "q1": Ranking(("a", "b", "x", "y")),
    "q2": Ranking(("c",)),
    "q3": Ranking(),
    "q4": Ranking(("a", "z")),
}


def test_index_recall_is_the_share_of_the_exact_top_k_that_was_returned() -> None:
    evaluation = mark(GOLDEN, RANKINGS, ["index_recall@2", "index_recall@4", "recall@2"], 20, exact=EXACT)
    assert evaluation.scores["index_recall@2"] == {"q1": 0.5, "q2": 1, "q3": 1, "q4": 0.5}
    assert evaluation.scores["index_recall@4"] == {"q1": 0.5, "q2": 1, "q3": 1, "q4": 0.5}
    assert evaluation.scores["recall@2"] == {"q1": 0.5, "q2": 1, "q3": 0}
    assert evaluation.exact == EXACT


def test_index_recall_cuts_both_lists() -> None:
    golden = GoldenSet((Query("q", "t", {"d1": 1}),))
    returned, exact = Ranking(("d4", "d2", "d1")), Ranking(("d1", "d2", "d3"))
    scores = mark(
        golden, {"q": returned}, ["index_recall@1", "index_recall@2"], 20, exact={"q": exact}
    ).scores
    # of {d1} none in the first, of {d1, d2} d2 in the first two
    assert (scores["index_recall@1"], scores["index_recall@2"]) == ({"q": 0}, {"q": 0.5})


def test_without_an_exact_index_there_is_no_score() -> None:
    evaluation = mark(GOLDEN, RANKINGS, ["index_recall@2"], 20)
    assert evaluation.scores == {"index_recall@2": {}}
    assert evaluation.mean("index_recall@2") is None


def test_a_set_without_labels_has_no_scores_that_need_them() -> None:
    golden = GoldenSet((Query("q1", "one"), Query("q2", "two")), Header(exact="exact_index"))
    evaluation = mark(golden, RANKINGS, ["recall@2", "index_recall@2"], 20, exact=EXACT)
    assert evaluation.scores == {"recall@2": {}, "index_recall@2": {"q1": 0.5, "q2": 1.0}}
