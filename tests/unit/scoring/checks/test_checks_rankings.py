from __future__ import annotations

from pytest_retrieval.golden.model import GoldenSet, Header, Pooling, Query
from pytest_retrieval.scoring.checks.rankings import never_returned, outside_pool, pool_depth

GOLDEN = GoldenSet((Query("q", "x", {"a": 1, "b": 2, "z": 0}, line=4), Query("r", "y", {"c": 1}, line=5)))


def test_ids_that_no_search_ever_returns_are_a_problem_when_it_is_all_of_them() -> None:
    (found,) = never_returned(GOLDEN, [{"q": ["a.md", "b.md"], "r": []}])
    assert found.problem
    assert found.message == (
        "0 of 3 judged ids were ever returned: the labels say 'a' and the like, "
        "the search returns ids such as 'a.md'"
    )
    (found,) = never_returned(GOLDEN, [{"q": []}])
    assert found.message.endswith("the search returns nothing")


def test_some_ids_that_are_never_returned_are_a_note() -> None:
    (found,) = never_returned(GOLDEN, [{"q": ["a"]}, {"r": ["a", "c"]}])
    assert (found.problem, found.line) == (False, 4)
    assert found.message == "1 of 3 relevant documents were never returned: b for q"
    assert not list(never_returned(GOLDEN, [{"q": ["a", "b"], "r": ["c"]}]))


def test_questions_that_were_not_asked_do_not_count() -> None:
    assert not list(never_returned(GOLDEN, [{"q": ["a", "b"]}]))


def test_labels_that_no_recorded_pool_held() -> None:
    pools = [([{"q": ["a", "b"]}, {"r": ["x"]}], 1), ([{"q": ["x", "b"]}], 2)]
    (found,) = outside_pool(GOLDEN, pools)
    assert (found.problem, found.line) == (False, 5)
    assert found.message == "1 of 3 relevant documents were in no recorded pool: r: c"


def test_a_cut_off_below_the_pool() -> None:
    header = Header(pooled=(Pooling(3, unjudged=2), Pooling(5)), lines={"pooled": 2})
    found = list(pool_depth(GoldenSet(GOLDEN.queries, header), ["recall@5", "ndcg@10", "mrr"]))
    assert [one.message for one in found] == [
        "ndcg@10 look deeper than the pool, which was judged to depth 5; pool deeper, or cut earlier",
        "2 pairs of the recorded pool were left unjudged; go on with: pytest-retrieval judge",
    ]
    assert {one.line for one in found} == {2}
    assert not list(pool_depth(GOLDEN, ["ndcg@10"]))
