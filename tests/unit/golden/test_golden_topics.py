from __future__ import annotations

import pytest

from pytest_retrieval.golden.errors import GoldenError
from pytest_retrieval.golden.topics import read_topics

CLASSIC = """\
<top>
<num> Number: 301
<title> International Organized Crime

<desc> Description:
Identify organizations &amp; people
that take part.
<narr> Narrative:
A relevant document names one.
</top>

<top>
<num> Number: 302
<title> Poliomyelitis and Post-Polio
</top>
"""
ROUND_FIVE = """\
<?xml version="1.0"?>
<topics task="COVIDSearch">
  <topic number="1">
    <query>coronavirus origin</query>
    <question>what is the origin</question>
    <narrative>seeking range</narrative>
  </topic>
  <topic number='2'><query>weather</query></topic>
</topics>
"""


def fields(path) -> list[dict[str, str]]:
    return [{name: entry.value.text for name, entry in row.entries.items()} for row in read_topics(path)]


def test_classic_topics_are_asked_by_their_titles(write) -> None:
    path = write("topics.txt", CLASSIC)
    assert fields(path) == [
        {
            "id": "301",
            "text": "International Organized Crime",
            "desc": "Identify organizations & people that take part.",
            "narr": "A relevant document names one.",
        },
        {"id": "302", "text": "Poliomyelitis and Post-Polio"},
    ]
    assert [row.line for row in read_topics(path)] == [1, 12]


def test_topics_in_xml_are_asked_by_their_queries(write) -> None:
    assert fields(write("topics.xml", ROUND_FIVE)) == [
        {
            "id": "1",
            "text": "coronavirus origin",
            "topic_question": "what is the origin",
            "narrative": "seeking range",
        },
        {"id": "2", "text": "weather"},
    ]


def test_json_lines_keep_their_fields_and_a_table_has_two(write) -> None:
    assert fields(write("q.jsonl", '{"_id": "7", "text": "a", "metadata_of": "x"}\n')) == [
        {"_id": "7", "text": "a", "metadata_of": "x"}
    ]
    assert fields(write("q.tsv", "7\twhat is new\r\n\n8\ta\tb\n")) == [
        {"id": "7", "text": "what is new"},
        {"id": "8", "text": "a\tb"},
    ]


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("7\tx\nno tab\n", 2, "expected an id, a tab and the question"),
        ("<top>\n<num> 1\n<title> x\n", None, "never closed"),
        ("<top><title> x</top>", 1, "a topic with no number"),
        ("\n<top><num> 7 <desc> x</top>", 2, "a topic with neither title nor query"),
        ("<html></html>", 1, "holds no <top> or <topic>"),
        ("{broken", 1, "broken JSON"),
    ],
)
def test_a_file_that_holds_no_questions_is_an_error(write, text: str, line: int | None, words: str) -> None:
    path = write("topics", text)
    with pytest.raises(GoldenError) as caught:
        read_topics(path)
    assert str(caught.value).startswith(f"{path}:{line}: " if line else f"{path}: ")
    assert words in caught.value.message
