"""Only earlier output of the same kind is replaced."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_retrieval.reporting.overwriting import keeps_report_out, keeps_run_out
from pytest_retrieval.reporting.result import RunResult
from pytest_retrieval.reporting.writers import SUFFIXES, write_by_suffix
from pytest_retrieval.retrieval.saving_runs import write_run


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_report_replaces_a_report(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"report{suffix}"
    assert keeps_report_out(path) == ""
    write_by_suffix(path, RunResult((), "incomplete", complete=False))
    assert keeps_report_out(path) == ""
    path.write_text("", "utf-8")  # made by mktemp, perhaps
    assert keeps_report_out(path) == ""


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("golden.json", '{"format": "pytest-retrieval-baseline/1", "rows": []}'),
        ("package.json", '{"name": "x"}'),
        ("README.md", "# What this is"),
        ("index.html", "<!doctype html><title>Home</title>"),
        ("x.codequality.json", '{"a": 1}'),
    ],
)
def test_what_people_keep_is_not_replaced_by_a_report(tmp_path: Path, name: str, content: str) -> None:
    path = tmp_path / name
    path.write_text(content, "utf-8")
    assert keeps_report_out(path) == (
        "is there already and is no report of pytest-retrieval: choose another name, or remove it first"
    )


@pytest.mark.parametrize("name", ["a.trec", "a.jsonl"])
@pytest.mark.parametrize("ranked", [["D1", "D2"], [f"document-{number}" for number in range(1_000)]])
def test_a_run_replaces_a_run(tmp_path: Path, name: str, ranked: list[str]) -> None:
    path = tmp_path / name
    assert keeps_run_out(path) == ""
    write_run(path, {"q 1" if name.endswith("jsonl") else "q1": ranked}, "bm25")
    assert keeps_run_out(path) == ""


@pytest.mark.parametrize(
    "content", ['{"id": "q1", "text": "t", "relevant": ["D1"]}', "queries:", "[1]", '{"a": ', "a b c"]
)
def test_what_people_keep_is_not_replaced_by_a_run(tmp_path: Path, content: str) -> None:
    path = tmp_path / "corpus.jsonl"
    path.write_text(content, "utf-8")
    assert keeps_run_out(path) == "is there already and is no run: choose another name, or remove it first"


@pytest.mark.parametrize("name", ["golden.jsonl", "golden_docs.local.jsonl", "a.golden.yaml"])
def test_no_run_takes_the_name_of_a_golden_set(name: str) -> None:
    assert keeps_run_out(Path(name)).startswith("has the name of a golden set")
