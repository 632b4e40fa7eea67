import math
from fractions import Fraction
from itertools import permutations

import pytest

from pytest_retrieval.golden.model import Query
from pytest_retrieval.retrieval.calling import BadRetriever, answer, prepare
from pytest_retrieval.retrieval.composition import fuse, hybrid, rerank
from pytest_retrieval.retrieval.protocol import BadAnswer


def lists(*ids):
    """A retriever that answers with these ids and notes how many it was asked for."""

    def search(text, k):
        search.asked.append(k)
        return list(ids[:k])

    search.asked = []
    return search


def ranked(retriever, depth=20, **params):
    return list(answer(prepare(retriever), Query("q1", "where", params=params), depth, None).documents)


# -- fusion


def test_the_fused_score_is_the_sum_of_reciprocal_ranks():
    # by hand: b = 1/62 + 1/61, a = 1/61, c = 1/63 + 1/62
    scores = dict(fuse([["a", "b", "c"], ["b", "c"]]))
    assert scores == {
        "a": pytest.approx(float(Fraction(1, 61)), abs=1e-12),
        "b": pytest.approx(float(Fraction(1, 62) + Fraction(1, 61)), abs=1e-12),
        "c": pytest.approx(float(Fraction(1, 63) + Fraction(1, 62)), abs=1e-12),
    }
    assert list(scores) == ["b", "c", "a"]


def test_a_small_constant_lets_the_first_rank_win():
    # k = 1: a = 1/2, b = c = 1/3 + 1/4; k = 60: b = c = 1/62 + 1/63 > a = 1/61
    both = [["a", "b", "c"], ["d", "c", "b"]]
    assert [document for document, _ in fuse(both, k=1)] == ["b", "c", "a", "d"]
    far = [["a", *"uvwxyz", "b"], [*"stuvwx", "b"]]
    assert fuse(far, k=1)[0][0] == "u"


def test_equal_sums_are_ordered_by_document():
    assert [document for document, _ in fuse([["b", "a"], ["a", "b"]])] == ["a", "b"]
    assert [document for document, _ in fuse([["z"], ["y"], ["x"]])] == ["x", "y", "z"]


def test_the_order_of_the_lists_does_not_matter():
    rankings = (["a", "b", "c", "d"], ["c", "a", "e"], ["e", "d", "b", "a"], ["f", "c"])
    assert len({str(fuse(order)) for order in permutations(rankings)}) == 1


def test_no_list_and_empty_lists_give_nothing():
    assert fuse([]) == fuse([[], []]) == []


# -- hybrid


def test_hybrid_asks_each_and_fuses_their_lists():
    one, two, three = lists("a", "b"), lists("b", "c"), lists("d")
    assert ranked(hybrid(one, two, three)) == ["b", "a", "d", "c"]
    assert (one.asked, two.asked, three.asked) == ([20], [20], [20])


def test_hybrid_gives_as_many_as_are_wanted_and_asks_for_the_candidates():
    one = lists(*"abcdefgh")
    assert ranked(hybrid(one, lists(*"hgf"), candidates=8), depth=2) == ["h", "g"]
    assert one.asked == [8]


def test_a_document_that_comes_twice_counts_once_at_its_first_place():
    # with the second "a" counted, it would win
    assert ranked(hybrid(lists("b", "a", "a", "c"), lists("b"))) == ["b", "a", "c"]


def test_chunks_are_fused_as_documents_and_stand_by_their_first_hit():
    one, two = lists("x#1", "y#4", "x#2"), lists("z#1", "x#9")
    assert ranked(hybrid(one, two, document_id="^(.*)#")) == ["x#1", "z#1", "y#4"]
    assert ranked(hybrid(one, two)) == ["x#1", "z#1", "x#9", "y#4", "x#2"]


def test_params_reach_every_part_and_an_error_is_the_querys():
    def owned(text, k, user):
        return [user]

    assert ranked(hybrid(owned, owned), user="clerk") == ["clerk"]
    with pytest.raises(BadRetriever, match="the param 'user', which the retriever does not take"):
        ranked(hybrid(owned, lists("a")), user="clerk")
    with pytest.raises(ZeroDivisionError):
        ranked(hybrid(lists("a"), lambda text: 1 / 0))


def test_retrievers_are_nested():
    assert ranked(hybrid(hybrid(lists("a"), lists("b", "a")), lists("b"))) == ["b", "a"]


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: hybrid(lists("a")), "fuses two or more retrievers, found 1"),
        (lambda: hybrid(lists("a"), None), "the retriever is None"),
        (lambda: hybrid(lists("a"), lists("b"), k=0), "must be at least 1, found 0 and None"),
        (lambda: hybrid(lists("a"), lists("b"), document_id="^x"), "needs a group"),
        (lambda: rerank(lists("a"), None), "the scorer is an object of type NoneType"),
        (lambda: rerank(lists("a"), len, candidates=0), "must be at least 1, found 0"),
        (lambda: rerank(lists("a"), Lengths()), "the scorer Lengths scores texts, and rerank has none"),
    ],
)
def test_what_cannot_work_is_refused_when_it_is_built(build, message):
    with pytest.raises(BadRetriever, match=message):
        build()


# -- rerank


class Lengths:
    """Scores texts by their length."""

    def score(self, question, texts):
        assert question == "where"
        return [len(text) for text in texts]


def backwards(question, ids):
    return range(len(ids))


def test_the_candidates_are_put_into_the_order_of_the_scores_above_the_tail():
    base = lists(*"abcdef")
    assert ranked(rerank(base, backwards, candidates=3)) == ["c", "b", "a", "d", "e", "f"]
    assert base.asked == [20]


def test_more_candidates_than_are_wanted_may_come_up():
    base = lists(*"abcdef")
    assert ranked(rerank(base, backwards, candidates=5), depth=2) == ["e", "d"]
    assert base.asked == [5]


def test_equal_scores_keep_their_order():
    assert ranked(rerank(lists(*"cabd"), lambda question, ids: [1, 0, 1, 1])) == ["c", "b", "d", "a"]


def test_a_scorer_of_texts_gets_them_by_id_or_by_document():
    texts = {"x": "long text", "y#2": "the longest text"}
    base = lists("x#7", "y#2", "x#8")
    assert ranked(rerank(base, Lengths(), texts=texts, document_id="^(.*)#")) == ["y#2", "x#7"]
    with pytest.raises(BadAnswer, match="there is no text of 'x#7' to score; the texts have 2 other ids"):
        ranked(rerank(base, Lengths(), texts=texts))


def test_nothing_found_is_not_scored():
    assert ranked(rerank(lists(), lambda question, ids: 1 / 0)) == []


@pytest.mark.parametrize(
    ("scores", "message"),
    [
        ([1], "returned 1 scores for 2 ids"),
        ([1, math.nan], "returned NaN"),
        (None, "returned a value of type NoneType; expected one number per id"),
        (0.5, "returned a value of type float"),
        (["x", "y"], "returned a value of type list; expected one number per id"),
    ],
)
def test_a_scorer_must_give_one_number_per_id(scores, message):
    with pytest.raises(BadAnswer, match=message):
        ranked(rerank(lists("a", "b"), lambda question, ids: scores))
