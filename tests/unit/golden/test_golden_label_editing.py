"""Judgements are added to golden sets as a careful hand would: nothing else moves."""

from __future__ import annotations

import difflib

import pytest

from pytest_retrieval.golden.errors import GoldenError
from pytest_retrieval.golden.judgement import Judgement
from pytest_retrieval.golden.label_editing import with_judgements, with_pooling
from pytest_retrieval.golden.model import Judging, Pooling
from pytest_retrieval.golden.reader import load_golden

ZERO = {"q1": {"new": Judgement(0)}}


def edited(write, name: str, text: str, judgements=ZERO) -> str:
    path = write(name, text)
    edit = with_judgements(load_golden(path), judgements)
    assert edit.path == path
    edit.path.write_bytes(edit.content)
    relevant = load_golden(path).by_id()["q1"].relevant
    assert {document: relevant[document] for document in judgements["q1"]} == {
        document: one.grade for document, one in judgements["q1"].items()
    }
    return edit.content.decode("utf-8")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("{a: 2}", "{a: 2, new: 0}"),
        ("{a:   2,  'b c': 1 }  # why", "{a:   2,  'b c': 1, new: 0 }  # why"),
        ("{a: 2, }", "{a: 2, new: 0, }"),
        ("{a: {grade: 2, owner: x}}", "{a: {grade: 2, owner: x}, new: 0}"),
        ("[a]", "{a: 1, new: 0}"),
        ("[ a, 'b' , ]", "{ a: 1, 'b': 1, new: 0 , }"),
        ("[{id: a, grade: 2}]", "[{id: a, grade: 2}, {id: new, grade: 0}]"),
        ("a  # one", "{a: 1, new: 0}  # one"),
        ('"a b"', "{a b: 1, new: 0}"),
    ],
)
@pytest.mark.parametrize(
    "around",
    [
        "# top\n- {id: q0,   text: x, relevant: [z]}\n"
        "- id: q1  # first\n  text: x 😀\n  relevant: LABELS\n  note:   y\n\n# end\n",
        'depth:  5\nqueries:\n  -   {text: "x 😀", relevant: LABELS\n      , id: q1}\n'
        "  - {id: q2, text: y, relevant: z}\n",
        "- id: q1\r\n  text: >\r\n    folded\r\n    \u2028 text\r\n  relevant: LABELS\r\n",
    ],
)
def test_a_label_is_put_behind_the_others_and_nothing_else_moves(
    write, around: str, before: str, after: str
) -> None:
    if "\n      ," in around and "#" in before:
        before, after = before.partition("  #")[0], after.partition("  #")[0]
    assert edited(write, "golden.yaml", around.replace("LABELS", before)) == around.replace("LABELS", after)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("    a: 2  # sure\n    b: 1\n", "    a: 2  # sure\n    b: 1\n    new: 0\n"),
        ("    a: 2\n    b: 1  # last\n\n", "    a: 2\n    b: 1  # last\n    new: 0\n\n"),
        ("    a:\n      grade: 2\n", "    a:\n      grade: 2\n    new: 0\n"),
        ("  - a\n  - b # c\n", "  - a\n  - b # c\n  - {id: new, grade: 0}\n"),
        ("      - a\n", "      - a\n      - {id: new, grade: 0}\n"),
        (
            "      - id: a\n        grade: 2\n",
            "      - id: a\n        grade: 2\n      - {id: new, grade: 0}\n",
        ),
    ],
)
@pytest.mark.parametrize("rest", ["  kind: x\n", "- {id: q2, text: y, relevant: z}\n", ""])
def test_a_label_in_a_block_gets_a_line_of_its_own(write, before: str, after: str, rest: str) -> None:
    head = "- id: q1\n  text: x\n  relevant:\n"
    assert edited(write, "golden.yaml", head + before + rest) == head + after + rest


def test_a_file_without_a_last_line_end_keeps_it_so(write) -> None:
    head = "- id: q1\n  text: x\n  relevant:\n    a: 1"
    assert edited(write, "golden.yaml", head) == f"{head}\n    new: 0"


@pytest.mark.parametrize(
    "written", ["relevant:", "relevant: ~", "relevant: null", "relevant: {}", "relevant: []"]
)
def test_a_question_without_an_answer_gets_its_first_label(write, written: str) -> None:
    text = f"- id: q1\n  {written}\n  answerable: false\n  text: |\n    x\n"
    assert edited(write, "golden.yaml", text) == text.replace(written, "relevant: {new: 0}")
    bare = text.replace(f"  {written}\n", "")
    assert edited(write, "golden.yaml", bare) == f"{bare}  relevant: {{new: 0}}\n"


