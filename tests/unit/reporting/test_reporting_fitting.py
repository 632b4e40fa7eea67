from __future__ import annotations

import pytest

from pytest_retrieval.reporting.fitting import Block, fitted

ROWS = tuple(f"row {number:04}" for number in range(1_000))


def test_all_is_there_where_there_is_room() -> None:
    text = fitted([Block("head"), Block("before", ("a", "b"), "after")], 10_000)
    assert text == "head\n\nbefore\na\nb\nafter\n"


@pytest.mark.parametrize("limit", [0, 1, 100, 400, 1_000, 3_333, 9_000, 20_000])
def test_the_limit_is_kept_whatever_it_is(limit: int) -> None:
    blocks = [Block("head"), Block("before", ROWS, "after", "queries"), Block("more", ROWS, "", "remarks")]
    assert len(fitted(blocks, limit)) <= limit


@pytest.mark.parametrize("limit", [1_000, 2_000, 5_000])
def test_it_may_count_bytes(limit: int) -> None:
    blocks = [Block("head"), Block("before", tuple("语文" * 10 for _ in range(500)))]
    text = fitted(blocks, limit, lambda part: len(part.encode("utf-8")))
    assert limit / 2 < len(text.encode("utf-8")) <= limit


def test_what_is_left_out_is_counted() -> None:
    text = fitted(
        [Block("head"), Block("before", ROWS, "after", "queries"), Block("x" * 900, what="a remark")], 1_500
    )
    shown = [line for line in text.splitlines() if line.startswith("row ")]
    assert shown == list(ROWS[: len(shown)])
    assert f"{1_000 - len(shown)} more queries are left out: there is no room.\nafter" in text
    assert text.endswith("Left out, as there is no room: a remark.\n")


def test_a_later_block_that_fits_is_kept() -> None:
    text = fitted([Block("head"), Block("x" * 5_000, what="a long one"), Block("short")], 1_000)
    assert text == "head\n\nshort\n\nLeft out, as there is no room: a long one.\n"


def test_no_room_at_all_gives_nothing() -> None:
    assert fitted([Block("head" * 100)], 10) == ""
    assert fitted([Block("head")], -5) == ""
