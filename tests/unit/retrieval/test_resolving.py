import builtins
import sys
from pathlib import Path

import pytest

from pytest_retrieval.golden.errors import GoldenError, InputError
from pytest_retrieval.golden.model import GoldenSet, Header, Query
from pytest_retrieval.retrieval.calling import BadRetriever, answer, prepare
from pytest_retrieval.retrieval.resolving import (
    ImportPath,
    Name,
    RunFile,
    RunRetriever,
    build_built_in,
    import_retriever,
    load_run,
    parse_retriever,
)


@pytest.mark.parametrize(
    ("text", "parsed"),
    [
        ("run:runs/bm25.run", RunFile(Path("runs/bm25.run"))),
        ("run: a b.jsonl ", RunFile(Path("a b.jsonl"))),
        ("run:retriever", RunFile(Path("retriever"))),
        ("retriever:retrieve", ImportPath("retriever", "retrieve")),
        ("shop.search:Index.build", ImportPath("shop.search", "Index.build")),
        ("retriever", Name("retriever")),
        ("bm25", Name("bm25")),
        ("shop.search", Name("shop.search")),
        ("a-b:c", Name("a-b:c")),
        ("a:b:c", Name("a:b:c")),
        ("a:", Name("a:")),
        ("1a:b", Name("1a:b")),
        ("shop/search.py:find", Name("shop/search.py:find")),
    ],
)
def test_a_retriever_is_a_run_or_an_import_path_or_a_name(text, parsed):
    assert parse_retriever(text) == parsed


@pytest.mark.parametrize("text", ["", "  ", "run:", "run:  "])
def test_an_empty_name_is_refused_with_what_is_expected(text):
    with pytest.raises(BadRetriever, match="expected run:PATH"):
        parse_retriever(text)


@pytest.fixture
def run(tmp_path):
    path = tmp_path / "bm25.run"
    path.write_text("q1 Q0 d2 1 0.9 t\nq1 Q0 d1 2 0.5 t\nq2 Q0 d3 1 0.1 t\n", encoding="utf-8")
    return path


def test_a_run_is_asked_by_the_id_of_the_query(run):
    asker = prepare(load_run(run))
    assert answer(asker, Query("q1", "any text", params={"user": 1}), 10, None).documents == ("d2", "d1")
    assert answer(asker, Query("q1", "any text"), 1, None).documents == ("d2",)


def test_a_query_that_the_run_lacks_has_an_empty_answer(run):
    assert answer(prepare(load_run(run)), Query("q9", "any text"), 10, None).documents == ()


def test_a_run_that_shares_no_query_with_the_golden_set_is_told_with_examples(run):
    with pytest.raises(InputError) as refused:
        load_run(run).check(["a", "b", "c"])
    assert str(refused.value) == (
        f"{run}: the run holds no query of the golden set: its query ids are 'q1', 'q2', "
        "those of the golden set are 'a', 'b' ..."
    )


def test_one_shared_query_is_enough(run):
    load_run(run).check(["a", "q2"])
    RunRetriever(run, {}).check([])


MODULE = """
import functools

class Index:
    built = 0
    def __init__(self, size=3):
        Index.built += 1
    def search(self, text, k):
        return ["from Index"]

class NeedsPath:
    def __init__(self, path):
        pass

class Anything:
    def __init__(self, *args, **named):
        self.args = args
    def __call__(self, text):
        return ["from Anything"]

class Home:
    index = Index()
    @staticmethod
    def build():
        return lambda text: ["from Home"]

def build(path="x"):
    return Index()

def search(text, k=10):
    return ["from search"]

def by_keyword(*, text):
    return []

anything = lambda *args: ["from anything"]
instance = Anything()
partial = functools.partial(search, k=3)
built_in = len
nothing = None

def broken():
    raise ZeroDivisionError("while building")
"""


