from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pytest_retrieval.pytest_side.option_values import REPORTS
from pytest_retrieval.pytest_side.options import OPTIONS, Settings
from pytest_retrieval.reporting.writers import SUFFIXES

PARSE = {option.name: option.parse for option in OPTIONS}


def settings(
    flags: dict[str, Any] | None = None, ini: dict[str, Any] | None = None, **asked: bool
) -> Settings:
    return Settings(
        Path("/typed"), flags or {}, ini or {}, asked.get("compare", False), asked.get("update", False)
    )


def test_every_flag_has_an_ini_key_of_its_name() -> None:
    assert {(option.flag, option.key) for option in OPTIONS} >= {
        ("--retrieval-margin", "retrieval_margin"),
        ("--retrieval-min-queries", "retrieval_min_queries"),
        ("--retrieval-document-id", "retrieval_document_id"),
    }
    assert len({option.key for option in OPTIONS}) == len(OPTIONS)


@pytest.mark.parametrize("value", ["a,b", " a , b ,", "a\nb", "\na\n  b\n", ["a", "b"], [" a ", "b", ""]])
def test_names_come_from_commas_lines_and_lists(value: object) -> None:
    assert PARSE["kind"](value) == ("a", "b")


def test_names_in_a_list_keep_their_commas() -> None:
    assert PARSE["tag"](["red, green", "blue"]) == ("red, green", "blue")


@pytest.mark.parametrize("value", ["", " ", ",", "\n", [], [""], [1], 5, True, None, {"a": 1}])
def test_what_is_no_list_of_names_is_refused(value: object) -> None:
    with pytest.raises(ValueError, match="expected"):
        PARSE["split"](value)


@pytest.mark.parametrize(
    ("value", "number"), [("0.1", 0.1), (0.1, 0.1), (0, 0), ("1", 1), (" .5 ", 0.5), ("1e-3", 0.001)]
)
def test_a_margin_is_a_share(value: object, number: float) -> None:
    assert PARSE["margin"](value) == number


@pytest.mark.parametrize("value", [-0.001, 1.001, "nan", "inf", "-inf", "0,1", "", "two", True, None, [0.1]])
def test_what_is_no_share_is_refused(value: object) -> None:
    with pytest.raises(ValueError, match="expected a number from 0 to 1"):
        PARSE["margin"](value)


@pytest.mark.parametrize("value", [0.5, 1, 1.0, 0, "95", "nan", False, "high"])
def test_a_confidence_lies_between_a_half_and_one(value: object) -> None:
    assert PARSE["confidence"]("0.95") == 0.95
    with pytest.raises(ValueError, match=r"expected a number between 0\.5 and 1"):
        PARSE["confidence"](value)


@pytest.mark.parametrize("name", ["depth", "min-queries"])
@pytest.mark.parametrize("value", [0, -1, 1.5, "1.5", "", "ten", True, None, [3]])
def test_a_count_is_a_whole_number_of_at_least_one(name: str, value: object) -> None:
    assert (PARSE[name]("3"), PARSE[name](3)) == (3, 3)
    with pytest.raises(ValueError, match="expected a whole number of at least 1"):
        PARSE[name](value)


@pytest.mark.parametrize("name", ["metrics", "gate"])
def test_metrics_become_canonical_and_unknown_ones_are_refused(name: str) -> None:
    assert PARSE[name]("R@5, nDCG@10,recall@5") == ("recall@5", "ndcg@10")
    with pytest.raises(ValueError, match="unknown metric 'recal@5'"):
        PARSE[name](["recal@5"])


def test_a_document_pattern_needs_a_group() -> None:
    assert PARSE["document-id"]("^(.*)#") == "^(.*)#"
    with pytest.raises(ValueError, match="with a group"):
        PARSE["document-id"]("^.*#")
    with pytest.raises(ValueError, match="expected a regular expression"):
        PARSE["document-id"]("(")


def test_reports_are_known_by_their_suffix() -> None:
    assert PARSE["report"](["a.json", "b.JSON", "c.html"]) == ("a.json", "b.JSON", "c.html")
    with pytest.raises(
        ValueError, match=r"cannot write 'b.xml': expected a file name that ends in \.json or"
    ):
        PARSE["report"]("a.json,b.xml")


def test_the_time_to_run_is_one_of_two_words() -> None:
    assert [PARSE["run"](word) for word in ("always", "on_request")] == ["always", "on_request"]
    for word in ("never", "", True, None):
        with pytest.raises(ValueError, match="expected 'always' or 'on_request'"):
            PARSE["run"](word)


def test_flag_over_header_over_ini_over_default() -> None:
    assert settings({"margin": 1}, {"margin": 3}).choose("margin", 2, 4) == 1
    assert settings({}, {"margin": 3}).choose("margin", 2, 4) == 2
    assert settings({}, {"margin": 3}).choose("margin", None, 4) == 3
    assert settings().choose("margin", None, 4) == 4


def test_zero_and_empty_are_said() -> None:
    assert settings({"margin": 0}, {"margin": 3}).choose("margin", 2, 4) == 0
    assert settings({}, {"margin": 3}).choose("margin", 0, 4) == 0


def test_the_population_holds_the_filters_that_were_given_without_doubles() -> None:
    assert settings().population == {}
    both = settings({"kind": ("a", "b", "a")}, {"kind": ("c",), "tag": ("x",)})
    assert both.population == {"kind": ("a", "b"), "tag": ("x",)}


def test_comparing_and_updating_ask_by_flag() -> None:
    assert not settings().asked_by_flag
    assert settings(compare=True).asked_by_flag
    assert settings(update=True).asked_by_flag


def test_a_report_can_be_written_in_every_format_that_has_a_writer() -> None:
    assert REPORTS == SUFFIXES
