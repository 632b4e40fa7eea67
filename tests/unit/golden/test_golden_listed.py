import pytest

from pytest_retrieval.golden.errors import GoldenError
from pytest_retrieval.golden.model import Listed
from pytest_retrieval.golden.reader import load_golden

QUERIES = "queries: [{id: q, text: t, relevant: [d]}]\n"


def header(write, text):
    return load_golden(write("golden.yaml", f"depth: 20\n{text}\n{QUERIES}")).header


def test_a_list_of_several_gives_each_a_name(write):
    found = header(
        write,
        "retriever: [bm25, shop.search:Index, {hybrid: [bm25, dense]}, {rerank: bm25, with: s}, "
        "{name: other, use: 'run:runs/dense (1).trec'}, {name: top-5, rerank: bm25, with: s, candidates: 5}, "
        "{name: short, bm25: {fixed: {words: 50}}}, run:runs/a.trec]",
    )
    assert found.retriever is None
    assert found.listed == (
        Listed("bm25", "bm25"),
        Listed("shop_search_Index", "shop.search:Index"),
        Listed("hybrid", "hybrid(bm25, dense)"),
        Listed("rerank", "rerank(bm25, with=s)"),
        Listed("other", "run:runs/dense (1).trec"),
        Listed("top-5", "rerank(bm25, with=s, candidates=5)"),
        Listed("short", "bm25(fixed, words=50, overlap=0)"),
        Listed("run_runs_a_trec", "run:runs/a.trec"),
    )


@pytest.mark.parametrize("text", ["retriever: dense", "retriever: [dense]"])
def test_one_retriever_is_no_list(write, text):
    found = header(write, text)
    assert (found.retriever, found.listed) == ("dense", ())


def test_pairs_are_read_in_their_order(write):
    found = header(write, "retriever: [a, b, c]\ncompare: [[a, b], [c, b]]")
    assert found.compare == (("a", "b"), ("c", "b"))


@pytest.mark.parametrize(
    ("text", "message", "line"),
    [
        ("retriever: [a, a]", "two retrievers are called 'a': give one a name", 2),
        ("retriever: [{hybrid: [a, b]}, {hybrid: [a, c]}]", "two retrievers are called 'hybrid'", 2),
        ("retriever: [a, {name: A, use: b}]", "two retrievers are called 'A'", 2),
        ("retriever: [a, {name: 'b/c', use: b}]", "a retriever cannot be called 'b/c'", 2),
        ("retriever: [a, anchor]", "'anchor' is reserved", 2),
        ("retriever: [a, {name: b}]", "an entry of retriever is a mapping with nothing", 2),
        ("retriever: [a, {name: b, use: c, k: 5}]", "unknown key 'k'", 2),
        (
            "retriever: [a, b]\ncompare: [[a, c]]",
            "compare names 'c', which is no retriever of the list: a, b",
            3,
        ),
        ("retriever: a\ncompare: [[a, b]]", "no retriever of the list: none; list several", 3),
        ("retriever: [a, b]\ncompare: [[a, a]]", "compare holds 'a' against itself", 3),
        ("retriever: [a, b]\ncompare: [a, b]", "compare must be a list of pairs", 3),
        ("retriever: [a, b]\ncompare: [[a, b, a]]", "compare must be a list of pairs", 3),
        ("retriever: [a, b]\ncompare: []", "compare must be a list of pairs", 3),
        ("retriever: [a, b]\ncompare: a", "compare must be a list of pairs", 3),
    ],
)
def test_what_cannot_be_meant_is_told_with_its_line(write, text, message, line):
    with pytest.raises(GoldenError) as caught:
        header(write, text)
    assert message in str(caught.value)
    assert caught.value.line == line
