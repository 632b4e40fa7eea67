from __future__ import annotations

from dataclasses import replace
from pathlib import PurePath

import pytest
import yaml

from pytest_retrieval.golden.model import Judging, Query
from pytest_retrieval.golden.reader import parse_golden
from pytest_retrieval.golden.writing import golden_text
from pytest_retrieval.golden.yaml_text import quoted, scalar_text

QUERIES = [
    Query("q1", "PRC-112", {"D04": 2, "a: b": 0}, kind="identifier", tags=("x", "yes")),
    Query("1e5", 'say "no": \u2028 \U000e0001 😀\n#end', {"no": 1}, metadata={"year": 3, "v": "3.10"}),
    Query("n", "bread", {}, split="test", answerable=False, params={"user": "true"}, must={}),
    Query("long", "why " * 40, {f"document-{n}": n % 3 for n in range(30)}, must={"mrr": 0.5}),
    Query("told", "who", {"d": 2, "e": 1}, judgings={"d": Judging("3", "anna")}),
    Query("huge", "key", {"k" * 2000: 1}),
]  # fmt: skip


@pytest.mark.parametrize("name", ["golden.yaml", "golden.jsonl"])
def test_what_is_written_is_read_back_as_it_was(name: str) -> None:
    text = golden_text(PurePath(name), QUERIES, {"depth": 5, "metrics": ["mrr"], "describe": {"a": "no"}})
    golden = parse_golden(name, text)
    assert [replace(query, line=0) for query in golden.queries] == QUERIES
    assert (golden.header.depth, golden.header.describe) == (5, {"a": "no"})


def test_a_short_query_is_one_line_and_many_labels_one_line_each() -> None:
    text = golden_text(PurePath("a.yaml"), [QUERIES[0], QUERIES[3]], {})
    lines = text.splitlines()
    assert lines[:2] == [
        "queries:",
        '  - {id: q1, kind: identifier, text: PRC-112, relevant: {D04: 2, "a: b": 0}, tags: [x, "yes"]}',
    ]
    assert lines[4:7] == ["    relevant:", "      document-0: 0", "      document-1: 1"]


@pytest.mark.parametrize(
    "text",
    ["two words", "docs/a.md", "no", "Null", "1_0", "2024-01-02", "", " a", "a,b", "k: v", "-", "=", "<<"],
)  # fmt: skip
def test_a_scalar_is_the_same_text_to_other_readers_too(text: str) -> None:
    assert yaml.safe_load(f"[{scalar_text(text)}]") == [text]


def test_a_whole_number_is_quoted_as_a_value_and_plain_as_a_key() -> None:
    text = golden_text(PurePath("a.yaml"), [Query("7", "a", {"007": 1})], {})
    assert text == 'queries:\n  - {id: "7", text: a, relevant: {007: 1}}\n'


def test_only_what_must_be_is_quoted() -> None:
    assert scalar_text("how to reset a password?") == "how to reset a password?"
    assert quoted("a\x07\U000e0001é") == '"a\\u0007\\U000e0001é"'
