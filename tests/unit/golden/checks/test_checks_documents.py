from __future__ import annotations

from pytest_retrieval.golden.checks.documents import (
    copied_words,
    dangling,
    empty_documents,
    older_labels,
    same_documents,
)
from pytest_retrieval.golden.documents import Document
from pytest_retrieval.golden.model import GoldenSet, Judging, Query


def corpus(**texts: str) -> dict[str, Document]:
    return {name: Document(name, "", text, "c.jsonl", version="2") for name, text in texts.items()}


def test_labels_that_name_no_document() -> None:
    golden = GoldenSet((Query("q", "x", {"a": 1, "gone": 0}, line=4), Query("r", "y", {"lost": 2}, line=5)))
    (found,) = dangling(golden, corpus(a="x"))
    assert (found.problem, found.line) == (True, 4)
    assert found.message == "2 of 3 labels name no document: q: gone; r: lost"
    assert not list(dangling(golden, corpus(a="", gone="", lost="")))


def test_an_empty_document_is_a_problem_where_it_is_wanted() -> None:
    golden = GoldenSet((Query("q", "x", {"a": 1, "b": 0}, line=4),))
    (found,) = empty_documents(golden, corpus(a=" \n", b="", c="text"))
    assert (found.problem, found.line) == (True, 4)
    assert found.message == (
        "2 of 3 documents are empty: a; b; labelled as relevant, and not to be found: a for q"
    )
    (found,) = empty_documents(golden, corpus(a="text", b=""))
    assert (found.problem, found.message) == (False, "1 of 2 documents are empty: b")
    titled = {"a": Document("a", "only a title", "", "c.jsonl")}
    assert not list(empty_documents(golden, titled))


def test_the_same_text_twice_is_a_problem_where_it_is_judged_differently() -> None:
    golden = GoldenSet(
        (
            Query("q", "x", {"a": 1}, line=4),
            Query("r", "y", {"a": 2, "b": 2}),
            Query("s", "z", {"c": 1, "a": 0}),
        )
    )
    documents = corpus(a="The same  text", b="the same\ntext", c="another", d="", e="")
    (found,) = same_documents(golden, documents)
    assert (found.problem, found.line) == (True, 4)
    assert found.message == (
        "1 texts stand in several documents: a = b; judged differently by q (a: 1, b unjudged)"
    )
    (found,) = same_documents(GoldenSet(golden.queries[1:]), documents)
    assert (found.problem, found.message) == (False, "1 texts stand in several documents: a = b")


def test_labels_of_an_older_version() -> None:
    judgings = {"a": Judging("1", "anna"), "b": Judging("2"), "c": Judging(None, "ben"), "gone": Judging("1")}
    golden = GoldenSet((Query("q", "x", dict.fromkeys(judgings, 1), judgings=judgings, line=4),))
    (found,) = older_labels(golden, corpus(a="x", b="y", c="z"))
    assert (found.problem, found.line) == (True, 4)
    assert found.message == "1 labels are older than their document: q: a judged at 1, now 2 (owner anna)"
    unversioned = {"a": Document("a", "", "x", "a.md")}
    assert not list(older_labels(golden, unversioned))


def test_the_words_that_questions_take_from_their_documents() -> None:
    text = "Press the red button twice to reset the machine"
    copied = [Query(f"c{n}", "reset the machine", {"a": 1}, kind="copied") for n in range(5)]
    own = [
        Query("o", "how do i start anew", {"a": 2}, kind="own"),
        Query("k", "PRC-112", {"a": 1}, kind="id"),
    ]
    (found,) = copied_words(GoldenSet((*copied, *own)), corpus(a=text, b="how do i start anew"))
    assert not found.problem
    assert found.message == (
        "share of a question's words that its document has: copied 1.00, own 0.00; "
        "copied copy their documents, which flatters word search: ask in other words"
    )
    (found,) = copied_words(GoldenSet((*copied[:4], *own)), corpus(a=text))
    assert "flatters" not in found.message
    assert not list(copied_words(GoldenSet((own[1],)), corpus(a=text)))
