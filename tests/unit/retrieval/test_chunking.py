import pytest

from pytest_retrieval.golden.documents import Document
from pytest_retrieval.retrieval.chunking import Chunk, Section, cut_documents, split_sections


def texts(path, title, text):
    return [chunk.text for chunk in cut_documents([Document("d", title, text, path)])]


GUIDE = """\
Intro line.

# Guide

Welcome.

## Install ##

Run it:

```sh
# not a heading
pip install x
```

### Windows
Use py.

## Use
# Second
Last.
"""


def test_each_section_carries_the_path_of_its_headings():
    assert split_sections(GUIDE) == (
        Section((), "Intro line."),
        Section(("Guide",), "Welcome."),
        Section(("Guide", "Install"), "Run it:\n\n```sh\n# not a heading\npip install x\n```"),
        Section(("Guide", "Install", "Windows"), "Use py."),
        Section(("Guide", "Use"), ""),
        Section(("Second",), "Last."),
    )


def test_a_heading_with_only_deeper_headings_below_it_is_no_section_of_its_own():
    assert split_sections("# A\n\n## B\ntext\n") == (Section(("A", "B"), "text"),)


def test_a_level_that_is_skipped_on_the_way_down_does_not_confuse_the_path():
    sections = split_sections("# A\na\n### C\nc\n## B\nb\n")
    assert [section.headings for section in sections] == [("A",), ("A", "C"), ("A", "B")]


@pytest.mark.parametrize("nothing", ["", "\n\n", "   \n"])
def test_an_empty_text_is_one_empty_section(nothing):
    assert split_sections(nothing) == (Section((), ""),)


@pytest.mark.parametrize(
    "code",
    [
        "```\n# no\n```",
        "~~~\n# no\n~~~",
        "````md\n```\n# no\n```\n# no\n````",
        "~~~\n```\n# no\n~~~",
        "- item\n\n  ```sh\n  # no\n  ```",
        "```\n# no: the fence is never closed",
        "```\n``` no end\n# no\n```",
        "    # no: indented code",
        "#no-blank",
        "####### seven",
        "\\# escaped",
    ],
)
def test_what_looks_like_a_heading_in_code_is_none(code):
    assert split_sections(code) == (Section((), code.strip()),)


def test_inline_code_in_triple_backticks_opens_no_fence():
    assert split_sections("```x``` here\n# A\na")[1] == Section(("A",), "a")


@pytest.mark.parametrize(
    ("line", "title"),
    [
        ("# A", "A"),
        ("#\tA", "A"),
        ("   # A", "A"),
        ("# A #", "A"),
        ("# C#", "C#"),
        ("# ", ""),
        ("#", ""),
        ("## ##", ""),
        ("# A \t##  ", "A"),
    ],
)
def test_headings_are_read_as_commonmark_reads_them(line, title):
    assert split_sections(f"{line}\ntext") == (Section((title,), "text"),)


def test_underlined_headings_are_headings_of_level_one_and_two():
    sections = split_sections("Guide\n=====\nhello\n\nInstall\n-------\nrun it\n")
    assert sections == (Section(("Guide",), "hello"), Section(("Guide", "Install"), "run it"))


@pytest.mark.parametrize(
    "text",
    [
        "one\n\n---\n\ntwo",
        "- item\n---\ntwo",
        "| a |\n---\ntwo",
        "> quote\n---\ntwo",
        "a | b\n--- | ---\n1 | 2",
    ],
)
def test_rules_lists_quotes_and_tables_are_no_underlined_headings(text):
    assert split_sections(text) == (Section((), text),)


def test_front_matter_holds_no_headings():
    text = "---\ntitle: x\n# a comment\n---\n\n# A\na"
    assert split_sections(text) == (Section((), "---\ntitle: x\n# a comment\n---"), Section(("A",), "a"))


def test_the_title_stands_in_front_of_each_section_once():
    assert texts("docs/a.md", "Guide", "# Guide\nhello\n## Use\nuse it") == [
        "Guide\nhello",
        "Guide\nUse\nuse it",
    ]
    assert texts("docs/a.MARKDOWN", "a", "hello\n# Use\nuse it") == ["a\nhello", "a\nUse\nuse it"]
    assert texts("a.md", "hello", "hello\nyou") == ["hello\nyou"]


def test_another_file_is_one_chunk_of_title_and_text():
    assert texts("a.txt", "a", "# not Markdown\nhello") == ["a # not Markdown\nhello"]


def test_a_title_that_is_empty_or_opens_the_text_is_not_doubled():
    assert texts("a.rst", "Guide", "\nGuide\n=====\nhello") == ["\nGuide\n=====\nhello"]
    assert texts("a.txt", "", "hello") == ["hello"]


def test_an_entry_of_a_corpus_is_exactly_title_blank_text():
    assert texts("corpus.jsonl", "Wings", "Wings\nof planes") == ["Wings Wings\nof planes"]
    assert texts("corpus.jsonl", "", "of planes") == [" of planes"]


def test_every_document_yields_a_chunk_in_the_order_of_the_corpus():
    documents = [
        Document("b", "", "", "b.md"),
        Document("a", "", "", "a.txt"),
        Document("c", "", "x", "c.jsonl"),
    ]
    assert cut_documents(documents) == (Chunk("b", ""), Chunk("a", ""), Chunk("c", " x"))
