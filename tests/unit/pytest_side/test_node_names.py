from __future__ import annotations

import hashlib
import re

import pytest

from pytest_retrieval.pytest_side.node_names import node_name


def mark(text: str) -> str:
    """The tail that tells a changed name apart: eight hex digits of the text's SHA-256."""
    return "~" + hashlib.sha256(text.encode()).hexdigest()[:8]


@pytest.mark.parametrize(
    "text",
    [
        *("q01", "PRC-112", "a.b+c=d@e,f~g_h", "007", "1e5", "..", "~"),
        *("\u65e5\u672c\u8a9e", "\u043a\u043b\u044e\u0447", "\u00e9tude"),
        *("x" * 80, "q~deadbee", "q~DEADBEEF", "q~deadbeefs"),
    ],
)
def test_a_harmless_text_is_its_own_name(text: str) -> None:
    assert node_name(text) == text


@pytest.mark.parametrize(
    ("text", "readable"),
    [
        ("a[b]", "a_b"),
        ("x::y", "x_y"),
        ("docs/a.md", "docs_a.md"),
        ("C:\\x", "C_x"),
        ("two words", "two_words"),
        ("line\nbreak", "line_break"),
        ("bell\x07", "bell"),
        ("a [::] b", "a_b"),
        ("-k", "k"),
        ("--collect-only", "collect-only"),
        ("  ", ""),
        ("\u200b", ""),
        ("[]", ""),
        ("q~deadbeef", "q~deadbeef"),
        ("e\u0301tude", "\u00e9tude"),
        ("y" * 300, "y" * 80),
        ("\U0001f642", ""),
    ],
)
def test_anything_else_is_made_harmless_and_marked(text: str, readable: str) -> None:
    assert node_name(text) == readable + mark(text)


def test_texts_that_look_alike_when_made_harmless_keep_names_of_their_own() -> None:
    texts = ["a b", "a_b", "a  b", "a/b", "a::b", "a[b", "a\tb", "a\nb", "a b ", "y" * 81, "y" * 82]
    assert len({node_name(text) for text in texts}) == len(texts)


def test_a_text_that_is_written_like_a_name_does_not_take_that_name() -> None:
    taken = node_name("a b")
    assert node_name(taken) not in (taken, "a b")


def test_a_name_never_needs_quoting_and_is_never_an_option() -> None:
    for code in [*range(0x3000), 0xD800, 0xFEFF, 0xFFFE, 0x1F600]:
        for text in (chr(code), f"-{chr(code)}", f"a{chr(code)}b"):
            name = node_name(text)
            assert re.fullmatch(r"[\w.+=@,~][\w.+=@,~-]*", name), ascii(text)


def test_a_name_does_not_depend_on_its_neighbours() -> None:
    assert node_name("a b") == node_name("a b")


def test_half_a_character_has_a_name_too() -> None:
    assert re.fullmatch("~[0-9a-f]{8}", node_name("\ud800"))
