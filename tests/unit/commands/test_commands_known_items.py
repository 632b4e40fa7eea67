from __future__ import annotations

import pytest

from pytest_retrieval.commands.known_items import AT_MOST, KnownItem, known_items, plain_heading
from pytest_retrieval.golden.documents import Document


def page(name: str, *headings: str) -> Document:
    """A Markdown document with a title and sections of one line each."""
    title, *sections = headings
    text = f"# {title}\n\nOpening.\n" + "".join(f"\n## {section}\n\nBody.\n" for section in sections)
    return Document(name, title, text, name)


def pages(count: int, headings: int) -> list[Document]:
    return [
        page(f"p{number:03}.md", *(f"Heading {letter} of page {number}" for letter in "abcdefgh"[:headings]))
        for number in range(count)
    ]


def test_two_headings_are_taken_of_each_document_and_the_title_first() -> None:
    items = known_items(pages(6, 4))
    assert len(items) == 12
    assert items[:3] == (
        KnownItem("Heading a of page 0", "p000.md"),
        KnownItem("Heading b of page 0", "p000.md"),
        KnownItem("Heading a of page 1", "p001.md"),
    )


def test_more_are_taken_where_two_of_each_are_too_few_for_a_gate() -> None:
    assert len(known_items(pages(3, 8))) == 12
    assert len(known_items(pages(5, 8))) == 15  # a third from each: whole turns
    assert len(known_items(pages(2, 3))) == 6  # there are no more


def test_there_are_never_more_than_the_most_and_documents_are_spread_evenly() -> None:
    items = known_items(pages(2 * AT_MOST, 2))
    assert len(items) == AT_MOST
    assert [item.document for item in items[:3]] == ["p000.md", "p002.md", "p004.md"]
    assert len(known_items(pages(AT_MOST // 2 + 10, 2))) == AT_MOST


def test_a_heading_of_several_documents_is_left_out_of_each() -> None:
    items = known_items([page("a.md", "Parcels", "How it works"), page("b.md", "Invoices", "HOW it works!")])
    assert [item.text for item in items] == ["Parcels", "Invoices"]


def test_a_heading_that_a_document_repeats_is_asked_once() -> None:
    items = known_items([page("a.md", "Parcels", "Lost parcels", "Lost parcels", "parcels")])
    assert [item.text for item in items] == ["Parcels", "Lost parcels"]


@pytest.mark.parametrize("heading", ["Introduction", "INSTALLATION", "See also:", "1.2.0", "***", "x" * 151])
def test_a_heading_that_names_nothing_is_left_out(heading: str) -> None:
    assert known_items([page("a.md", heading)]) == ()


def test_telling_headings_come_before_vague_ones_behind_the_title() -> None:
    items = known_items([*pages(6, 2), page("z.md", "Verdicts", "Which one", "The margin of a kind")])
    assert [item.text for item in items if item.document == "z.md"] == ["Verdicts", "The margin of a kind"]


def test_code_is_no_heading() -> None:
    text = "# Shell\n\n```sh\n# a comment of the shell\n```\n\n## Second part here\n\nText.\n"
    items = known_items([Document("a.md", "Shell", text, "a.md")])
    assert [item.text for item in items] == ["Shell", "Second part here"]


def test_a_text_file_is_asked_by_its_first_line_where_that_stands_alone() -> None:
    titled = Document("a1.txt", "a1", "Parcels to islands\n\nThey take longer.\n", "a1.txt")
    assert known_items([titled])[0] == KnownItem("Parcels to islands", "a1.txt")


def test_a_text_file_without_a_title_is_asked_by_its_name() -> None:
    prose = Document("t/lost-parcels.txt", "lost-parcels", "They are\nsearched for.\n", "t/lost-parcels.txt")
    assert known_items([prose]) == (KnownItem("lost parcels", "t/lost-parcels.txt"),)


@pytest.mark.parametrize(
    ("heading", "plain"),
    [
        ("`load_golden` and [the reader](reader.md#top)", "load_golden and the reader"),
        ("**Bold** and *leaning*, __too__", "Bold and leaning, too"),
        ("snake_case_name stays", "snake_case_name stays"),
        ("2 * 3 * 4 stays", "2 * 3 * 4 stays"),
        ("![logo](logo.png) The project", "The project"),
        ("Setting up {#setup .wide}", "Setting up"),
        ("<a name='x'></a>Old anchors", "Old anchors"),
        ("3.1 Payment", "Payment"),
        ("2) Payment", "Payment"),
        ("3 ways to pay", "3 ways to pay"),
        ("a\u2028line\u0085end\x07s", "a line end s"),
        ("Größe und 価格", "Größe und 価格"),
    ],
)
def test_a_heading_is_asked_as_a_person_would_type_it(heading: str, plain: str) -> None:
    assert plain_heading(heading) == plain
