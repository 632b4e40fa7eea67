import pytest

from pytest_retrieval.golden.errors import GoldenError
from pytest_retrieval.golden.header import build_header
from pytest_retrieval.golden.model import AskRules, GateRules, Header, KindRules
from pytest_retrieval.golden.nodes import MappingNode
from pytest_retrieval.golden.yaml_reader import parse_yaml


def header(text: str) -> Header:
    block = parse_yaml("golden.yaml", text)
    assert isinstance(block, MappingNode)
    return build_header("golden.yaml", block)


def test_a_full_header_is_read_with_its_lines() -> None:
    read = header(
        """\
retriever: pkg.mod:search
depth: 20
metrics: [recall@5, mrr]
describe: {model: MiniLM, size: 512, ratio: 0.5, cased: false, note: , version: 007, steps: [a, 1]}
documents: ["docs/**/*.md", corpus.jsonl]
document_id: "^(.*)#"
gate:
  metrics: recall@5, ndcg@10
  margin: {recall@5: 0.02, ndcg@10: 0}
  confidence: 0.9
  min_queries: 8
  floors: {recall@5: .8}
  slices: [process]
  kinds:
    identifier: {margin: 0, floors: {recall@3: 0.75}}
    no: {}
queries: []
"""
    )
    assert (read.retriever, read.depth, read.metrics) == ("pkg.mod:search", 20, ("recall@5", "mrr"))
    assert read.describe == {
        "model": "MiniLM",
        "size": 512,
        "ratio": 0.5,
        "cased": False,
        "note": None,
        "version": "007",
        "steps": ["a", 1],
    }
    assert read.documents == ("docs/**/*.md", "corpus.jsonl")
    assert read.document_id == "^(.*)#"
    assert read.gate == GateRules(
        metrics=("recall@5", "ndcg@10"),
        margin={"recall@5": 0.02, "ndcg@10": 0.0},
        confidence=0.9,
        min_queries=8,
        floors={"recall@5": 0.8},
        kinds={"identifier": KindRules(margin=0.0, floors={"recall@3": 0.75}), "no": KindRules()},
        slices=("process",),
    )
    expected = {
        "retriever": 1,
        "depth": 2,
        "metrics": 3,
        "describe": 4,
        "documents": 5,
        "document_id": 6,
        "gate": 7,
        "gate.metrics": 8,
        "gate.margin": 9,
        "gate.margin.recall@5": 9,
        "gate.margin.ndcg@10": 9,
        "gate.confidence": 10,
        "gate.min_queries": 11,
        "gate.floors": 12,
        "gate.floors.recall@5": 12,
        "gate.slices": 13,
        "gate.kinds": 14,
        "gate.kinds.identifier": 15,
        "gate.kinds.identifier.margin": 15,
        "gate.kinds.identifier.floors": 15,
        "gate.kinds.identifier.floors.recall@3": 15,
        "gate.kinds.no": 16,
    }
    assert read.lines == expected


def test_how_the_retriever_is_asked_is_read_with_its_lines() -> None:
    read = header(
        "ask:\n  concurrency: 4\n  timeout: 2.5\n  retries: 0\n  retry_on: a.B, C\n  retry_wait: 0\n"
    )
    assert read.ask == AskRules(4, 2.5, 0, ("a.B", "C"), 0)
    assert read.lines["ask.retry_on"] == 5


def test_what_is_not_said_is_none_or_empty() -> None:
    assert header("queries: []\n") == Header()


def test_one_retriever_in_a_list_and_one_glob_as_text_are_accepted() -> None:
    read = header("retriever: [bm25]\ndocuments: a, b.md\nmetrics: mrr\n")
    assert (read.retriever, read.documents, read.metrics) == ("bm25", ("a, b.md",), ("mrr",))


def test_metric_names_are_not_judged_here() -> None:
    assert header("metrics: [no such metric]\n").metrics == ("no such metric",)


