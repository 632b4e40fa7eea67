import pytest

from pytest_retrieval.golden.documents import Document
from pytest_retrieval.golden.model import Chunking
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


def cut(document, name, words=None, overlap=0):
    return [chunk.text for chunk in cut_documents([document], Chunking(name, words, overlap))]


NOTE = Document("n", "Credit", "a b\nc d e", "notes.jsonl", ("a b", "c d e"))


def test_a_corpus_entry_whole_in_paragraphs_and_in_windows():
    assert cut(NOTE, "whole") == ["Credit a b\nc d e"]
    assert cut(NOTE, "sections") == ["Credit a b", "Credit c d e"]
    assert cut(NOTE, "fixed", 4, 2) == ["Credit a b c", "b c d e"]
    assert cut(NOTE, "fixed", 4) == ["Credit a b c", "d e"]
    assert cut(NOTE, "fixed", 6, 5) == cut(NOTE, "fixed", 100, 99) == ["Credit a b c d e"]


def test_windows_overlap_and_the_last_one_brings_something_new():
    words = Document("d", "", " ".join(map(str, range(10))), "d.txt")
    assert cut(words, "fixed", 4, 1) == ["0 1 2 3", "3 4 5 6", "6 7 8 9"]
    assert cut(words, "fixed", 4, 2) == ["0 1 2 3", "2 3 4 5", "4 5 6 7", "6 7 8 9"]
    assert cut(words, "fixed", 3, 0) == ["0 1 2", "3 4 5", "6 7 8", "9"]
    assert cut(words, "fixed", 1) == list("0123456789")


def test_an_empty_document_is_one_chunk_in_every_way():
    empty = Document("e", "", "", "e.txt")
    assert cut(empty, "whole") == cut(empty, "sections") == cut(empty, "fixed", 5) == [""]


def test_a_markdown_file_whole_keeps_its_heading_and_says_it_once():
    page = Document("p.md", "Guide", "# Guide\n\nWelcome.\n\n## Use\nRun it.", "p.md")
    assert cut(page, "whole") == [page.text]
    assert cut(page, "sections") == ["Guide\nWelcome.", "Guide\nUse\nRun it."]
    assert cut(page, "fixed", 3) == ["# Guide Welcome.", "## Use Run", "it."]


def test_a_text_file_has_no_sections():
    assert cut(Document("a.txt", "a", "first\n\nsecond", "a.txt"), "sections") == ["a first\n\nsecond"]
