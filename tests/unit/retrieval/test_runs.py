from __future__ import annotations

from pathlib import Path

import pytest

from pytest_retrieval.golden.errors import InputError
from pytest_retrieval.golden.qrels import read_qrels
from pytest_retrieval.retrieval.runs import read_run


def written(tmp_path: Path, content: str | bytes, name: str = "a.run") -> Path:
    path = tmp_path / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def run_of(tmp_path: Path, content: str | bytes, name: str = "a.run") -> dict[str, tuple[str, ...]]:
    return read_run(written(tmp_path, content, name))


def error_of(tmp_path: Path, content: str | bytes, name: str = "a.run") -> str:
    path = written(tmp_path, content, name)
    with pytest.raises(InputError) as caught:
        read_run(path)
    return str(caught.value).removeprefix(str(path))


def test_a_trec_run_is_ordered_by_score_and_not_by_its_rank_column(tmp_path: Path) -> None:
    assert run_of(tmp_path, "q Q0 a 1 0.1 t\nq Q0 b 2 0.9 t\nq Q0 c 3 1e-3 t\n") == {"q": ("b", "a", "c")}


def test_equal_scores_are_ordered_by_document_id_descending_as_bytes(tmp_path: Path) -> None:
    rows = "".join(f"q Q0 {document} 1 0.5 t\n" for document in ("d1", "d10", "D2", "d2", "é", "z"))
    assert run_of(tmp_path, rows) == {"q": ("é", "z", "d2", "d10", "d1", "D2")}


def test_scores_are_compared_in_double_precision(tmp_path: Path) -> None:
    # As single precision numbers the three are one; trec_eval's published order for them is b, a, c.
    rows = "2 Q0 a 1 0.30000001 t\n2 Q0 b 2 0.300000012 t\n2 Q0 c 3 0.3 t\n"
    assert run_of(tmp_path, rows) == {"2": ("b", "a", "c")}


def test_columns_are_separated_by_any_blanks_and_words_after_the_sixth_are_passed_over(
    tmp_path: Path,
) -> None:
    content = "\n  q\tQ0  a\t1 2.5 tag more junk\r\n\n# a comment\nq Q0 b 2 -3 tag\r\n"
    assert run_of(tmp_path, content) == {"q": ("a", "b")}


def test_queries_may_stand_in_any_order_and_mixed(tmp_path: Path) -> None:
    content = "2 Q0 a 1 1 t\n1 Q0 a 1 1 t\n2 Q0 b 1 2 t\n"
    assert run_of(tmp_path, content) == {"2": ("b", "a"), "1": ("a",)}


def test_ids_stay_as_written_and_only_ascii_blanks_separate_them(tmp_path: Path) -> None:
    content = "007 Q0 1e5 1 2 t\n007 Q0 a\u00a0b\u3000c 2 1 t\n"
    assert run_of(tmp_path, content) == {"007": ("1e5", "a\u00a0b\u3000c")}


def test_ids_are_compared_under_nfc(tmp_path: Path) -> None:
    assert run_of(tmp_path, "q Q0 u\u0308 1 1 t\n") == {"q": ("\u00fc",)}
    assert "line" not in error_of(tmp_path, "q Q0 u\u0308 1 1 t\nq Q0 \u00fc 2 0.5 t\n")
    assert run_of(tmp_path, '{"id": "q", "ranked": ["u\u0308"]}', "a.jsonl") == {"q": ("\u00fc",)}


def test_a_byte_order_mark_is_no_part_of_an_id(tmp_path: Path) -> None:
    assert run_of(tmp_path, b"\xef\xbb\xbfq Q0 a 1 1 t\n") == {"q": ("a",)}
    assert run_of(tmp_path, b'\xef\xbb\xbf{"id": "q", "ranked": ["a"]}') == {"q": ("a",)}


def test_infinite_scores_keep_their_order(tmp_path: Path) -> None:
    assert run_of(tmp_path, "q Q0 a 1 -inf t\nq Q0 b 2 inf t\nq Q0 c 3 0 t\n") == {"q": ("b", "c", "a")}


@pytest.mark.parametrize("score", ["nan", "NaN", "abc", "1_0", "0,5", "١"])
def test_a_score_that_is_no_number_is_an_error_with_its_line(tmp_path: Path, score: str) -> None:
    message = error_of(tmp_path, f"q Q0 a 1 1 t\nq Q0 b 2 {score} t\n")
    assert message == f":2: found the score {score!r} in column 5, expected a number"


def test_too_few_columns_are_an_error_that_names_them(tmp_path: Path) -> None:
    assert error_of(tmp_path, "q Q0 a 1 1 t\nq Q0 b 2 0.5\n") == (
        ":2: found 5 columns, expected 6: query, Q0, document, rank, score, tag"
    )


def test_a_document_twice_in_one_query_is_an_error(tmp_path: Path) -> None:
    message = error_of(tmp_path, "q Q0 a 1 1 t\np Q0 a 1 1 t\nq Q0 a 2 0.5 t\n")
    assert message == ":3: document 'a' is twice in the ranking of query 'q'"


