from __future__ import annotations

import pytest

from pytest_retrieval.golden.errors import InputError
from pytest_retrieval.golden.qrels import read_qrels


def test_beirs_table_of_three_columns_is_told_by_its_head(write) -> None:
    path = write("test.tsv", "query-id\tcorpus-id\tscore\nq 1\tdoc 7\t2\r\nq 1\tdé\t1.0\nq2\td\t0\n")
    assert read_qrels(path) == {"q 1": {"doc 7": 2, "d\xe9": 1}, "q2": {"d": 0}}


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ("q\td", "found 2 columns, expected 3 between tabs"),
        ("q\t\t1", "found 3 columns, expected 3 between tabs"),
        ("q\td\t0.5", "found the grade '0.5', expected a whole number"),
        ("q1\td1\t2", "document 'd1' is labelled twice for query 'q1'"),
    ],
)
def test_a_broken_row_of_beirs_is_an_error_with_its_line(write, row: str, words: str) -> None:
    path = write("test.tsv", f"query-id\tcorpus-id\tscore\nq1\td1\t1\n\n{row}\n")
    with pytest.raises(InputError) as caught:
        read_qrels(path)
    assert str(caught.value).startswith(f"{path}:4: {words}")


def test_bytes_that_are_no_text_are_an_error_with_their_line(write) -> None:
    path = write("test.tsv", b"query-id\tcorpus-id\tscore\nq1\td\xff\t1\n")
    with pytest.raises(InputError, match=r"test\.tsv:2: is not UTF-8"):
        read_qrels(path)
