"""BEIR's folders, and TREC's questions and labels in two files."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_retrieval.golden.errors import GoldenError
from pytest_retrieval.golden.sources.detect import read_source
from pytest_retrieval.golden.sources.imported import Wishes

QUERIES = '{"_id": "1", "text": "new", "metadata": {}, "tag": "x"}\n{"_id": "2", "text": "old"}\n'
HEAD = "query-id\tcorpus-id\tscore\n"


@pytest.fixture
def beir(write) -> Path:
    write("beir/qrels/test.tsv", f"{HEAD}1\td1\t1\n1\td2\t0\n")
    write("beir/qrels/dev.tsv", f"{HEAD}2\td2\t2\n")
    return write("beir/queries.jsonl", QUERIES).parent


def test_a_beir_folder_is_read_with_its_test_labels_unless_told_otherwise(beir: Path) -> None:
    imported = read_source([beir], Wishes())
    assert [(query.id, query.text, query.relevant) for query in imported.queries] == [
        ("1", "new", {"d1": 1, "d2": 0})
    ]
    assert imported.shape == "BEIR folder"
    assert imported.guesses == ("split: test of dev, test",)
    assert imported.warnings == (
        "1 questions without any label were left out, '2' first",
        "the field 'tag' is kept as 'source_tag', as its name means something here",
    )
    assert [query.id for query in read_source([beir], Wishes(split="dev")).queries] == ["2"]


def test_a_folder_of_something_else_is_refused(beir: Path, tmp_path: Path) -> None:
    with pytest.raises(GoldenError, match=r"there is no train\.tsv; --split takes dev, test"):
        read_source([beir], Wishes(split="train"))
    with pytest.raises(GoldenError, match=r"a folder without queries\.jsonl and qrels/"):
        read_source([tmp_path], Wishes())
    for file in (beir / "qrels").iterdir():
        file.unlink()
    with pytest.raises(GoldenError, match="missing role 'relevant'"):
        read_source([beir], Wishes())


@pytest.mark.parametrize("turned", [False, True])
def test_questions_and_labels_may_come_in_either_order(write, turned: bool) -> None:
    topics = write("topics.xml", '<topics><topic number="7"><query>new</query></topic></topics>')
    qrels = write("qrels.txt", "7 0 d1 2\n7 0 d2 -1\n")
    imported = read_source([qrels, topics] if turned else [topics, qrels], Wishes())
    assert [(query.id, query.text, query.relevant) for query in imported.queries] == [
        ("7", "new", {"d1": 2, "d2": -1})
    ]
    assert imported.guesses == ("labels: qrels.txt",)


def test_the_field_by_which_labels_know_a_question_is_found_or_named(write) -> None:
    topics = write("q.jsonl", '{"id": "1-a", "topic": "1", "n": "2", "text": "new"}\n')
    qrels = write("qrels.txt", "1 0 d1 2\n2 0 d2 1\n")
    imported = read_source([topics, qrels], Wishes())
    assert imported.queries[0].relevant == {"d1": 2}
    assert "the labels know a question by its topic" in imported.guesses
    assert read_source([topics, qrels], Wishes({"qrels": "n"})).queries[0].relevant == {"d2": 1}


def test_questions_that_look_like_labels_are_told_by_their_tab(write) -> None:
    topics = write("topics.tsv", "7\tbattle of 1945\n8\tend of 1918\n")
    qrels = write("qrels.txt", "# by hand\n7 0 d1 2\n8\t0\td2\t1\n")
    for sources in ([topics, qrels], [qrels, topics]):
        assert [query.text for query in read_source(sources, Wishes()).queries] == [
            "battle of 1945",
            "end of 1918",
        ]


def test_what_is_not_two_fitting_files_is_refused(write) -> None:
    topics = write("topics.tsv", "7\tnew\n")
    qrels = write("qrels.txt", "7 0 d1 2\n")
    with pytest.raises(
        GoldenError, match=r"missing role 'relevant': neither topics\.tsv nor topics\.tsv holds lines of"
    ):
        read_source([topics, topics], Wishes())
    with pytest.raises(GoldenError, match=r"qrels\.txt:1: missing role 'text': these are labels"):
        read_source([qrels], Wishes())
    with pytest.raises(GoldenError, match="a third source"):
        read_source([topics, qrels, topics], Wishes())
    with pytest.raises(GoldenError, match="there is no such file or folder"):
        read_source([topics, topics.with_name("gone")], Wishes())
    with pytest.raises(GoldenError, match=r"the suffix '\.docx' tells no shape"):
        read_source([write("a.docx", "PK")], Wishes())


@pytest.mark.parametrize(
    ("topics", "qrels", "words"),
    [
        ("7\tnew\n", "7 0 d1 2\n7 0 d1 2\n", r"qrels\.txt:2: document 'd1' is labelled twice"),
        ("7\tnew\n7\told\n", "7 0 d1 2\n", "the query id '7' is used twice"),
        ("8\tnew\n", "7 0 d1 2\n", "none of its 1 questions, such as '8', has a relevant label"),
        ("<top><num> 7 <title> x", "7 0 d1 2\n", "never closed"),
        ("7\n", "7 0 d1 2\n", "expected an id, a tab and the question"),
        (
            '<!DOCTYPE x [<!ENTITY a "&b;&b;">]><topic number="7"><query>&a;</query>',
            "7 0 d1 2\n",
            "never closed",
        ),
    ],
)
def test_a_hostile_pair_of_files_is_refused(write, topics: str, qrels: str, words: str) -> None:
    with pytest.raises(GoldenError, match=words):
        read_source([write("topics", topics), write("qrels.txt", qrels)], Wishes())
