"""Tables: any separator, many rows per question, Quepid's exports."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_retrieval.golden.errors import GoldenError
from pytest_retrieval.golden.sources.detect import read_source
from pytest_retrieval.golden.sources.imported import Wishes

QUEPID = """\
Team Name,Case Name,Case ID,Query Text,Doc ID,Doc Position,Title,Rating
Search,Films,7,"star wars, the first",11,1,Star Wars,3
Search,Films,7,"star wars, the first",1891,2,"The ""Empire"" Strikes Back",1
Search,Films,7,"star wars, the first",330459,3,Rogue One,
Search,Films,7,ghosts,620,1,Ghostbusters,2
Search,Films,7,ghosts,11,2,Star Wars,0
Search,Films,7,lost,5,1,Nothing,0
"""


def labels(path: Path, wishes: Wishes | None = None) -> dict[str, dict[str, int]]:
    imported = read_source([path], wishes or Wishes())
    return {f"{query.id}: {query.text}": dict(query.relevant) for query in imported.queries}


def test_quepids_export_has_a_row_per_rating_and_leaves_unrated_documents_unjudged(write) -> None:
    path = write("ratings.csv", QUEPID)
    assert labels(path) == {
        "q1: star wars, the first": {"11": 3, "1891": 1},
        "q2: ghosts": {"620": 2, "11": 0},
    }
    imported = read_source([path], Wishes())
    assert imported.guesses == (
        "separator: ','",
        "text: Query Text",
        "relevant: Doc ID",
        "grade: Rating",
        "no ids found: made up as q1 to q3",
    )
    assert imported.warnings == (
        "1 documents without a grade were left unjudged, '330459' first",
        "1 questions with grades of 0 or less only were left out, 'q3' first",
    )
    assert imported.queries[0].metadata == {"Team Name": "Search", "Case Name": "Films", "Case ID": "7"}
    assert [query.line for query in imported.queries] == [2, 5]


@pytest.mark.parametrize("separator", [",", "\t", ";", "|", ":"])
def test_the_separator_is_found_out(write, separator: str) -> None:
    rows = [
        ["qid", "query", "docid", "rating"],
        ["a", "what is new", "d1", "2"],
        ["a", "what is new", "d2", "0"],
    ]
    path = write("t.csv", "".join(separator.join(row) + "\r\n" for row in rows))
    assert labels(path) == {"a: what is new": {"d1": 2, "d2": 0}}
    assert read_source([path], Wishes()).guesses[0] == f"separator: {separator!r}"


def test_an_unusual_separator_can_be_named(write) -> None:
    path = write("t.csv", "query~docid\nwhat, is: new~d\n")
    assert labels(path, Wishes(separator="~")) == {"q1: what, is: new": {"d": 1}}


def test_row_numbers_are_not_taken_for_ids_of_questions(write) -> None:
    path = write("t.csv", "id,query,docid\n1,new,a\n2,new,b\n3,old,a\n")
    assert labels(path) == {"q1: new": {"a": 1, "b": 1}, "q2: old": {"a": 1}}
    assert (
        "'id' numbers the rows: questions are gathered by their text" in read_source([path], Wishes()).guesses
    )


@pytest.mark.parametrize(
    ("cell", "wishes"),
    [
        ('"[""a"", ""b""]"', Wishes()),
        ("\"['a', 'b']\"", Wishes()),
        ("a;b", Wishes(list_separator=";")),
        ("a; b ;", Wishes(list_separator=";")),
    ],
)
def test_a_cell_may_hold_a_list(write, cell: str, wishes: Wishes) -> None:
    path = write("t.csv", f"query,relevant_docs\nnew,{cell}\n")
    assert labels(path, wishes) == {"q1: new": {"a": 1, "b": 1}}


def test_labels_that_contradict_each_other_are_told_and_the_higher_grade_counts(write) -> None:
    path = write("t.csv", "query,docid,rating\nnew,a,1\nnew,a,2\nnew,a,1\n")
    assert labels(path) == {"q1: new": {"a": 2}}
    assert read_source([path], Wishes()).warnings == (
        "2 labels contradict each other; the higher grade was taken, 'new: a' first",
    )


def test_columns_that_are_called_like_ours_or_nearly_so_are_renamed(write) -> None:
    path = write("t.csv", "query,docid,tag,must\nnew,a,x,y\n")
    imported = read_source([path], Wishes())
    assert imported.queries[0].metadata == {"source_tag": "x", "source_must": "y"}
    assert "the field 'tag' is kept as 'source_tag', as its name means something here" in imported.warnings


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("query,docid\nnew,a,b\n", 2, "found 3 columns, expected 2 as in the head"),
        ('query,docid\nnew,"a\n', 2, "is no table: unexpected end of data"),
        ("query,query\nnew,a\n", 1, "the column 'query' is there twice"),
        ("title,docid\nnew,a\n", 2, "missing role 'text': the fields are 'title', 'docid'"),
        ("query,length\nnew,3\n", 2, "missing role 'relevant'"),
        ("query,docid,rating\nnew,a,0.5\n", 2, "the grade of 'a' must be a whole number"),
        ("query,docid,rating\nnew,a,=1+1\n", 2, "found '=1+1'"),
        (
            "qid,query,docid\n1,new,a\n2,x,a\n1,old,b\n",
            4,
            "the question '1' is 'old' here and 'new' on line 2",
        ),
        ("query,docid\nnew,a\n,a\n", 3, "missing role 'text': this row has nothing at 'query'"),
        ("query,docid\n", None, "holds no rows"),
        ("\n\n", None, "holds no head"),
        ('query,docid\nnew,"[1, [2]]"\n', 2, "expected a list of ids"),
    ],
)
def test_a_hostile_table_is_refused_with_its_line(write, text: str, line: int | None, words: str) -> None:
    path = write("t.csv", text)
    with pytest.raises(GoldenError) as caught:
        read_source([path], Wishes(separator=","))
    assert str(caught.value).startswith(f"{path}:{line}: " if line else f"{path}: ")
    assert words in caught.value.message


@pytest.mark.parametrize("content", [b"query,docid\n\xff,a\n", b"query,docid\na,\x00\n", b"a\nb\nc\n"])
def test_bytes_that_are_no_table_are_refused(write, content: bytes) -> None:
    with pytest.raises(GoldenError):
        read_source([write("t.csv", content)], Wishes())
