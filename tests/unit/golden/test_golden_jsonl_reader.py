import pytest

from pytest_retrieval.golden.errors import GoldenError
from pytest_retrieval.golden.jsonl_reader import parse_jsonl
from pytest_retrieval.golden.nodes import ListNode, MappingNode, Node, Scalar


def value(text: str) -> Node:
    (row,) = parse_jsonl("g", f'{{"v": {text}}}')
    return row.entries["v"].value


@pytest.mark.parametrize("text", ["0", "-0", "1.0", "1e5", "3.10", "1E+2", "123456789012345678901234567890"])
def test_numbers_keep_their_text(text: str) -> None:
    assert value(text) == Scalar(text, True, 1)


def test_strings_are_quoted_and_literals_are_plain() -> None:
    assert value('["1.0", "null", null, true, false]') == ListNode(
        1,
        [
            Scalar("1.0", False, 1),
            Scalar("null", False, 1),
            Scalar("null", True, 1),
            Scalar("true", True, 1),
            Scalar("false", True, 1),
        ],
    )


def test_lines_end_at_newlines_alone_and_blank_ones_are_passed_over() -> None:
    text = '{"a": "x\u2028y\x85z\u2029"}\r\n\r\n  \t\r\n{"b": {"c": 1}}'
    first, second = parse_jsonl("g", text)
    assert first.entries["a"].value == Scalar("x\u2028y\x85z\u2029", False, 1)
    assert (second.line, list(second.entries)) == (4, ["b"])
    inner = second.entries["b"].value
    assert isinstance(inner, MappingNode)
    assert inner.entries["c"].value == Scalar("1", True, 4)


@pytest.mark.parametrize("text", ["", "\n\r\n"])
def test_an_empty_text_has_no_rows(text: str) -> None:
    assert list(parse_jsonl("g", text)) == []


def test_an_escaped_pair_of_surrogates_is_one_character() -> None:
    assert value('"\\ud83d\\ude00"') == Scalar("\U0001f600", False, 1)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ('[{"a": 1},', "JSON array"),
        ("[1, 2]", "one JSON object per line"),
        ('"text"', "one JSON object per line"),
        ("12", "one JSON object per line"),
        ("null", "one JSON object per line"),
        ('{"a": 1', "broken JSON"),
        ('{"a": 1} {"b": 2}', "one whole JSON object per line"),
        ('{"a": }', "column 7"),
        ("{'a': 1}", "broken JSON"),
        ('{"a": 007}', "broken JSON"),
        ('{"a": "x\ty"}', "broken JSON"),
        ('{"a": NaN}', "NaN"),
        ('{"a": [Infinity]}', "Infinity"),
        ('{"a": -Infinity}', "-Infinity"),
        ('{"a": 1, "a": 1}', "'a' appears twice"),
        ('{"x": {"b": 1, "c": 2, "b": 3}}', "'b' appears twice"),
        ('{"a": "\\ud800"}', "\\ud800"),
        ('{"a\\udfff": 1}', "\\udfff"),
        ('{"a": ' + "[" * 200 + "]" * 200 + "}", "100 levels"),
        ('{"a": ' + "[" * 100_000, "nested too deep"),
    ],
)
def test_anything_else_is_an_error_at_its_line(line: str, words: str) -> None:
    with pytest.raises(GoldenError) as caught:
        list(parse_jsonl("golden.jsonl", f'{{"ok": 1}}\n\n{line}\n'))
    assert str(caught.value).startswith("golden.jsonl:3: ")
    assert words in caught.value.message