def test_a_file_that_is_not_utf8_is_an_error_with_its_line(tmp_path: Path) -> None:
    assert error_of(tmp_path, b"q Q0 a 1 1 t\nq Q0 caf\xe9 2 0.5 t\n").startswith(
        ":2: is not UTF-8 (byte 0xe9)"
    )
    assert error_of(tmp_path, b'{"id": "q", "ranked": ["caf\xe9"]}', "a.jsonl").startswith(":1: is not UTF-8")


@pytest.mark.parametrize("content", ["", "\n\n", "# nothing\n"])
def test_a_file_without_rankings_is_an_error(tmp_path: Path, content: str) -> None:
    assert error_of(tmp_path, content).startswith(": holds no rankings")


def test_a_file_that_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"absent\.run: cannot be read: No such file"):
        read_run(tmp_path / "absent.run")
    with pytest.raises(InputError, match="cannot be read"):
        read_run(tmp_path)


@pytest.mark.parametrize("key", ["id", "qid", "query_id"])
def test_json_lines_keep_their_order_under_any_known_key(tmp_path: Path, key: str) -> None:
    content = (
        f'{{"{key}": "q1", "ranked": ["b", "a", "c"], "model": "x"}}\n\n{{"{key}": "q2", "ranked": []}}\n'
    )
    assert run_of(tmp_path, content, "a.jsonl") == {"q1": ("b", "a", "c"), "q2": ()}


def test_json_is_recognised_by_its_first_brace(tmp_path: Path) -> None:
    assert run_of(tmp_path, '\n {"id": "q", "ranked": ["a"]}\n', "a.txt") == {"q": ("a",)}


def test_whole_numbers_become_their_decimal_text(tmp_path: Path) -> None:
    assert run_of(tmp_path, '{"id": 7, "ranked": [12, "012"]}', "a.jsonl") == {"7": ("12", "012")}


def test_a_line_separator_inside_a_text_ends_no_line(tmp_path: Path) -> None:
    assert run_of(tmp_path, '{"id": "a\u2028b\x85", "ranked": []}', "a.jsonl") == {"a\u2028b\x85": ()}


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ('{"id": "q", "ranked": ["a"]', "is not JSON: "),
        ("[1, 2]", "found a list, expected an object with id and ranked"),
        ('{"id": "q"}', "found the keys 'id', expected id (or qid, query_id) and ranked"),
        ('{"ranked": []}', "found the keys 'ranked', expected id (or qid, query_id) and ranked"),
        ("{}", "found the keys nothing, expected id"),
        ('{"id": "q", "ranked": "a"}', "ranked is a str, expected a list of document ids"),
        ('{"id": "q", "ranked": {"a": 1}}', "ranked is a dict, expected a list of document ids"),
        ('{"id": "q", "ranked": [1.5]}', "a document id is 1.5, expected a text or a whole number"),
        ('{"id": "q", "ranked": [true]}', "a document id is true, expected a text or a whole number"),
        ('{"id": "q", "ranked": [null]}', "a document id is null, expected a text or a whole number"),
        ('{"id": "q", "ranked": [""]}', 'a document id is "", expected a text or a whole number'),
        ('{"qid": null, "ranked": []}', "the query's qid is null, expected a text or a whole number"),
        ('{"id": "q", "ranked": ["a", "b", "a"]}', "document 'a' is twice in the ranking of query 'q'"),
        ('{"id": "q", "ranked": [1, "1"]}', "document '1' is twice in the ranking of query 'q'"),
        ('{"id": "q", "id": "p", "ranked": []}', "the key 'id' is given twice"),
        ('{"id": "q", "ranked": ["\\ud800"]}', "a document id is '\\ud800', which holds half a character"),
        ('{"id": "first", "ranked": []}', "query 'first' was already given in line 1"),
        ("[" * 200_000, "is not JSON that can be read"),
        ('{"id": ' + "1" * 5000 + ', "ranked": []}', "is not JSON that can be read"),
    ],
)  # fmt: skip
def test_a_broken_json_line_is_an_error_with_its_line(tmp_path: Path, row: str, message: str) -> None:
    content = f'{{"id": "first", "ranked": ["a"]}}\n{row}\n'
    assert error_of(tmp_path, content, "a.jsonl").startswith(f":2: {message}")


def test_qrels_hold_grades_of_any_sign_and_ignore_the_second_column(tmp_path: Path) -> None:
    path = written(tmp_path, "1 0 a 2\n1\t0.5\tb\t-1\r\n\n2 Q0 a +1\n")
    assert read_qrels(path) == {"1": {"a": 2, "b": -1}, "2": {"a": 1}}


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("1 0 b", "found 3 columns, expected 4: query, 0, document, grade"),
        ("1 0 b 1 x", "found 5 columns, expected 4"),
        ("1 0 b 1.0", "found the grade '1.0', expected a whole number"),
        ("1 0 b x", "found the grade 'x', expected a whole number"),
        ("1 0 a 1", "document 'a' is labelled twice for query '1'"),
    ],
)
def test_broken_qrels_are_an_error_with_their_line(tmp_path: Path, row: str, message: str) -> None:
    path = written(tmp_path, f"1 0 a 1\n{row}\n")
    with pytest.raises(InputError) as caught:
        read_qrels(path)
    assert str(caught.value).startswith(f"{path}:2: {message}")


def test_qrels_without_labels_are_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no labels"):
        read_qrels(written(tmp_path, "\n"))
