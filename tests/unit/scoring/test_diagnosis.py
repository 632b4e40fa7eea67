"""Where evidence is lost: buckets by hand."""

from __future__ import annotations

import re

import pytest

from pytest_retrieval.retrieval.ranking import Hit, Ranking, rank_documents
from pytest_retrieval.scoring.diagnosis import (
    GENERATION,
    NOT_IN_CORPUS,
    OK,
    RANKING,
    RETRIEVAL,
    Diagnosis,
    diagnose,
    sum_up,
)

TEN = Ranking(tuple(f"D{number}" for number in range(1, 11)))


def test_a_document_within_the_context_is_ok() -> None:
    one = diagnose({"D3": 1}, TEN, 3)
    assert (one.bucket, one.place, one.documents[0].rank) == (OK, 3, 3)


def test_a_document_just_below_the_context_is_a_matter_of_ranking() -> None:
    one = diagnose({"D4": 1}, TEN, 3)
    assert (one.bucket, one.documents[0].rank) == (RANKING, 4)


def test_a_document_that_did_not_come_back_is_a_matter_of_retrieval() -> None:
    one = diagnose({"D11": 1}, TEN, 3)
    assert (one.bucket, one.place, one.documents[0].rank) == (RETRIEVAL, None, None)


def test_a_document_that_is_in_no_corpus_cannot_be_retrieved() -> None:
    assert diagnose({"D11": 1}, TEN, 3, corpus={"D1"}).bucket == NOT_IN_CORPUS
    assert diagnose({"D11": 1}, TEN, 3, corpus={"D1", "D11"}).bucket == RETRIEVAL


def test_what_came_back_is_in_the_corpus_whatever_the_list_says() -> None:
    assert diagnose({"D1": 1}, TEN, 3, corpus=()).bucket == OK


def test_evidence_that_is_not_cited_is_lost_in_generation() -> None:
    assert diagnose({"D1": 1}, TEN, 3, cited=["D2"]).bucket == GENERATION
    assert diagnose({"D1": 1}, TEN, 3, cited=[]).bucket == GENERATION
    assert diagnose({"D1": 1}, TEN, 3, cited=["D1"]).bucket == OK


def test_without_a_word_on_citations_none_are_missed() -> None:
    assert diagnose({"D1": 1}, TEN, 3, cited=None).bucket == OK


def test_the_context_counts_chunks_where_ranks_count_documents() -> None:
    hits = ["A#1", "A#2", "A#3", "B#1", "A#4", "C#9"]
    ranking = rank_documents([Hit(hit) for hit in hits], re.compile("^(.*)#"))
    assert (ranking.documents, ranking.places) == (("A", "B", "C"), (1, 4, 6))
    one = diagnose({"B": 1}, ranking, 3)
    assert (one.bucket, one.documents[0].rank, one.documents[0].place) == (RANKING, 2, 4)
    assert diagnose({"B": 1}, ranking, 4).bucket == OK


def test_a_query_is_as_well_off_as_its_best_placed_document_and_has_a_row_for_each() -> None:
    one = diagnose({"D11": 2, "D7": 2, "D2": 1, "D1": 0}, TEN, 3)
    assert one.bucket == OK
    assert [(row.document, row.grade, row.bucket, row.rank) for row in one.documents] == [
        ("D2", 1, OK, 2),
        ("D7", 2, RANKING, 7),
        ("D11", 2, RETRIEVAL, None),
    ]


def test_one_cited_document_is_evidence_enough() -> None:
    one = diagnose({"D1": 1, "D2": 1}, TEN, 3, cited=["D2"])
    assert (one.bucket, [row.document for row in one.documents]) == (OK, ["D2", "D1"])


@pytest.mark.parametrize("relevant", [{}, {"D1": 0}, {"D1": -1}])
def test_a_query_without_an_answer_is_refused(relevant: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="no document answers this query"):
        diagnose(relevant, TEN, 3)


def _six(context: int) -> list[tuple[str, Diagnosis]]:
    places = {"a": (1, 2, 5, None), "b": (3, None)}
    return [
        (kind, diagnose({f"D{place or 99}": 1}, TEN, context))
        for kind, many in places.items()
        for place in many
    ]


def test_the_kinds_are_counted_apart_and_all_together() -> None:
    done = sum_up(_six(3), 3, 10, unanswerable=2, unknown=1)
    assert [(group.kind, group.n, dict(group.counts)) for group in done.groups] == [
        (None, 6, {OK: 3, RANKING: 1, RETRIEVAL: 2}),
        ("a", 4, {OK: 2, RANKING: 1, RETRIEVAL: 1}),
        ("b", 2, {OK: 1, RETRIEVAL: 1}),
    ]
    assert (done.unanswerable, done.unknown) == (2, 1)


def test_what_loses_most_is_turned_first_and_of_equal_ones_the_earlier_on_the_way() -> None:
    done = sum_up(_six(3), 3, 10)
    assert [group.first for group in done.groups] == [RETRIEVAL, RETRIEVAL, RETRIEVAL]
    done = sum_up(_six(1), 1, 10)
    assert [group.first for group in done.groups] == [RANKING, RANKING, RETRIEVAL]


def test_where_nothing_is_lost_nothing_is_turned() -> None:
    done = sum_up([("a", diagnose({"D1": 1}, TEN, 3))], 3, 10)
    assert [group.first for group in done.groups] == [None, None]


def test_smaller_contexts_tell_how_many_queries_they_lose() -> None:
    # first places 1, 2, 5 and 3 are within a context of 6
    assert sum_up(_six(6), 6, 10).lost == {5: 0, 4: 1, 3: 1, 2: 2, 1: 3}


def test_a_large_context_is_told_in_eighths() -> None:
    assert list(sum_up(_six(10), 10, 10).lost) == [8, 7, 6, 5, 3, 2, 1]


def test_the_best_order_of_the_pool_is_the_most_that_a_reranker_can_reach() -> None:
    # two of three relevant documents are in the pool, one of them in the context
    done = sum_up([("a", diagnose({"D1": 1, "D9": 1, "D99": 1}, TEN, 3))], 3, 10)
    assert done.recall_in_context == pytest.approx(1 / 3)
    assert done.recall_in_pool == done.recall_ceiling == pytest.approx(2 / 3)


def test_a_context_of_one_holds_no_more_than_one_document_in_any_order() -> None:
    done = sum_up([("a", diagnose({"D2": 1, "D9": 1}, TEN, 1))], 1, 10)
    assert (done.recall_in_context, done.recall_ceiling, done.recall_in_pool) == (0.0, 0.5, 1.0)


def test_without_queries_there_are_no_means() -> None:
    done = sum_up([], 3, 10, unanswerable=1)
    assert (done.groups[0].n, done.recall_in_pool, done.recall_ceiling) == (0, None, None)