def test_several_labels_of_several_questions_are_added_at_once(write) -> None:
    text = "- {id: q1, text: x, relevant: [a]}\n- {id: q2, text: y, relevant: {b: 2}}\n"
    judgements = {
        "q2": {"c d": Judgement(2, "3", "anna"), "e": Judgement(1)},
        "q1": {"f": Judgement(1), "007": Judgement(1)},
    }
    assert edited(write, "golden.yaml", text, judgements) == (
        '- {id: q1, text: x, relevant: [a, f, "007"]}\n'
        '- {id: q2, text: y, relevant: {b: 2, c d: {grade: 2, judged_version: "3", owner: anna}, e: 1}}\n'
    )


def test_who_judged_which_version_is_read_back(write) -> None:
    path = write("golden.yaml", "- {id: q1, text: x, relevant: [a]}\n")
    content = with_judgements(load_golden(path), {"q1": {"b": Judgement(0, owner="anna")}}).content
    path.write_bytes(content)
    assert load_golden(path).queries[0].judgings == {"b": Judging(None, "anna")}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('{"a": 2}', '{"a": 2, "new": 0}'),
        ("{}", '{"new": 0}'),
        ('["a", 8]', '["a", 8, {"id": "new", "grade": 0}]'),
        ("[ ]", '[{"id": "new", "grade": 0}]'),
        ('"a"', '{"a": 1, "new": 0}'),
        ("8", '{"8": 1, "new": 0}'),
        ("null", '{"new": 0}'),
    ],
)
def test_a_line_of_jsonl_keeps_its_other_fields_as_written(write, before: str, after: str) -> None:
    answer = ', "answerable": false' if before in ("{}", "[ ]", "null") else ""
    line = f'{{"id": "q1",  "n": 1.50, "text": "x \\u00e9", "relevant": LABELS{answer}}}\r\n'
    other = '{"id":"q2","text":"y","relevant":["z"]}\n'
    assert (
        edited(write, "golden.jsonl", line.replace("LABELS", before) + other)
        == line.replace("LABELS", after) + other
    )


def test_a_compact_line_stays_compact(write) -> None:
    text = '{"id":7,"text":"y","relevant":["z"]}\n{"id":"q1","text":"x","relevant":{"a":1}}\n'
    assert edited(write, "golden.jsonl", text) == text.replace('{"a":1}', '{"a":1,"new":0}')


def test_labels_of_trec_and_beir_grow_by_lines(write) -> None:
    write("topics.tsv", "q1\tx\n")
    qrels = write("qrels.txt", "q1 0 a 1")
    golden = load_golden(write("golden.yaml", "queries: topics.tsv\nqrels: qrels.txt\n"))
    assert with_judgements(golden, ZERO).path == qrels
    assert with_judgements(golden, ZERO).content == b"q1 0 a 1\nq1 0 new 0\n"
    write("qrels.txt", "query-id\tcorpus-id\tscore\r\nq1\ta\t1\r\n")
    assert with_judgements(golden, ZERO).content.endswith(b"q1\ta\t1\r\nq1\tnew\t0\r\n")


def test_questions_that_share_their_labels_get_one_line(write) -> None:
    write("q.jsonl", '{"id": "1-a", "topic": 1, "text": "a"}\n{"id": "1-b", "topic": 1, "text": "b"}\n')
    write("qrels.txt", "1 0 d 1\n")
    golden = load_golden(write("golden.yaml", "queries: q.jsonl\nqrels: {file: qrels.txt, by: topic}\n"))
    one, other = {"new": Judgement(0)}, {"new": Judgement(2)}
    assert with_judgements(golden, {"1-a": one, "1-b": one}).content == b"1 0 d 1\n1 0 new 0\n"
    with pytest.raises(GoldenError, match="1, new would get two grades"):
        with_judgements(golden, {"1-a": one, "1-b": other})
    with pytest.raises(GoldenError, match="the id 'a b' holds white space"):
        with_judgements(golden, {"1-a": {"a b": Judgement(1)}})


def test_labels_that_an_alias_shares_are_not_touched(write) -> None:
    path = write(
        "golden.yaml", "- {id: q1, text: x, relevant: &all [a]}\n- {id: q2, text: y, relevant: *all}\n"
    )
    with pytest.raises(GoldenError, match=r"golden\.yaml:1: the labels of 'q1' are shared by an alias"):
        with_judgements(load_golden(path), ZERO)


