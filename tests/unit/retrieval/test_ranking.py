import re

from pytest_retrieval.retrieval.ranking import Hit, Ranking, rank_documents

PAGE_OF_CHUNK = re.compile("^(.*)#")


def hits(*ids: str) -> list[Hit]:
    return [Hit(id_) for id_ in ids]


def test_without_a_pattern_every_id_is_a_document_in_the_order_returned():
    assert rank_documents(hits("b", "a", "c")) == Ranking(("b", "a", "c"))


def test_a_repeated_document_keeps_its_first_place_only():
    assert rank_documents(hits("a", "b", "a", "c", "b")).documents == ("a", "b", "c")


def test_chunks_of_one_document_count_once():
    ranking = rank_documents(hits("d1#0", "d1#1", "d3#0", "d2#4"), PAGE_OF_CHUNK)
    assert ranking.documents == ("d1", "d3", "d2")


def test_a_hit_that_the_pattern_does_not_match_is_its_own_document():
    assert rank_documents(hits("plain", "d1#0"), PAGE_OF_CHUNK).documents == ("plain", "d1")


def test_a_group_that_took_no_part_in_the_match_leaves_the_hit_as_it_is():
    assert rank_documents(hits("x9"), re.compile("^(d[0-9])?x")).documents == ("x9",)


def test_the_order_of_scores_plays_no_part():
    distances = [Hit("near", 0.1), Hit("far", 0.9)]
    assert rank_documents(distances).documents == ("near", "far")


def test_a_ranking_is_as_long_as_its_distinct_documents():
    assert len(rank_documents(hits("a", "a", "b"))) == 2
    assert len(rank_documents([])) == 0


def test_the_places_of_the_hits_are_kept_where_chunks_were_folded() -> None:
    hits = [Hit("A#1"), Hit("A#2"), Hit("B#1"), Hit("B#2"), Hit("C#1")]
    ranking = rank_documents(hits, re.compile("^(.*)#"))
    assert ranking.places == (1, 3, 5)
    assert ranking.placed() == {"A": 1, "B": 3, "C": 5}


def test_without_folding_a_place_is_a_rank() -> None:
    ranking = rank_documents([Hit("A"), Hit("B")])
    assert (ranking.places, ranking.placed()) == ((), {"A": 1, "B": 2})
    # what is folded at the end moves nobody
    assert rank_documents([Hit("A"), Hit("A")]).places == ()
