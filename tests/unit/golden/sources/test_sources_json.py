"""JSON of any shape: arrays, wrapped arrays, objects by id, JSON lines, mapped fields, parts of documents."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pytest_retrieval.golden.errors import GoldenError
from pytest_retrieval.golden.sources.detect import read_source
from pytest_retrieval.golden.sources.imported import Wishes


def labels(path: Path, wishes: Wishes | None = None) -> dict[str, dict[str, int]]:
    imported = read_source([path], wishes or Wishes())
    return {f"{query.id}: {query.text}": dict(query.relevant) for query in imported.queries}


ROWS = [
    {"question_id": 7, "question": "new?", "expected_ids": ["a", 8], "category": "news", "year": 2024},
    {
        "question_id": "x",
        "question": "old?",
        "expected_ids": [{"doc_id": "b", "relevance": 2}, {"doc_id": "c", "relevance": 0}],
    },
]


@pytest.mark.parametrize(
    ("data", "shape"),
    [
        (ROWS, "JSON array"),
        ({"version": 2, "items": ROWS, "names": ["x"]}, "JSON array under 'items'"),
        ({"data": {"rows": ROWS}}, "JSON array under 'rows'"),
    ],
)
def test_arrays_and_wrapped_arrays_are_read(write, data: object, shape: str) -> None:
    path = write("exam.json", json.dumps(data, indent=1))
    assert labels(path) == {"7: new?": {"a": 1, "8": 1}, "x: old?": {"b": 2, "c": 0}}
    imported = read_source([path], Wishes())
    assert imported.shape == shape
    assert imported.guesses == (
        "text: question",
        "relevant: expected_ids",
        "id: question_id",
        "kind: category",
    )
    assert (imported.queries[0].kind, imported.queries[0].metadata) == ("news", {"year": 2024})


def test_an_object_of_questions_by_id_is_read(write) -> None:
    data = {"q1": {"query": "new", "relevant": {"a": 2}}, "q2": {"query": "old", "relevant": "b"}}
    path = write("exam.json", json.dumps(data))
    assert labels(path) == {"q1: new": {"a": 2}, "q2: old": {"b": 1}}


def test_json_lines_without_ids_get_some(write) -> None:
    path = write(
        "exam.jsonl", '{"prompt": "new", "sources": ["a"]}\n\n{"prompt": "old", "sources": ["b", "b"]}\n'
    )
    assert labels(path) == {"q1: new": {"a": 1}, "q2: old": {"b": 1}}


def test_dotted_paths_find_what_no_name_tells(write) -> None:
    hits = [{"ref": "a", "stars": 3}, {"ref": "b", "stars": 0}]
    data = {"cases": [{"in": {"ask": "new"}, "key": {"n": "k1"}, "out": {"hits": hits}}]}
    roles = {"id": "key.n", "text": "in.ask", "relevant": "out.hits.ref", "grade": "out.hits.stars"}
    assert labels(write("exam.json", json.dumps(data)), Wishes(roles)) == {"k1: new": {"a": 3, "b": 0}}


def test_a_key_that_holds_dots_and_an_element_by_number_are_found(write) -> None:
    data = [{"meta.ask": "new", "docs": [["a"], ["b", "c"]]}]
    roles = {"text": "meta.ask", "relevant": "docs.1"}
    assert labels(write("exam.json", json.dumps(data)), Wishes(roles)) == {"q1: new": {"b": 1, "c": 1}}


def test_unanswerable_questions_stay(write) -> None:
    path = write(
        "exam.json",
        '[{"query": "a", "relevant": ["d"]}, {"query": "b", "relevant": [], "answerable": false}]',
    )
    assert [query.answerable for query in read_source([path], Wishes()).queries] == [True, False]


@pytest.mark.parametrize(
    ("entry", "rule", "ids"),
    [
        ({"file": "m.pdf", "page": 3}, "{file}#{page}", ["m.pdf#3"]),
        ({"file": "m.pdf", "page": [3, 4]}, "{file}#{page}", ["m.pdf#3", "m.pdf#4"]),
        (
            {"file": "m.pdf", "pages": "3-5, 8"},
            "{file}#{pages:pages}",
            ["m.pdf#3", "m.pdf#4", "m.pdf#5", "m.pdf#8"],
        ),
        (
            {"file": "m.pdf", "pages": [2, "4–5"]},
            "{file}/p{pages:pages}",
            ["m.pdf/p2", "m.pdf/p4", "m.pdf/p5"],
        ),
        ({"file": "m.pdf", "span": [499, 1000]}, "{file}#{span:chunks=500}", ["m.pdf#0", "m.pdf#1"]),
        (
            {"file": "m.pdf", "span": [499, 1001]},
            "{file}#{span:chunks=500}",
            ["m.pdf#0", "m.pdf#1", "m.pdf#2"],
        ),
        ({"file": "m.pdf", "span": "500-501"}, "{file}#{span:chunks=500}", ["m.pdf#1"]),
        ({"file": "m.pdf", "span": {"start": 0, "end": 5}}, "{file}#{span:chunks=500}", ["m.pdf#0"]),
        ({"file": "m.pdf"}, "{kind}/{file}", ["manual/m.pdf"]),
    ],
)
def test_pages_ranges_and_spans_become_ids_by_the_declared_rule(
    write, entry: object, rule: str, ids: list[str]
) -> None:
    path = write("exam.json", json.dumps([{"query": "new", "kind": "manual", "citations": [entry]}]))
    (query,) = read_source([path], Wishes(document=rule)).queries
    assert query.relevant == dict.fromkeys(ids, 1)


def test_a_rule_may_join_the_columns_of_a_table(write) -> None:
    path = write("t.csv", "query,file,page,rating\nnew,m.pdf,3,2\nnew,m.pdf,4,1\n")
    assert labels(path, Wishes(document="{file}#{page}")) == {"q1: new": {"m.pdf#3": 2, "m.pdf#4": 1}}


def test_a_rule_reads_the_document_column_of_a_table_as_any_other(write) -> None:
    path = write("t.csv", "query,doc_id,page\nnew,m.pdf,3\n")
    assert labels(path, Wishes(document="{doc_id}#{page}")) == {"q1: new": {"m.pdf#3": 1}}


def test_pages_without_a_rule_are_told(write) -> None:
    path = write("exam.json", '[{"query": "new", "citations": [{"file": "m.pdf", "page": 3}]}]')
    imported = read_source([path], Wishes())
    assert imported.queries[0].relevant == {"m.pdf": 1}
    assert imported.warnings == (
        "labels have page beside their documents, which is not part of the ids; "
        "to make it so: --document '{...}#{page}'",
    )


@pytest.mark.parametrize(
    ("rule", "entry", "words"),
    [
        ("{file}#{page}", '{"file": "m"}', "the rule '{file}#{page}' needs 'page', which is not here"),
        ("{p:pages}", '{"p": "1-999999999"}', "p goes from 1 to 999999999; expected 1 to 1,000"),
        ("{p:pages}", '{"p": "9-3"}', "p goes from 9 to 3"),
        ("{p:pages}", '{"p": "iv"}', "p must be pages such as '3-5, 8', found 'iv'"),
        ("{p:chunks=5}", '{"p": "7"}', "p must be a span such as '120-1340', found '7'"),
        ("{p:chunks=5}", '{"p": [9, 9]}', "p must be a span"),
        ("{p}", '{"p": {"a": 1}}', "p must be text, a number or a list, found a mapping"),
        ("{p}", '{"p": []}', "p stands for 0 documents"),
        ("{p:pages}{q:pages}", '{"p": "1-100", "q": "1-100"}', "q stands for 10000 documents"),
        ("page", "{}", "'page' is no rule; expected text with places"),
        ("{a}{", "{}", "is no rule"),
        ("{a:half}", "{}", "'half' is unknown; expected pages or chunks=500"),
    ],
)
def test_a_rule_that_does_not_fit_is_refused(write, rule: str, entry: str, words: str) -> None:
    path = write("exam.json", f'[{{"query": "new", "citations": [\n{entry}]}}]')
    with pytest.raises(GoldenError) as caught:
        read_source([path], Wishes(document=rule, roles={"relevant": "citations"}))
    assert words in caught.value.message


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("", 1, "broken JSON"),
        ("3", 1, "holds '3', expected an array or an object"),
        ("[1]", 1, "a question must be an object, found '1'"),
        ('{"a": [{}], "b": [{}]}', 1, "several arrays ('a', 'b')"),
        ('{"a": 1}', 1, "holds no array of objects"),
        ("[]", None, "holds no rows"),
        ('[\n{"question": "x"}]', 2, "missing role 'relevant': the fields are 'question'"),
        ('[{"relevant": ["d"]}]', 1, "missing role 'text'"),
        ('[{"query": {"q": "x"}, "relevant": ["d"]}]', 1, "missing role 'text'"),
        (
            '[{"query": "x", "relevant": []}]',
            None,
            "missing role 'relevant': no question here has a relevant document",
        ),
        (
            '[{"query": "x", "relevant": ["d"]},\n{"relevant": ["d"]}]',
            2,
            "missing role 'text': this row has nothing",
        ),
        (
            '[{"query": "x",\n"relevant": [{"colour": []}]}]',
            2,
            "a label without a document (its fields: 'colour')",
        ),
        (
            '[\n{"query": "x", "relevant": "d", "answerable": false}]',
            2,
            "is not answerable, but 'd' is labelled",
        ),
        ('[{"query": "x", "relevant": {"d": "much"}}]', 1, "the grade of 'd' must be a whole number"),
        ('[{"query": "x", "relevant": {"d": 101}}]', 1, "from -100 to 100"),
    ],
)
def test_hostile_json_is_refused_with_its_line(write, text: str, line: int | None, words: str) -> None:
    path = write("exam.json", text)
    with pytest.raises(GoldenError) as caught:
        read_source([path], Wishes())
    assert str(caught.value).startswith(f"{path}:{line}: " if line else f"{path}: ")
    assert words in caught.value.message


def test_a_path_that_leads_nowhere_is_refused(write) -> None:
    path = write("exam.json", '[{"query": "x", "relevant": ["d"]}]')
    with pytest.raises(
        GoldenError, match=r"missing role 'text': nothing stands at 'ask\.it', the fields are 'query'"
    ):
        read_source([path], Wishes({"text": "ask.it"}))


def test_as_many_grades_as_documents_or_one(write) -> None:
    path = write("exam.json", '[{"query": "x", "docs": ["a", "b", "c"], "stars": [1, 2]}]')
    with pytest.raises(GoldenError, match=r"exam\.json:1: 3 documents but 2 grades"):
        read_source([path], Wishes({"relevant": "docs", "grade": "stars"}))
