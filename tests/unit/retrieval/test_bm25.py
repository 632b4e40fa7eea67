import math

import pytest
from rank_bm25 import BM25Okapi

from pytest_retrieval.golden.documents import Document
from pytest_retrieval.retrieval.adapters.bm25 import Bm25Index, tokens


def corpus(*texts):
    return [Document(f"d{number}", "", text, "corpus.jsonl") for number, text in enumerate(texts)]


def found(index, text, k=10):
    return [document for document, _ in index.search(text, k)]


def test_tokens_are_lower_cased_words():
    assert tokens("See PRC-112, `--retrieval_margin` Größe 3.5") == [
        *("see", "prc", "112", "retrieval_margin", "größe", "3", "5")
    ]


def test_the_score_is_okapi_bm25_by_hand():
    # idf("wing") = ln((5 - 1 + 0.5) / (1 + 0.5)); length 2, average length 6 / 5; once in the document.
    index = Bm25Index(corpus("wing flow", "heat", "jet", "gas", "shock"))
    expected = math.log(4.5 / 1.5) * 1 * 2.5 / (1 + 1.5 * (0.25 + 0.75 * 2 / 1.2))
    assert index.search("Wing!", 10) == [("d0", pytest.approx(expected, abs=1e-12))]


def test_scores_are_bit_for_bit_those_of_rank_bm25():
    texts = [
        "the wing of the plane",
        "the flow of heat",
        "a jet and a wing",
        "the shock",
        "heat heat heat",
        "x",
    ]
    question = "the heat of the wing the unknown"
    peer = BM25Okapi([text.split() for text in texts]).get_scores(question.split())
    answer = dict(Bm25Index(corpus(*texts)).search(question, 10))
    assert answer == {f"d{number}": score for number, score in enumerate(peer) if number not in (2, 5)} | {
        "d2": peer[2]
    }


def test_only_documents_that_share_a_word_are_found():
    index = Bm25Index(corpus("wing", "heat", "jet"))
    assert found(index, "heat pump") == ["d1"]
    assert found(index, "pump") == []
    assert found(index, "") == []


def test_a_match_whose_score_is_zero_or_negative_is_still_a_match():
    # In one of two documents a word has idf ln(1.5 / 1.5) = 0; in the only one it is negative.
    assert Bm25Index(corpus("wing", "heat")).search("wing", 10) == [("d0", 0.0)]
    [(document, score)] = Bm25Index(corpus("wing")).search("wing", 10)
    assert document == "d0"
    assert score < 0


def test_ties_stay_in_the_order_of_the_corpus():
    index = Bm25Index(corpus("wing", "jet", "wing", "heat", "wing", "gas", "shock"))
    assert found(index, "wing") == ["d0", "d2", "d4"]


def test_k_counts_documents_though_the_best_chunks_are_of_one():
    many = Document("many", "", "# A\nwing\n# B\nwing\n# C\nwing", "many.md")
    one = Document("one", "", "wing and much else that makes it long", "one.txt")
    rest = corpus("heat", "jet", "gas", "shock", "flow", "air")
    assert found(Bm25Index([*rest, one, many]), "wing", 2) == ["many", "one"]
    assert found(Bm25Index([*rest, one, many]), "wing", 1) == ["many"]


def test_a_document_has_the_score_of_its_best_chunk():
    sections = Document("s", "", "# A\nwing\n# B\nwing wing wing", "s.md")
    others = ["heat", "jet", "gas", "shock"]
    chunks = [["a", "wing"], ["b", "wing", "wing", "wing"], *([word] for word in others)]
    once, thrice = BM25Okapi(chunks).get_scores(["wing"])[:2]
    assert thrice > once
    assert Bm25Index([sections, *corpus(*others)]).search("wing", 10) == [("s", thrice)]


def test_documents_without_a_word_are_told():
    with pytest.raises(ValueError, match="the documents hold no words"):
        Bm25Index(corpus("", "..."))