def test_what_cannot_be_edited_safely_is_refused(write) -> None:
    path = write("golden.yaml", "- {id: q1, text: x, answerable: false}\n")
    with pytest.raises(GoldenError, match="nothing was written; with the new labels answerable is false"):
        with_judgements(load_golden(path), {"q1": {"b": Judgement(2)}})
    path = write("golden.yaml", "- {id: q1, text: x, relevant: [a]}\n")
    golden = load_golden(path)
    write("golden.yaml", "- {id: q1, text: changed meanwhile, relevant: [a]}\n")
    with pytest.raises(
        GoldenError, match=r"was changed meanwhile; nothing was written\. By hand: q1: new: 0"
    ):
        with_judgements(golden, ZERO)


RECORD = Pooling(3, ("a.run", "b c.json"), "2026-01-02", 4)
LINE = '  - {depth: 3, date: "2026-01-02", sources: [a.run, b c.json], unjudged: 4}\n'


ROWS = "- {id: q, text: x, relevant: a}\n"


@pytest.mark.parametrize(
    ("text", "after"),
    [
        (f"# top\n{ROWS}", f"# top\npooled:\n{LINE}queries:\n{ROWS}"),
        (f"depth: 5\n# all\nqueries:\n{ROWS}", f"depth: 5\n# all\npooled:\n{LINE}queries:\n{ROWS}"),
        (
            f"pooled: [{{depth: 5}}]  # c\nqueries:\n{ROWS}",
            f"pooled: [{{depth: 5}}, {LINE[4:-1]}]  # c\nqueries:\n{ROWS}",
        ),
        (
            f"pooled: {{depth: 5}}\nqueries:\n{ROWS}",
            f"pooled: [{{depth: 5}}, {LINE[4:-1]}]\nqueries:\n{ROWS}",
        ),
        (
            f"pooled:\n  depth: 5\n  date: x\nqueries:\n{ROWS}",
            f"pooled:\n  - depth: 5\n    date: x\n{LINE}queries:\n{ROWS}",
        ),
        (
            f"pooled:\n  - {{depth: 5}}\n  - {{depth: 3, sources: [a.run, b c.json]}}\nqueries:\n{ROWS}",
            f"pooled:\n  - {{depth: 5}}\n{LINE}queries:\n{ROWS}",
        ),
        (f"[{ROWS[2:-1]}]\n", f"pooled:\n{LINE}queries: [{ROWS[2:-1]}]\n"),
    ],
)
def test_the_header_of_a_yaml_file_records_the_pool(write, text: str, after: str) -> None:
    path = write("golden.yaml", text)
    assert with_pooling(load_golden(path), RECORD).content.decode() == after


@pytest.mark.parametrize(
    ("head", "after"),
    [
        ("", '{"pooled": [RECORD]}\n'),
        ('{"depth": 5}\n', '{"depth": 5, "pooled": [RECORD]}\n'),
        ('{"pooled": {"depth": 5}, "depth": 9}\n', '{"pooled": [{"depth": 5}, RECORD], "depth": 9}\n'),
        ('{"pooled": [{"depth": 3, "sources": ["a.run", "b c.json"]}]}\n', '{"pooled": [RECORD]}\n'),
    ],
)
def test_the_header_of_a_jsonl_file_records_the_pool(write, head: str, after: str) -> None:
    row = '{"id": "q", "text": "x", "relevant": "a"}\n'
    record = '{"depth": 3, "date": "2026-01-02", "sources": ["a.run", "b c.json"], "unjudged": 4}'
    path = write("golden.jsonl", head + row)
    content = with_pooling(load_golden(path), RECORD).content.decode()
    assert content == after.replace("RECORD", record) + row


def test_a_byte_order_mark_stays(write) -> None:
    path = write("golden.yaml", b"\xef\xbb\xbf- {id: q1, text: x, relevant: [a]}\n")
    golden = load_golden(path)
    assert (
        with_judgements(golden, ZERO).content
        == b"\xef\xbb\xbf- {id: q1, text: x, relevant: {a: 1, new: 0}}\n"
    )


def test_the_difference_of_a_long_file_is_the_changed_lines(write) -> None:
    text = "# head\nqueries:\n" + "".join(
        f"  - {{id: q{number},  text: 'x',relevant: {{a: 2}}}}   # {number}\n" for number in range(200)
    )
    after = edited(write, "golden.yaml", text, {"q1": {"b": Judgement(0)}, "q150": {"c": Judgement(2)}})
    changed = [line for line in difflib.ndiff(text.splitlines(), after.splitlines()) if line[0] in "+-"]
    assert [line for line in changed if line.startswith("+")] == [
        "+   - {id: q1,  text: 'x',relevant: {a: 2, b: 0}}   # 1",
        "+   - {id: q150,  text: 'x',relevant: {a: 2, c: 2}}   # 150",
    ]
    assert len(changed) == 4
