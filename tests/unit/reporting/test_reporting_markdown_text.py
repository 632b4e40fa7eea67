from __future__ import annotations

import html

import pytest

from pytest_retrieval.reporting.markdown_text import code, head, row, sentence

HOSTILE = [
    "<script>alert(1)</script>",
    "</code></details><img src=x onerror=alert(1)>",
    "**bold** _it_ ~~gone~~ `code` ```",
    "[link](https://example.org) ![picture](https://example.org/x.png)",
    "a | b |\n| --- |",
    "@somebody look at #1 and owner/repo#2",
    "www.example.org and https://example.org",
    ":tada: $x^2$ &amp; \\ &#64;",
    "::error file=x,line=1::injected",
    "##[error]injected",
    "<!-- -->",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_foreign_text_is_letters_and_entities_within_code(text: str) -> None:
    written = code(text)
    assert written.startswith("<code>")
    inner = written.removeprefix("<code>").removesuffix("</code>")
    without = inner
    while "&#" in without:
        before, _, rest = without.partition("&#")
        number, _, after = rest.partition(";")
        assert number.isdigit()
        without = f"{before}{after}"
    assert not set(without) & set("<>&`*_[]()#|~!@:$^\\\n")
    assert "www." not in inner
    assert "\n" not in inner


def test_the_reader_sees_the_text_as_it_was() -> None:
    inner = code("what is <b> & `x` @ 5 | 6?").removeprefix("<code>").removesuffix("</code>")
    assert html.unescape(inner) == "what is <b> & `x` @ 5 | 6?"


def test_control_characters_show_as_escapes() -> None:
    assert html.unescape(code("a\x1b[31m\u202eb\rc")) == "<code>a\\x1b[31m\\u202eb\\rc</code>"


def test_long_text_is_cut() -> None:
    assert code("x" * 1_000, 20) == f"<code>{'x' * 17}...</code>"


def test_a_sentence_of_ours_stays_readable() -> None:
    text = "p is 0.0312 alone but 0.0683 among all gates; judge them, see pytest-retrieval pool (recall@5)"
    assert html.unescape(sentence(text)).replace("<code>", "").replace("</code>", "") == text
    assert sentence("recall@5 fell by 0.2, as ndcg@10 did") == "recall@5 fell by 0.2, as ndcg@10 did"


def test_words_that_could_do_something_become_code() -> None:
    text = sentence("2 of 9 queries failed: @somebody, #12, [x](y), www.example.org")
    assert "<code>&#64;somebody,</code>" in text
    assert "<code>&#35;12,</code>" in text
    assert "[x]" not in text
    assert "www.e" not in text


def test_tables_have_a_line_of_dashes_with_numbers_to_the_right() -> None:
    assert head(("a", "b", "c"), 2) == "| a | b | c |\n| :-- | --: | --: |"
    assert row(("1", "2")) == "| 1 | 2 |"
