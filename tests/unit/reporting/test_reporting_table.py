from __future__ import annotations

from pytest_retrieval.reporting.printable import cell_width
from pytest_retrieval.reporting.table import Row, table, wrapped_table


def row(*cells: str) -> Row:
    return Row(tuple((cell, "") for cell in cells))


def test_numbers_stand_under_each_other_beside_wide_and_combining_names() -> None:
    lines = table(["", "n"], [row("ab", "4"), row("凍結", "12"), row("e\u0301", "7")], 80)
    assert [line.text for line in lines] == ["         n", "  ab     4", "  凍結  12", "  e\u0301      7"]


def test_a_name_that_is_too_wide_stands_above_its_numbers() -> None:
    lines = table(["", "n"], [row("short", "4"), row("a name of many words", "12")], 24)
    assert [line.text for line in lines] == [
        "          n",
        "  short   4",
        "  a name of many words",
        "         12",
    ]


def test_a_name_wider_than_the_table_loses_its_middle() -> None:
    lines = table(["", "n"], [row("x" * 30 + "-end", "12")], 20)
    assert lines[1].text == "  " + "x" * 8 + "...xxx-end"[-10:]
    assert cell_width(lines[1].text) <= 20


def test_columns_that_do_not_fit_go_on_in_a_second_block() -> None:
    titles = ["", "n", "recall@5", "ndcg@10"]
    rows = [row("all", "20", "0.800", "0.700")]
    assert [line.text for line in wrapped_table(titles, rows, 22, repeated=2)] == [
        "        n  recall@5",
        "  all  20     0.800",
        "        n  ndcg@10",
        "  all  20    0.700",
    ]


def test_no_line_ends_in_spaces() -> None:
    lines = table(["", "n", "verdict"], [row("a", "1", ""), row("b", "2", "pass")], 40, left=1)
    assert all(line.text == line.text.rstrip() for line in lines)