@pytest.fixture
def module(tmp_path, monkeypatch):
    (tmp_path / "my_search.py").write_text(MODULE, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    yield "my_search"
    sys.modules.pop("my_search", None)


@pytest.mark.parametrize(
    ("attribute", "answered"),
    [
        ("Index", "from Index"),
        ("Anything", "from Anything"),
        ("build", "from Index"),
        ("Home.index", "from Index"),
        ("Home.build", "from Home"),
        ("search", "from search"),
        ("anything", "from anything"),
        ("instance", "from Anything"),
        ("partial", "from search"),
    ],
)
def test_a_builder_is_called_once_and_a_search_is_used_as_it_is(module, attribute, answered):
    retriever = import_retriever(ImportPath(module, attribute))
    assert answer(prepare(retriever), Query("q", "text"), 5, None).documents == (answered,)


def test_a_class_is_built_exactly_once(module):
    before = import_retriever(ImportPath(module, "Home"))
    count = type(before.index).built
    import_retriever(ImportPath(module, "Index"))
    assert type(before.index).built == count + 1


def test_functions_with_a_required_parameter_are_not_called(module):
    assert import_retriever(ImportPath(module, "built_in")) is len
    assert import_retriever(ImportPath(module, "by_keyword")).__name__ == "by_keyword"
    assert import_retriever(ImportPath(module, "nothing")) is None


def test_a_class_that_needs_arguments_is_refused_with_their_names(module):
    with pytest.raises(BadRetriever, match="'my_search:NeedsPath' is a class that needs path to be built"):
        import_retriever(ImportPath(module, "NeedsPath"))


def test_a_missing_attribute_is_told_with_close_names(module):
    with pytest.raises(
        BadRetriever, match=r"module 'my_search' has no attribute 'serch'; did you mean search\?"
    ):
        import_retriever(ImportPath(module, "serch"))
    with pytest.raises(BadRetriever, match=r"'Home' has no attribute 'zzz'$"):
        import_retriever(ImportPath(module, "Home.zzz"))


def test_an_exception_while_building_passes_through(module):
    with pytest.raises(ZeroDivisionError, match="while building"):
        import_retriever(ImportPath(module, "broken"))


@pytest.mark.parametrize("name", ["no_such_module_here", "no_such_module_here.search"])
def test_a_module_that_is_not_found_is_told_with_the_way_to_make_it_importable(name):
    with pytest.raises(BadRetriever) as refused:
        import_retriever(ImportPath(name, "search"))
    assert "there is no module 'no_such_module_here' to import" in str(refused.value)
    assert "`pythonpath = .`" in str(refused.value)


def test_a_file_name_in_place_of_a_module_name_is_told(module):
    with pytest.raises(BadRetriever, match=r"write my_search:search, without \.py"):
        import_retriever(ImportPath("my_search.py", "search"))


@pytest.mark.parametrize(
    ("source", "error"),
    [
        ("import no_such_module_here", ModuleNotFoundError),
        ("from pathlib import no_such_name", ImportError),
        ("1 / 0", ZeroDivisionError),
        ("def (", SyntaxError),
    ],
)
def test_an_exception_while_importing_passes_through(tmp_path, monkeypatch, source, error):
    (tmp_path / "breaks_at_import.py").write_text(source, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(error):
        import_retriever(ImportPath("breaks_at_import", "search"))


def golden(path, *documents, **lines):
    header = Header(retriever="bm25", documents=documents, lines=lines)
    return GoldenSet((Query("q1", "heat"),), header, path)


def test_bm25_searches_the_documents_beside_the_golden_set(tmp_path):
    (tmp_path / "a.md").write_text("# A\nabout wings\n", encoding="utf-8")
    (tmp_path / "b.md").write_text("# B\nabout heat\n", encoding="utf-8")
    (tmp_path / "c.md").write_text("# C\nabout jets\n", encoding="utf-8")
    index = build_built_in("bm25", golden(tmp_path / "golden.yaml", "*.md"))
    assert answer(prepare(index), Query("q1", "heat"), 5, None).documents == ("b.md",)


def test_bm25_without_declared_documents_names_the_line_of_the_retriever(tmp_path):
    with pytest.raises(GoldenError) as refused:
        build_built_in("bm25", golden(tmp_path / "golden.yaml", retriever=3))
    assert str(refused.value).startswith(f"{tmp_path / 'golden.yaml'}:3: the built-in retriever 'bm25'")
    assert "documents:" in str(refused.value)
    with pytest.raises(GoldenError, match=r"^golden set: "):
        build_built_in("bm25", golden(None))


def test_documents_without_words_are_told_at_the_line_that_declares_them(tmp_path):
    (tmp_path / "corpus.jsonl").write_text('{"id": "a", "text": "..."}\n', encoding="utf-8")
    with pytest.raises(GoldenError, match=r"golden\.yaml:4: the documents hold no words"):
        build_built_in("bm25", golden(tmp_path / "golden.yaml", "corpus.jsonl", documents=4))


def test_a_missing_rank_bm25_is_told_with_the_command_that_installs_it(tmp_path, monkeypatch):
    (tmp_path / "a.md").write_text("# A\nabout wings\n", encoding="utf-8")
    monkeypatch.delitem(sys.modules, "pytest_retrieval.retrieval.adapters.bm25", raising=False)
    real_import = builtins.__import__

    def without_rank_bm25(name, *args, **named):
        if name == "rank_bm25":
            raise ModuleNotFoundError("No module named 'rank_bm25'", name="rank_bm25")
        return real_import(name, *args, **named)

    monkeypatch.setattr(builtins, "__import__", without_rank_bm25)
    with pytest.raises(BadRetriever, match=r'run: pip install "pytest-retrieval\[bm25\]"'):
        build_built_in("bm25", golden(tmp_path / "golden.yaml", "*.md"))


def test_an_unknown_built_in_is_told_with_those_there_are():
    with pytest.raises(BadRetriever, match="no built-in retriever 'bm26'; there is bm25"):
        build_built_in("bm26", golden(None))
