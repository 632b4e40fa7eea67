"""The recipes of the documentation, run with the libraries that they are for."""

import importlib
import sys
from pathlib import Path

import pytest
from parcels import RAW, TEXTS, ask, embed

sys.path.append(str(Path(__file__).resolve().parents[1] / "docs"))

from page_runner import write_files

from pytest_retrieval.retrieval.errors import BadRetriever

PAGE = Path(__file__).resolve().parents[2] / "docs" / "recipes.md"
WORDS = ("rank_bm25", "bm25s", "tantivy")
VECTORS = ("faiss", "lancedb")


def recipe(library, folder, monkeypatch, texts=TEXTS):
    """The recipe's search over the texts, from the page."""
    pytest.importorskip(library, reason=f"{library} is not installed")
    write_files(PAGE, folder)
    monkeypatch.syspath_prepend(folder)
    name = f"{library}_search"
    monkeypatch.delitem(sys.modules, name, raising=False)
    more = {"faiss": (embed,), "lancedb": (embed, str(folder / "lance"))}
    return importlib.import_module(name).Search(texts, *more.get(library, ()))


def test_the_texts_of_the_page_are_those_of_these_tests(tmp_path):
    write_files(PAGE, tmp_path)
    named = {}
    exec((tmp_path / "texts.py").read_text("utf-8"), named)
    assert named["TEXTS"] == TEXTS


@pytest.mark.parametrize("library", [*WORDS, *VECTORS])
def test_a_raw_question_finds_its_document_first(library, tmp_path, monkeypatch):
    search = recipe(library, tmp_path, monkeypatch)
    assert ask(search, RAW)[0] == "Größe"
    assert ask(search, "fees, due: in-may?")[0] == "guides/fees"
    assert ask(search, "two parcels")[0] == "42"
    assert ask(search, "size of a parcel", depth=1) == ["Größe"]


@pytest.mark.parametrize("library", WORDS)
def test_a_word_search_returns_only_what_shares_a_word(library, tmp_path, monkeypatch):
    search = recipe(library, tmp_path, monkeypatch)
    assert ask(search, "parcel size") == ["Größe"]
    assert ask(search, "zebra") == []
    assert ask(search, "") == []
    assert ask(search, '"[(') == []


@pytest.mark.parametrize("library", VECTORS)
def test_a_vector_search_returns_each_document_once_where_there_are_fewer_than_wanted(
    library, tmp_path, monkeypatch
):
    found = ask(recipe(library, tmp_path, monkeypatch), "two parcels")
    assert found[0] == "42"
    assert sorted(found) == sorted(TEXTS)


@pytest.mark.parametrize("library", VECTORS)
def test_length_does_not_count_and_the_order_is_that_of_the_cosine(library, tmp_path, monkeypatch):
    texts = {"long": "parcel " * 9 + "fees " * 9, "short": "parcel", "far": "fees"}
    # Cosines with "parcel": 1 / sqrt(2), 1 and 0; by distance or bare product the order is another.
    assert ask(recipe(library, tmp_path, monkeypatch, texts), "parcel") == ["short", "long", "far"]


@pytest.mark.parametrize(
    ("library", "bare"),
    [
        ("rank_bm25", lambda search: search.index),
        ("bm25s", lambda search: search.index),
        ("faiss", lambda search: search.index),
        ("lancedb", lambda search: search.table),
        ("tantivy", lambda search: search.index),
        ("tantivy", lambda search: search.index.searcher()),
    ],
)
def test_a_bare_index_is_refused_and_leads_to_the_page(library, bare, tmp_path, monkeypatch):
    index = bare(recipe(library, tmp_path, monkeypatch))
    with pytest.raises(BadRetriever, match=r"docs/recipes\.md shows how it is asked"):
        ask(index, "parcel")