@pytest.mark.parametrize("value", ["0.5", "0.95", "0.999"])
def test_confidence_runs_from_a_half_to_below_one(value: str) -> None:
    assert header(f"gate: {{confidence: {value}}}\n").gate.confidence == float(value)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("retreiver: x", "did you mean 'retriever'"),
        ("colour: x", "known: retriever, depth, metrics"),
        ("query: x", "unknown key 'query'"),
        ("retriever: [a, b, A]", "two retrievers are called 'A'"),
        ("retriever: []", "retriever is an empty list"),
        ("retriever:", "nothing (null)"),
        ("retriever: ''", "empty text"),
        ("retriever: {a: b}", "a mapping"),
        ("depth: 0", "whole number of at least 1"),
        ("depth: -3", "whole number"),
        ("depth: 2.5", "'2.5'"),
        ("depth: ten", "'ten'"),
        ("depth: true", "'true'"),
        ("depth: [5]", "a list"),
        ("depth: " + "9" * 5000, "whole number"),
        ("metrics: []", "empty list"),
        ("metrics: [mrr, '']", "empty text"),
        ("metrics: [mrr, ~]", "null"),
        ("metrics: 'mrr,,ndcg'", "empty name"),
        ("metrics: {mrr: 1}", "a mapping"),
        ("describe: MiniLM", "describe must be a mapping"),
        ("describe: {n: 1e999}", "too large"),
        ("documents: []", "empty list"),
        ("documents: [[a]]", "a list"),
        ('documents: "a\\0b"', "U+0000"),
        ("document_id: '^(.*'", "no regular expression"),
        ("document_id: '^.*#'", "group"),
        ("document_id: '(?:x)'", "group"),
        ("document_id: 'a{99999999999999999999}(b)'", "no regular expression"),
        ("gate: true", "gate must be a mapping"),
        ("gate:", "gate must be a mapping"),
        ("gate: {margins: 0.1}", "did you mean 'margin'"),
        ("gate: {colour: 1}", "known: metrics, margin"),
        ("gate: {metrics: }", "gate: metrics"),
        ("gate: {margin: 2}", "from 0 to 1"),
        ("gate: {margin: -0.1}", "from 0 to 1"),
        ("gate: {margin: 2%}", "'2%'"),
        ("gate: {margin: '0.1'}", "'0.1'"),
        ("gate: {margin: .nan}", "'.nan'"),
        ("gate: {margin: 1e999}", "from 0 to 1"),
        ("gate: {margin: {mrr: 1.5}}", "margin: mrr"),
        ("gate: {margin: {~: 0.5}}", "null"),
        ("gate: {confidence: 1}", "below 1"),
        ("ask: 5", "ask must be a mapping"),
        ("ask: {speed: 5}", "known: concurrency, timeout, retries, retry_on, retry_wait"),
        ("ask: {concurrency: 0}", "ask: concurrency must be a whole number of at least 1"),
        ("ask: {timeout: 0}", "ask: timeout must be a number of seconds above 0"),
        ("ask: {timeout: 1e999}", "number of seconds"),
        ("ask: {timeout: '5'}", "number of seconds"),
        ("ask: {timeout: soon}", "'soon'"),
        ("ask: {retries: -1}", "ask: retries must be a whole number of at least 0"),
        ("ask: {retry_on: []}", "empty list"),
        ("ask: {retry_wait: -1}", "ask: retry_wait must be a number of seconds of at least 0"),
        ("gate: {confidence: 95}", "such as 0.95"),
        ("gate: {confidence: 0.49}", "at least 0.5"),
        ("gate: {confidence: high}", "such as 0.95"),
        ("gate: {min_queries: 0}", "whole number of at least 1"),
        ("gate: {floors: 0.8}", "floors must be a mapping"),
        ("gate: {floors: {mrr: 80}}", "from 0 to 1"),
        ("gate: {floors: {mrr: yes}}", "from 0 to 1"),
        ("gate: {slices: {a: b}}", "a mapping"),
        ("gate: {kinds: [a]}", "kinds must be a mapping"),
        ("gate: {kinds: {a: 0.1}}", "must be a mapping"),
        ("gate: {kinds: {a: {floor: 1}}}", "did you mean 'floors'"),
        ("gate: {kinds: {a: {metrics: mrr}}}", "known: margin, anchor_margin, floors"),
        ("gate: {kinds: {~: {}}}", "null"),
    ],
)
def test_what_cannot_be_meant_is_an_error_at_its_line(line: str, words: str) -> None:
    with pytest.raises(GoldenError) as caught:
        header(f"# first line\n{line}\n")
    assert str(caught.value).startswith("golden.yaml:2: ")
    assert words in caught.value.message


def test_a_pattern_that_python_warns_about_is_no_warning_of_ours() -> None:
    assert header("document_id: '([[a]x)'\n").document_id == "([[a]x)"
