import pytest

from pytest_retrieval.golden.chunking_rules import check_chunking
from pytest_retrieval.golden.composed import Composed, parse_composed
from pytest_retrieval.golden.errors import GoldenError
from pytest_retrieval.golden.model import Chunking
from pytest_retrieval.golden.reader import load_golden

QUERIES = "queries: [{id: q, text: t, relevant: [d]}]\n"


@pytest.mark.parametrize(
    ("header", "line"),
    [
        ("{hybrid: [bm25, dense]}", "hybrid(bm25, dense)"),
        ("{hybrid: [bm25, dense], k: 10, candidates: 100}", "hybrid(bm25, dense, k=10, candidates=100)"),
        ("{rerank: bm25, with: my_scorer}", "rerank(bm25, with=my_scorer)"),
        (
            "{rerank: {hybrid: [bm25, shop.search:Index]}, with: shop.rank:score, candidates: 50}",
            "rerank(hybrid(bm25, shop.search:Index), with=shop.rank:score, candidates=50)",
        ),
        ("{hybrid: [bm25, 'run:a (1), b.trec']}", 'hybrid(bm25, "run:a (1), b.trec")'),
        ("{hybrid: [bm25, 'run:with=\"x\".trec']}", 'hybrid(bm25, "run:with=\\"x\\".trec")'),
        ("{bm25: whole}", "bm25(whole)"),
        ("{bm25: {fixed: {words: 120, overlap: 20}}}", "bm25(fixed, words=120, overlap=20)"),
        ("{hybrid: [{bm25: sections}, dense]}", "hybrid(bm25(sections), dense)"),
        ("dense", "dense"),
        ("[dense]", "dense"),
        ("'hybrid( bm25 ,dense )'", "hybrid( bm25 ,dense )"),
    ],
)
def test_what_a_header_says_is_one_line_that_reads_back_the_same(write, header, line):
    golden = load_golden(write("golden.yaml", f"retriever: {header}\n{QUERIES}"))
    assert golden.header.retriever == line
    assert str(parse_composed(str(parse_composed(line)))) == str(parse_composed(line))


def test_a_line_is_read_into_its_parts():
    assert parse_composed(" rerank( hybrid(a,b , k = 5) ,candidates=7, with= s )") == Composed(
        "rerank", (Composed("hybrid", ("a", "b"), k=5),), "s", candidates=7
    )
    assert parse_composed('hybrid(a, "run:x, (y)")') == Composed("hybrid", ("a", "run:x, (y)"))


@pytest.mark.parametrize("text", ["bm25", "hybrid", "run:hybrid(a, b)", "my_hybrid(a)", "shop.hybrid:build"])
def test_other_texts_are_names(text):
    assert parse_composed(text) == text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("hybrid(a)", "fuses two or more retrievers, found 1"),
        ("hybrid(a, b", "lacks its last bracket"),
        ("hybrid(a, b) c", "goes on after its last bracket: 'c'"),
        ("hybrid(a, , b)", "has an empty name"),
        ("hybrid(a, b, candidate=3)", "takes k and candidates, each once, found candidate="),
        ("hybrid(a, b, k=1, k=2)", "each once, found k="),
        ("hybrid(a, b, k=0)", "k must be a whole number of at least 1, found '0'"),
        ("rerank(a)", "takes one retriever and with=scorer"),
        ("rerank(a, b, with=s)", "takes one retriever and with=scorer"),
        ("bm25(half)", "there is no chunking 'half'"),
        ("bm25(fixed)", "needs the number of words"),
        ("bm25(fixed, words=5, overlap=5)", "an overlap of 5 leaves nothing new"),
        ("bm25(whole, words=5)", "'whole' takes no words"),
    ],
)
def test_a_line_that_cannot_be_read_says_why(text, message):
    with pytest.raises(ValueError, match=message.replace("(", r"\(")):
        parse_composed(text)


@pytest.mark.parametrize(
    ("header", "message"),
    [
        ("{fuse: [a, b]}", r"retriever is a mapping with 'fuse'; expected {hybrid: \[bm25, dense\]}"),
        ("{hybrid: [a]}", "hybrid fuses a list of two or more retrievers"),
        ("{hybrid: a}", "hybrid fuses a list of two or more retrievers"),
        ("{hybrid: [a, b], candidate: 5}", "unknown key 'candidate' in retriever: did you mean 'candidates'"),
        ("{rerank: a}", "rerank needs a scorer: with: the name of a fixture"),
        ("{rerank: a, with: s, candidates: 0}", "candidates must be a whole number of at least 1"),
        ("{bm25: {fixed: {words: 10, overlap: 10}}}", "an overlap of 10 leaves nothing new"),
    ],
)
def test_a_header_that_cannot_be_read_says_where_and_why(write, header, message):
    with pytest.raises(GoldenError, match=message) as caught:
        load_golden(write("golden.yaml", f"depth: 20\nretriever: {header}\n{QUERIES}"))
    assert caught.value.line == 2


@pytest.mark.parametrize(
    ("header", "chunking"),
    [
        ("whole", Chunking("whole")),
        ("sections", Chunking("sections")),
        ("{fixed: {words: 120}}", Chunking("fixed", 120, 0)),
        ("{fixed: {words: 120, overlap: 20}}", Chunking("fixed", 120, 20)),
    ],
)
def test_a_header_names_a_chunking(write, header, chunking):
    golden = load_golden(write("golden.yaml", f"chunking: {header}\n{QUERIES}"))
    assert golden.header.chunking == chunking


@pytest.mark.parametrize(
    ("header", "message"),
    [
        ("halves", "there is no chunking 'halves'; expected whole, sections, or"),
        ("fixed", "needs the number of words in a chunk, such as words: 120"),
        ("{whole: {words: 3}}", "unknown key 'whole' in chunking"),
        ("{fixed: {words: 0}}", "words must be a whole number of at least 1"),
        ("{fixed: {word: 3}}", "did you mean 'words'"),
        ("[whole]", "chunking must be text, found a list"),
    ],
)
def test_a_chunking_that_is_none_is_told(write, header, message):
    with pytest.raises(GoldenError, match=message):
        load_golden(write("golden.yaml", f"chunking: {header}\n{QUERIES}"))


def test_without_an_overlap_chunks_do_not_overlap():
    assert check_chunking("fixed", 5, None) == Chunking("fixed", 5, 0)
