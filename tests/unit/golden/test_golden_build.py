import pytest

from pytest_retrieval.golden.build import build_queries
from pytest_retrieval.golden.errors import GoldenError
from pytest_retrieval.golden.jsonl_reader import parse_jsonl
from pytest_retrieval.golden.model import Query
from pytest_retrieval.golden.nodes import ListNode
from pytest_retrieval.golden.yaml_reader import parse_yaml

COMPOSED, DECOMPOSED = "r\u00e9sum\u00e9.md", "re\u0301sume\u0301.md"


def queries(text: str) -> tuple[Query, ...]:
    root = parse_yaml("golden.yaml", text)
    assert isinstance(root, ListNode)
    return build_queries("golden.yaml", root.items)


def one(fields: str) -> Query:
    """The query with an id, a text and these fields in flow style."""
    (query,) = queries(f"- {{id: q1, text: t, {fields}}}\n")
    return query


def failure(text: str) -> GoldenError:
    with pytest.raises(GoldenError) as caught:
        queries(text)
    return caught.value


def test_a_full_query_is_read() -> None:
    assert queries(
        """\
- id: q01
  kind: identifier
  text: PRC-112
  relevant: {D04: 2, D03: 1, D09: 0}
  tags: [smoke, 007]
  split: dev
  params: {user: clerk-1000, limit: 5}
  must: {hit_rate@3: 1}
  process: order-to-cash
- {qid: 2, question: q, citations: D01}
"""
    ) == (
        Query(
            id="q01",
            text="PRC-112",
            relevant={"D04": 2, "D03": 1, "D09": 0},
            kind="identifier",
            tags=("smoke", "007"),
            split="dev",
            params={"user": "clerk-1000", "limit": 5},
            must={"hit_rate@3": 1.0},
            metadata={"process": "order-to-cash"},
            line=1,
        ),
        Query(id="2", text="q", relevant={"D01": 1}, line=10),
    )


@pytest.mark.parametrize(
    "written", ["007", "1e5", "no", "1:10", "2024-01-02", "3.10", "0x1F", "-0", "+1", "true"]
)
def test_ids_kinds_tags_and_splits_are_text_as_written(written: str) -> None:
    (query,) = queries(
        f"- id: {written}\n  text: {written}\n  kind: {written}\n  tags: [{written}]\n"
        f"  split: {written}\n  relevant: {{{written}: 2}}\n"
    )
    assert query.id == query.text == query.kind == query.split == written
    assert query.tags == (written,)
    assert query.relevant == {written: 2}


def test_numbers_in_json_are_ids_by_their_text() -> None:
    rows = parse_jsonl("g", '{"id": 7, "text": 4500017311, "relevant": [1, 2.0, "1.0"]}')
    (query,) = build_queries("g", rows)
    assert (query.id, query.text) == ("7", "4500017311")
    assert query.relevant == {"1": 1, "2.0": 1, "1.0": 1}


@pytest.mark.parametrize(
    ("written", "labels"),
    [
        ("[a, b]", {"a": 1, "b": 1}),
        ("{b: 2, a: 1, c: 0, d: -2}", {"b": 2, "a": 1, "c": 0, "d": -2}),
        ("a", {"a": 1}),
        ("{a: '2', b: 2.0, c: +3, d: '2.0'}", {"a": 2, "b": 2, "c": 3, "d": 2}),
        ("[{id: a, grade: 2}, {id: b}, c]", {"a": 2, "b": 1, "c": 1}),
        ("{a: 100, b: -100}", {"a": 100, "b": -100}),
        ("{'null': 1}", {"null": 1}),
    ],
)
def test_labels_may_be_a_list_a_mapping_or_one_id(written: str, labels: dict[str, int]) -> None:
    relevant = one(f"relevant: {written}").relevant
    assert relevant == labels
    assert list(relevant) == list(labels)


def test_ids_are_stored_composed_and_texts_as_written() -> None:
    (query,) = queries(f"- id: {DECOMPOSED}\n  text: {DECOMPOSED}\n  relevant: [{DECOMPOSED}]\n")
    assert query.id == COMPOSED
    assert query.text == DECOMPOSED
    assert list(query.relevant) == [COMPOSED]


