from __future__ import annotations

import json

import pytest

from pytest_retrieval.golden.errors import GoldenError
from pytest_retrieval.golden.json_reader import parse_json
from pytest_retrieval.golden.nodes import ListNode, MappingNode, Node, Scalar


def plain(node: Node) -> object:
    """The tree as json.loads would have it, numbers as their text."""
    if isinstance(node, ListNode):
        return [plain(item) for item in node.items]
    if isinstance(node, MappingNode):
        return {name: plain(entry.value) for name, entry in node.entries.items()}
    return {"true": True, "false": False, "null": None}.get(node.text, node.text) if node.plain else node.text


@pytest.mark.parametrize(
    "text",
    [
        "{}",
        "[]",
        " [ ] ",
        '{"a": {"b": []}, "c": [{}, [1, [2]], "x"], "d": null}',
        '["\\u00e9\\n\\"\\\\\\/", "😀", "\\ud83d\\ude00", true, false]',
        "[-0.5e+3, 0, 10, 1E2]",
        '"alone"',
    ],
)
def test_json_is_read_as_the_standard_library_reads_it(text: str) -> None:
    assert plain(parse_json("a.json", text)) == json.loads(text, parse_int=str, parse_float=str)


def test_every_value_has_its_line_and_numbers_keep_their_text() -> None:
    root = parse_json("a.json", '[\n{"a":\r\n 1.0},\n\n"x\\n"]')
    assert isinstance(root, ListNode)
    first, second = root.items
    assert isinstance(first, MappingNode)
    assert (root.line, first.line, first.entries["a"].key.line) == (1, 2, 2)
    assert first.entries["a"].value == Scalar("1.0", True, 3)
    assert second == Scalar("x\n", False, 5)


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("", 1, "found the end of the file, expected a value"),
        ("[1,\n]", 2, "found ']', expected a value"),
        ("[1\n2]", 2, "found '2', expected a comma or ']'"),
        ('{"a"\n 1}', 2, "found '1', expected a colon"),
        ("{a: 1}", 1, "expected JSON"),
        ("{'a': 1}", 1, "expected JSON"),
        ("[NaN]", 1, "expected JSON"),
        ("[01]", 1, "expected JSON"),
        ("[1.]", 1, "expected JSON"),
        ('["a\nb"]', 1, "expected JSON"),
        ('["\\x"]', 1, "expected JSON"),
        ("[] []", 1, "found '[', expected the end of the file"),
        ('{"a": 1,\n "a": 2}', 2, "the key 'a' appears twice"),
        ('["\\ud800"]', 1, "lone surrogate"),
        ("[" * 200, 1, "nested more than"),
        ('{"a":' * 200, 1, "nested more than"),
        ("{1: 2}", 1, "expected a key in double quotes"),
        ("nullx", 1, "expected JSON"),
    ],
)
def test_broken_json_is_an_error_with_its_line(text: str, line: int, words: str) -> None:
    with pytest.raises(GoldenError) as caught:
        parse_json("a.json", text)
    assert str(caught.value).startswith(f"a.json:{line}: ")
    assert words in caught.value.message
