from __future__ import annotations

import pytest

from pytest_retrieval.reporting.printable import (
    cell_width,
    clip,
    harmless,
    listed,
    pad,
    shorten,
    shorten_distinct,
    wrap,
)


@pytest.mark.parametrize(
    ("hostile", "shown"),
    [
        ("\x1b[31mred\x1b[0m", r"\x1b[31mred\x1b[0m"),
        ("two\nlines\r\tand more", r"two\nlines\r\tand more"),
        ("\x9b2J", r"\x9b2J"),
        ("\x07bell\x00", r"\x07bell\x00"),
        ("right\u202eleft", r"right\u202eleft"),
        ("a\u2028b\u2029c\x85d", r"a\u2028b\u2029c\x85d"),
        ("lone \ud800", r"lone \ud800"),
        ("tag \U000e0041", r"tag \U000e0041"),
    ],
)
def test_a_character_that_steers_a_terminal_is_shown_as_its_escape(hostile: str, shown: str) -> None:
    assert harmless(hostile) == shown


@pytest.mark.parametrize("text", ["plain", "é", "凍結された購入", "می\u200cخواهم", "wide\u3000space", "🙂"])
def test_ordinary_text_of_any_script_stays_as_it_is(text: str) -> None:
    assert harmless(text) == text


def test_wide_characters_take_two_cells_and_combining_ones_none() -> None:
    assert cell_width("abc") == 3
    assert cell_width("凍結") == 4
    assert cell_width("ｱ") == 1  # half width by definition
    assert cell_width("e\u0301") == 1
    assert cell_width("a\u200db") == 2


def test_padding_counts_cells() -> None:
    assert pad("凍", 4) == "凍  "
    assert pad("凍", 4, ">") == "  凍"
    assert pad("long", 2) == "long"


def test_clipping_and_shortening_never_exceed_the_cells() -> None:
    assert clip("abcdefghij", 6) == "abc..."
    assert clip("abc", 3) == "abc"
    assert clip("凍結凍結凍結", 8) == "凍結..."  # 5 cells are left, a wide one needs two
    assert shorten("abcdefghij", 9) == "abc...hij"
    assert shorten("凍結された購入", 8) == "凍...入"


def test_names_that_differ_in_the_middle_stay_different() -> None:
    names = ["beginning-A-the-same-long-ending", "beginning-B-the-same-long-ending"]
    short = shorten_distinct(names, 19)
    assert all(cell_width(form) <= 19 for form in short.values())
    assert len(set(short.values())) == 2


def test_names_that_no_cut_tells_apart_are_numbered() -> None:
    names = ["x" * 30 + middle + "x" * 30 for middle in "abc"]
    forms = list(shorten_distinct(names, 12).values())
    assert len(set(forms)) == 3
    assert all(cell_width(form) <= 12 for form in forms)
    assert [form[-2:] for form in forms] == ["~1", "~2", "~3"]


def test_a_short_name_that_looks_like_a_shortened_one_keeps_its_form() -> None:
    taken = "xxxxx...~1xx"
    names = ["x" * 30, taken, "x" * 31]
    short = shorten_distinct(names, 12)
    assert short[taken] == taken
    assert len(set(short.values())) == 3


def test_wrapping_breaks_at_spaces_and_keeps_long_words_whole() -> None:
    assert wrap("one two three four", 9) == ["one two", "  three", "  four"]
    assert wrap("see /a/very/long/path now", 8) == ["see", "  /a/very/long/path", "  now"]
    assert wrap("凍結 購入", 7, "* ") == ["* 凍結", "  購入"]
    assert wrap("", 10) == []


def test_a_list_says_how_many_are_left_out() -> None:
    assert listed(["a", "b"], 40) == "a, b"
    assert listed(["a", "b", "c", "d", "e", "f", "g"], 40) == "a, b, c, d, e and 2 more"
    assert listed(["aaaa", "bbbb", "cccc"], 15) == "aaaa and 2 more"
    assert listed(["an-id-wider-than-that"], 5) == "an-id-wider-than-that"
    assert listed([], 5) == "none"