def test_compatibility_forms_and_case_stay_different() -> None:
    assert len(one("relevant: [x², x2, README, Readme]").relevant) == 4


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("5", 5),
        ("-3", -3),
        ("0.5", 0.5),
        ("-0.25", -0.25),
        ("2.5e3", 2500.0),
        ("true", True),
        ("false", False),
        ("True", True),
        ("False", False),
        ("null", None),
        ("~", None),
        ("007", "007"),
        ("no", "no"),
        ("on", "on"),
        ("1e5x", "1e5x"),
        (".5", ".5"),
        ("+1", "+1"),
        ("0x1F", "0x1F"),
        ("1_000", "1_000"),
        ("2024-01-02", "2024-01-02"),
        (".inf", ".inf"),
        ("NaN", "NaN"),
        ("'5'", "5"),
        ('"true"', "true"),
        ("[1, [two], {three: 3}]", [1, ["two"], {"three": 3}]),
    ],
)
def test_params_and_metadata_are_values_in_the_spelling_of_json(written: str, value: object) -> None:
    query = one(f"relevant: [d], params: {{p: {written}}}, process: {written}")
    for read in (query.params["p"], query.metadata["process"]):
        assert read == value
        assert type(read) is type(value)


@pytest.mark.parametrize("written", ["", "null", "~"])
def test_tags_split_and_params_without_a_value_are_not_said(written: str) -> None:
    query = one(f"relevant: [d], tags: {written}, split: {written}, params: {written}")
    assert (query.tags, query.split, query.params) == ((), None, {})


def test_tags_may_be_one_text() -> None:
    assert one("relevant: [d], tags: smoke").tags == ("smoke",)
    assert one("relevant: [d], tags: 'smoke, fast'").tags == ("smoke", "fast")


@pytest.mark.parametrize(
    "labels", ["", "relevant: [], ", "relevant: {}, ", "relevant: ~, ", "relevant: {a: 0}, "]
)
def test_an_unanswerable_query_needs_no_labels(labels: str) -> None:
    query = one(f"{labels}answerable: false")
    assert not query.answerable
    assert all(grade <= 0 for grade in query.relevant.values())


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ("text: t, relevant: [d]", "without an id (id, qid, query_id, _id)"),
        ("id: q, relevant: [d]", "without a text (text, query, question)"),
        ("id: ~, text: t, relevant: [d]", "nothing (null)"),
        ("id: '', text: t, relevant: [d]", "empty text"),
        ("id: [q], text: t, relevant: [d]", "a list"),
        ("id: q, text: , relevant: [d]", "nothing (null)"),
        ("id: q, text: ' ', relevant: [d]", "empty text"),
        ("id: q, text: {a: b}, relevant: [d]", "a mapping"),
        ("id: q, text: t", "no relevant document"),
        ("id: q, text: t, relevant: []", "answerable: false"),
        ("id: q, text: t, relevant: {}", "no relevant document"),
        ("id: q, text: t, relevant: ", "no relevant document"),
        ("id: q, text: t, relevant: [], answerable: true", "no relevant document"),
        ("id: q, text: t, relevant: {a: 0, b: -1}", "only grades of 0 or less"),
        ("id: q, text: t, relevant: {a: 1}, answerable: false", "'a' has the grade 1"),
        ("id: q, text: t, relevant: [a], answerable: no", "true or false, found 'no'"),
        ("id: q, text: t, relevant: [a], answerable: 'true'", "true or false"),
        ("id: q, text: t, relevant: [a], answerable: ", "true or false"),
        ("id: q, text: t, relevant: [a, ~]", "nothing (null)"),
        ("id: q, text: t, relevant: [a, '']", "empty text"),
        ("id: q, text: t, relevant: {~: 1}", "nothing (null)"),
        ("id: q, text: t, relevant: [[a]]", "a list"),
        ("id: q, text: t, relevant: [a, b, a]", "'a' twice"),
        ("id: q, text: t, relevant: [{id: a, score: 2}]", "'score'"),
        ("id: q, text: t, relevant: [{grade: 2}]", "no id"),
        ("id: q, text: t, relevant: [{id: a, grade: high}]", "whole number from -100 to 100"),
        ("id: q, text: t, relevant: {a: 1.5}", "'1.5'"),
        ("id: q, text: t, relevant: {a: true}", "'true'"),
        ("id: q, text: t, relevant: {a: high}", "'high'"),
        ("id: q, text: t, relevant: {a: }", "nothing (null)"),
        ("id: q, text: t, relevant: {a: [1]}", "a list"),
        ("id: q, text: t, relevant: {a: 101}", "-100 to 100"),
        ("id: q, text: t, relevant: {a: -101}", "-100 to 100"),
        ("id: q, text: t, relevant: {a: 1e1}", "whole number"),
        ("id: q, text: t, relevant: {a: ١}", "whole number"),
        ("id: q, text: t, relevant: [a], kind: ", "nothing (null)"),
        ("id: q, text: t, relevant: [a], kind: ''", "empty text"),
        ("id: q, text: t, relevant: [a], kind: [b]", "a list"),
        ("id: q, text: t, relevant: [a], tags: []", "empty list"),
        ("id: q, text: t, relevant: [a], tags: [~]", "null"),
        ("id: q, text: t, relevant: [a], split: [x]", "a list"),
        ("id: q, text: t, relevant: [a], params: x", "params must be a mapping"),
        ("id: q, text: t, relevant: [a], params: {n: 1e999}", "too large"),
        ("id: q, text: t, relevant: [a], params: {n: " + "9" * 5000 + ".0e9}", "too large"),
        ("id: q, text: t, relevant: [a], must: ", "must must be a mapping"),
        ("id: q, text: t, relevant: [a], must: {mrr: 2}", "from 0 to 1"),
        ("id: q, text: t, relevant: [a], must: {mrr: true}", "from 0 to 1"),
        ("id: q, text: t, relevent: [a]", "did you mean 'relevant'"),
        ("id: q, text: t, query: u, relevant: [a]", "both give the text"),
    ],
)
def test_what_cannot_be_meant_is_an_error_at_its_line(fields: str, words: str) -> None:
    error = failure(f"- {{id: ok, text: t, relevant: [d]}}\n\n- {{{fields}}}\n")
    assert str(error).startswith("golden.yaml:3: ")
    assert words in error.message


