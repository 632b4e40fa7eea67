from pathlib import Path

import pytest

from pytest_retrieval.golden import documents as module
from pytest_retrieval.golden.documents import Document, document_ids, read_documents
from pytest_retrieval.golden.errors import GoldenError


def failure(folder: Path, *patterns: str) -> GoldenError:
    """The one error that reading the documents and reading their ids both end in."""
    with pytest.raises(GoldenError) as read:
        read_documents(folder, patterns)
    with pytest.raises(GoldenError) as listed:
        document_ids(folder, patterns)
    assert str(read.value) == str(listed.value)
    return read.value


def test_files_are_documents_under_their_relative_paths_in_order(write, tmp_path: Path) -> None:
    write("docs/b.md", "# Second ##\ntext")
    write("docs/deep/er/a.md", b"\xef\xbb\xbf\r\n## First\r\n")
    write("docs/c.txt", "no heading")
    write("docs/.hidden.md", "x")
    write("docs/.folder/d.md", "x")
    found = read_documents(tmp_path, ["docs/**/*.md", "docs/*.txt", "docs/b.*"])
    assert found == [
        Document("docs/b.md", "Second", "# Second ##\ntext", "docs/b.md"),
        Document("docs/c.txt", "c", "no heading", "docs/c.txt"),
        Document("docs/deep/er/a.md", "First", "\r\n## First\r\n", "docs/deep/er/a.md"),
    ]
    assert document_ids(tmp_path, ["docs/**/*.md", "docs/*.txt"]) == {document.id for document in found}


def test_a_corpus_is_one_document_per_line(write, tmp_path: Path) -> None:
    write(
        "corpus.jsonl",
        '{"id": 1, "title": "T", "text": "a"}\n\n{"_id": "1.0", "contents": "b"}\n'
        '{"doc_id": "x", "body": "", "title": null}\n{"docid": "re\u0301", "paragraphs": ["p", "q"]}\n'
        '{"id": "n", "content": null, "lang": "en"}\n',
    )
    assert read_documents(tmp_path, ["*.jsonl"]) == [
        Document("1", "T", "a", "corpus.jsonl"),
        Document("1.0", "", "b", "corpus.jsonl"),
        Document("x", "", "", "corpus.jsonl"),
        Document("r\u00e9", "", "p\nq", "corpus.jsonl", ("p", "q")),
        Document("n", "", "", "corpus.jsonl"),
    ]
    assert document_ids(tmp_path, ["*.jsonl"]) == {"1", "1.0", "x", "r\u00e9", "n"}


def test_patterns_may_lead_out_of_the_folder_and_back(write, tmp_path: Path) -> None:
    write("docs/a.md", "x")
    write("tests/b.md", "x")
    assert document_ids(tmp_path / "tests", ["../docs/*.md", "./b.md", "../tests/b.md"]) == {
        "../docs/a.md",
        "b.md",
    }


def test_golden_sets_are_no_documents(write, tmp_path: Path) -> None:
    write("golden.jsonl", '{"id": "q", "text": "t", "relevant": ["d"]}')
    write("corpus.jsonl", '{"id": "d", "text": "t"}')
    assert document_ids(tmp_path, ["*.jsonl"]) == {"d"}


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("intro\n\n### Deep one\n# Later", "Deep one"),
        ("```sh\n# a comment\n```\n# Title\n", "Title"),
        ("~~~\n```\n# no\n~~~\n# Title\n", "Title"),
        ("Title\n=====\n", "Title"),
        ("#hashtag\n#\n####### seven\n", "file"),
        ("    # indented code\n", "file"),
        ("=====\n", "file"),
        ("# C# in depth\n", "C# in depth"),
        ("", "file"),
    ],
)
def test_the_title_is_the_first_markdown_heading_or_the_name(
    write, tmp_path: Path, text: str, title: str
) -> None:
    write("file.md", text)
    assert read_documents(tmp_path, ["file.md"])[0].title == title


@pytest.mark.parametrize("pattern", ["none/*.md", "none.md", "folder", "*.hidden", "[", "**/nothing"])
def test_a_pattern_that_names_no_file_is_an_error(write, tmp_path: Path, pattern: str) -> None:
    write("folder/.hidden", "x")
    assert repr(pattern) in failure(tmp_path, pattern).message


def test_an_absolute_pattern_is_an_error(write, tmp_path: Path) -> None:
    path = write("a.md", "x")
    assert "relative" in failure(tmp_path, str(path)).message


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ('{"text": "x"}', "without an id (id, _id, doc_id, docid)"),
        ('{"id": "b"}', "without a text"),
        ('{"id": "b", "paragraphs": "x"}', "found 'x' as paragraphs"),
        ('{"id": null, "text": "x"}', "null"),
        ('{"id": "", "text": "x"}', "empty text"),
        ('{"id": ["b"], "text": "x"}', "a list"),
        ('{"id": "b", "text": ["x"]}', "a list"),
        ('{"id": "b", "text": "x", "title": {}}', "a mapping"),
        ('{"id": "a", "text": "x"}', "'a' is already used at"),
        ('{"id": 1, "text": "x"', "broken JSON"),
        ('["b"]', "one JSON object per line"),
    ],
)
def test_a_bad_line_of_a_corpus_is_an_error_at_its_line(write, tmp_path: Path, line: str, words: str) -> None:
    path = write("corpus.jsonl", f'{{"id": "a", "text": "x"}}\n{line}\n')
    error = failure(tmp_path, "corpus.jsonl")
    assert str(error).startswith(f"{path}:2: ")
    assert words in error.message


def test_one_id_in_two_files_is_an_error_that_names_both_places(write, tmp_path: Path) -> None:
    write("a.jsonl", '{"id": "x", "text": "x"}\n')
    write("b.jsonl", '{"id": "y", "text": "x"}\n{"id": "x", "text": "x"}\n')
    error = failure(tmp_path, "*.jsonl")
    assert (Path(error.path).name, error.line) == ("b.jsonl", 2)
    assert f"{tmp_path / 'a.jsonl'}:1" in error.message


def test_a_text_that_is_not_utf8_is_an_error_at_its_line(write, tmp_path: Path) -> None:
    path = write("a.md", b"ok\ncaf\xe9\n")
    with pytest.raises(GoldenError) as caught:
        read_documents(tmp_path, ["*.md"])
    assert str(caught.value).startswith(f"{path}:2: ")


def test_listing_ids_opens_no_text_file_and_a_corpus_once(write, tmp_path: Path, monkeypatch) -> None:
    write("a.md", "x")
    write("c.jsonl", '{"id": "x", "text": "x"}\n')
    opened: list[str] = []
    read_text = module.read_text
    monkeypatch.setattr(module, "read_text", lambda path: opened.append(Path(path).name) or read_text(path))
    for _ in range(2):
        assert document_ids(tmp_path, ["a.md", "c.jsonl"]) == {"a.md", "x"}
    assert opened == ["c.jsonl"]
    write("c.jsonl", '{"id": "longer", "text": "x"}\n')
    assert document_ids(tmp_path, ["c.jsonl"]) == {"longer"}
