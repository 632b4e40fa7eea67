from __future__ import annotations

from pathlib import Path

import yaml

from pytest_retrieval.commands.known_items import KnownItem
from pytest_retrieval.commands.starter_files import CONFTEST, golden_text, workflow_text
from pytest_retrieval.gating.policy import DEFAULT_GATE_METRICS, DEFAULT_MARGIN
from pytest_retrieval.golden.reader import load_golden

ODD = [
    KnownItem('He said: "no" # and {left}', "docs/a.md"),
    KnownItem("back\\slash, 'quote' and 🙂 価格", "docs/with blank, comma.md"),
    KnownItem("yes", "docs/007"),
    KnownItem("- dash: colon", "docs/é\u200b.md"),
]


def write(folder: Path, text: str) -> Path:
    path = folder / "golden_docs.yaml"
    path.write_text(text, "utf-8")
    return path


def test_odd_headings_and_names_come_back_as_they_were(tmp_path: Path) -> None:
    path = write(tmp_path, golden_text(ODD, ["docs/**/*.md"], retriever="bm25"))
    golden = load_golden(path, check_documents=False)
    assert [(query.text, *query.relevant) for query in golden.queries] == [
        (item.text, item.document) for item in ODD
    ]
    assert golden.header.retriever == "bm25"
    assert golden.header.documents == ("docs/**/*.md",)


def test_each_query_says_that_a_machine_wrote_it(tmp_path: Path) -> None:
    golden = load_golden(write(tmp_path, golden_text(ODD, ["*"], retriever=None)), check_documents=False)
    assert golden.header.retriever is None
    assert {query.kind for query in golden.queries} == {"heading"}
    assert {query.metadata["written_by"] for query in golden.queries} == {"machine"}
    assert [query.id for query in golden.queries] == ["h01", "h02", "h03", "h04"]


def test_the_room_for_real_questions_is_a_golden_set_once_the_marks_are_taken_off(tmp_path: Path) -> None:
    text = golden_text(ODD, ["docs/*.md"], retriever="bm25").replace("  # - {", "  - {")
    golden = load_golden(write(tmp_path, text), check_documents=False)
    assert golden.kinds() == ("heading", "identifier", "paraphrase", "multi-hop", "unanswerable")
    assert len(golden.queries) == len(ODD) + 5


def test_the_rules_that_are_shown_are_the_defaults(tmp_path: Path) -> None:
    text = golden_text(ODD, ["docs/*.md"], retriever="bm25").replace("# gate:", "gate:")
    gate = load_golden(write(tmp_path, text), check_documents=False).header.gate
    assert (gate.metrics, gate.margin) == (DEFAULT_GATE_METRICS, DEFAULT_MARGIN)


def test_the_workflow_reads_only_and_runs_for_forks_without_secrets() -> None:
    for retriever in ("bm25", None):
        text = workflow_text(retriever=retriever)
        workflow = yaml.safe_load(text)
        assert "pull_request" in workflow[True]  # YAML 1.1 reads `on` as a truth value
        assert workflow["permissions"] == {"contents": "read"}
        assert "pull_request_target" not in text
        assert "secrets" not in text.replace("no secrets", "")
        assert "INSTALL" not in text


def test_the_workflow_installs_the_search_that_is_asked() -> None:
    assert '"pytest-retrieval[bm25]"' in workflow_text(retriever="bm25")
    assert "[bm25]" not in workflow_text(retriever=None)


def test_the_fixture_to_fill_in_is_python() -> None:
    compile(CONFTEST, "conftest.py", "exec")