def test_an_entry_that_is_no_mapping_is_an_error() -> None:
    assert "found 'what is new'" in failure("- what is new\n").message


def test_two_queries_with_one_id_are_an_error_that_names_both_lines() -> None:
    row = "- {{id: {}, text: t, relevant: [d]}}\n"
    error = failure(row.format("a") + row.format("b") + row.format("a"))
    assert error.line == 3
    assert "line 1" in error.message


def test_ids_that_differ_in_unicode_form_alone_are_the_same() -> None:
    row = "- {{id: {}, text: t, relevant: [d]}}\n"
    assert failure(row.format(COMPOSED) + row.format(DECOMPOSED)).line == 2
    labels = failure(f"- id: q\n  text: t\n  relevant:\n  - {COMPOSED}\n  - {DECOMPOSED}\n")
    assert labels.line == 5
    assert "another Unicode form" in labels.message


def unlabelled(text: str) -> tuple[Query, ...]:
    root = parse_yaml("golden.yaml", text)
    assert isinstance(root, ListNode)
    return build_queries("golden.yaml", root.items, needs_labels=False)


def test_a_set_for_an_exact_index_may_have_no_labels() -> None:
    first, second = unlabelled("- {id: a, text: x}\n- {id: b, text: y, kind: z}\n")
    assert (first.relevant, first.answerable, second.kind) == ({}, True, "z")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("- {id: a, text: x, relevant: [d]}\n- {id: b, text: y}\n", 2),
        ("- {id: a, text: x}\n- {id: b, text: y, relevant: [d]}\n", 1),
        ("- {id: a, text: x, relevant: []}\n", 1),
    ],
)
def test_labels_for_some_queries_alone_are_an_error(text: str, line: int) -> None:
    with pytest.raises(GoldenError, match="a query with no relevant document") as caught:
        unlabelled(text)
    assert caught.value.line == line
