"""Plugins that people use beside this one see queries and gates as ordinary tests."""

from __future__ import annotations

import html
import importlib.util
import json
import re
import xml.etree.ElementTree as ElementTree
from typing import Any

import pytest
from inner_project import Project, Run, queries, query, timeless

XDIST = ("-p", "xdist.plugin", "-n", "2")
HTML = ("-p", "pytest_metadata.plugin", "-p", "pytest_html.plugin", "-p", "pytest_html.fixtures")
JSON = ("-p", "pytest_metadata.plugin", "-p", "pytest_jsonreport.plugin", "--json-report")
RERUNS = ("-p", "pytest_rerunfailures", "--reruns", "2")
COVERAGE = ("-p", "pytest_cov.plugin", "--cov=table_retriever", "--cov-report=json")


def needs(module: str) -> pytest.MarkDecorator:
    missing = importlib.util.find_spec(module) is None
    return pytest.mark.skipif(missing, reason=f"{module.replace('_', '-')} is not installed")


WORDS, PHRASES = queries(12, "word"), queries(12, "phrase")


@pytest.fixture
def fallen(project: Project) -> Project:
    """A golden set with a baseline; since then every word is lost."""
    project.golden([*WORDS, *PHRASES])
    assert project.run("--update-baseline").exit == 0
    for row in WORDS:
        project.answer(str(row["text"]), ["D9"])
    return project


def run_apart(project: Project, *args: str) -> Run:
    """Run in a process of its own, with no other plugin than those named."""
    project.monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    return project.run_apart("-p", "pytest_retrieval.plugin", *args)


# -- reports


@pytest.mark.parametrize("workers", [(), XDIST], ids=["alone", "xdist"])
def test_junit_holds_the_gates_with_their_messages(fallen: Project, workers: tuple[str, ...]) -> None:
    fallen.run("--junitxml=junit.xml", "--retrieval-baseline", *workers)
    suite = ElementTree.parse(fallen.path / "junit.xml").getroot().find("testsuite")
    assert suite is not None
    # 24 queries, two kinds and the file
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("27", "2", "0")
    cases = {case.get("name"): case for case in suite.iter("testcase")}
    assert set(cases) >= {"word", "phrase", "golden.yaml", "w01"}
    failure = cases["word"].find("failure")
    assert failure is not None
    assert (failure.get("message") or "").startswith("recall@5 fell 1.000 (1.000 -> 0.000)")
    assert "w01" in (failure.text or "")
    assert cases["phrase"].find("failure") is None


@needs("pytest_html")
@pytest.mark.parametrize("workers", [(), XDIST], ids=["alone", "xdist"])
def test_pytest_html_shows_the_gates_also_the_red_ones(fallen: Project, workers: tuple[str, ...]) -> None:
    run = fallen.run(*HTML, "--html=report.html", "--self-contained-html", "--retrieval-baseline", *workers)
    assert run.exit == 1
    page = (fallen.path / "report.html").read_text("utf-8")
    blob = re.search(r'data-jsonblob="([^"]*)"', page)
    assert blob is not None
    rows: dict[str, Any] = json.loads(html.unescape(blob[1]))["tests"]
    results = {name.removesuffix("::call"): row[-1]["result"] for name, row in rows.items()}
    assert results["golden.yaml::word"] == "Failed"
    assert results["golden.yaml::phrase"] == "Passed"
    assert results["golden.yaml"] == "Failed"
    assert results["golden.yaml::word::w01"] == "Passed"
    assert "recall@5 fell 1.000" in json.dumps(rows["golden.yaml::word"])


@needs("pytest_jsonreport")
def test_pytest_json_report_holds_the_gates(fallen: Project) -> None:
    run = fallen.run(*JSON, "--json-report-file=tests.json", "--retrieval-baseline")
    assert run.exit == 1
    read = json.loads((fallen.path / "tests.json").read_text("utf-8"))
    assert read["exitcode"] == 1
    tests = {test["nodeid"]: test for test in read["tests"]}
    assert tests["golden.yaml::word"]["outcome"] == "failed"
    assert tests["golden.yaml::phrase"]["outcome"] == "passed"
    assert tests["golden.yaml"]["outcome"] == "failed"
    assert "recall@5 fell 1.000" in json.dumps(tests["golden.yaml::word"]["call"])
    assert read["summary"]["total"] == 27


# -- reruns

FLAKY = """
import pytest
import table_retriever

SEEN = set()


@pytest.fixture(autouse=True)
def around():
    table_retriever.note("set up")


@pytest.fixture(scope="session")
def retriever():
    table_retriever.note("built")

    def search(text, k):
        first = text not in SEEN
        SEEN.add(text)
        if first and text == "text of w03":
            raise ConnectionError("try again")
        return ["D9"] if first and text == "text of w04" else table_retriever.search(text, k)

    return search
"""


@pytest.fixture
def flaky(project: Project) -> Project:
    """The first try of w03 raises and the first answer to w04 breaks its contract."""
    rows = queries(12, "word")
    rows[3] = query("w04", "word", must={"hit_rate@3": 1})
    project.golden(rows)
    assert project.run("--update-baseline").exit == 0
    project.write("conftest.py", FLAKY)
    return project


@needs("pytest_rerunfailures")
@pytest.mark.parametrize("workers", [(), XDIST], ids=["alone", "xdist"])
def test_a_rerun_query_is_judged_on_its_final_answer(flaky: Project, workers: tuple[str, ...]) -> None:
    run = flaky.run(*RERUNS, "--retrieval-baseline", *workers)
    assert run.exit == 0, run.text
    assert "2 rerun" in run.text
    assert run.status == "pass"
    assert {one["outcome"] for one in run.set()["queries"]} == {"scored"}
    assert run.query("w03")["error"] is None
    assert run.query("w04")["must_failed"] == []
    assert run.query("w04")["scores"]["recall@5"] == 1
    assert run.gate()["verdict"] == "unchanged"
    assert flaky.events.count("built") == (2 if workers else 1)
    # the fixture that runs for each test runs for each try
    assert flaky.events.count("set up") == 12 + 2


@needs("pytest_rerunfailures")
def test_without_reruns_the_same_run_is_red(flaky: Project) -> None:
    run = flaky.run("--retrieval-baseline")
    assert run.exit == 1
    assert run.query("w03")["outcome"] == "error"
    assert run.query("w04")["must_failed"] != []


@needs("pytest_rerunfailures")
def test_a_query_that_fails_every_time_is_an_error(fallen: Project) -> None:
    fallen.answer("text of p05", "always broken")
    run = fallen.run(*RERUNS, "--retrieval-baseline")
    assert run.exit == 1
    assert fallen.asked.count("text of p05") == 3
    assert "always broken" in run.query("p05")["error"]
    assert run.gate(kind="phrase")["reason"] == "1 of 12 queries failed: p05, which changes nothing"


@needs("pytest_rerunfailures")
def test_gates_are_not_run_again(fallen: Project) -> None:
    run = fallen.run(*RERUNS, "--retrieval-baseline")
    assert run.exit == 1
    assert "rerun" not in run.text.splitlines()[-1]
    assert len(fallen.asked) == 24


# -- order


@needs("pytest_randomly")
def test_a_shuffled_order_changes_no_byte(fallen: Project) -> None:
    fallen.golden(queries(10, "more"), "golden_more.yaml")
    assert fallen.run("--retrieval-baseline").exit == 1
    report, asked = timeless((fallen.path / "report.json").read_bytes()), fallen.asked
    for seed in ("1", "2"):
        shuffled = run_apart(
            fallen, "-p", "pytest_randomly", f"--randomly-seed={seed}", "--retrieval-baseline"
        )
        assert shuffled.exit == 1
        assert fallen.asked != asked
        assert sorted(fallen.asked) == sorted(asked)
        assert timeless((fallen.path / "report.json").read_bytes()) == report


@needs("pytest_randomly")
def test_a_shuffled_order_writes_the_same_baseline(fallen: Project) -> None:
    before = fallen.baselines()
    fallen.ini("addopts = --retrieval-update-anchor=fallen")
    assert fallen.run("--update-baseline").exit == 0
    in_order = fallen.baselines()
    assert in_order != before
    (fallen.path / "baselines/golden.anchor.json").unlink()
    fallen.write("baselines/golden.json", before["golden.json"])
    assert run_apart(fallen, "-p", "pytest_randomly", "--randomly-seed=3", "--update-baseline").exit == 0
    assert fallen.baselines() == in_order


# -- coverage


@needs("pytest_cov")
@pytest.mark.parametrize("workers", [(), XDIST], ids=["alone", "xdist"])
def test_coverage_of_the_retriever_is_measured_and_the_exit_kept(
    fallen: Project, workers: tuple[str, ...]
) -> None:
    run = run_apart(fallen, *COVERAGE, *workers, "--retrieval-baseline")
    assert run.exit == 1
    assert run.status == "regression"
    measured = json.loads((fallen.path / "coverage.json").read_text("utf-8"))["files"]["table_retriever.py"]
    source = (fallen.path / "table_retriever.py").read_text("utf-8").splitlines()
    answered = source.index("    return answer") + 1
    assert answered in measured["executed_lines"]
    for row in WORDS:
        fallen.answer(str(row["text"]), ["D1"])
    assert run_apart(fallen, *COVERAGE, *workers, "--retrieval-baseline").exit == 0


@needs("pytest_cov")
def test_too_little_coverage_fails_a_run_whose_gates_pass(fallen: Project) -> None:
    for row in WORDS:
        fallen.answer(str(row["text"]), ["D1"])
    run = run_apart(fallen, *COVERAGE, "--cov-fail-under=100", "--retrieval-baseline")
    assert run.exit == 1
    assert "Required test coverage of 100% not reached" in run.text
    assert {gate["verdict"] for gate in run.set()["gates"]} == {"unchanged"}


@needs("pytest_cov")
def test_enough_coverage_does_not_turn_a_regression_green(fallen: Project) -> None:
    run = run_apart(fallen, *COVERAGE, "--cov-fail-under=10", "--retrieval-baseline")
    assert run.exit == 1
    assert "FAILED golden.yaml::word" in run.text


@needs("pytest_html")
def test_pytest_html_shows_scores_and_documents_with_foreign_text_escaped(project: Project) -> None:
    rows = [query("w01", text="<script>alert(1)</script>"), *queries(2)[1:]]
    project.golden(rows)
    project.answer("<script>alert(1)</script>", ["<b>D9</b>", "D1"])
    run = project.run(*HTML, "--html=page.html", "--self-contained-html")
    assert run.exit == 0, run.text
    page = (project.path / "page.html").read_text("utf-8")
    data = json.loads(html.unescape(page.partition('data-jsonblob="')[2].partition('"')[0]))
    extras = {name: one[0]["extras"] for name, one in data["tests"].items()}
    shown = extras["golden.yaml::word::w01"][0]["content"]
    assert "<tr><td>mrr</td><td>0.500</td></tr>" in shown
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in shown
    assert "<td>&lt;b&gt;D9&lt;/b&gt;, D1</td>" in shown
    assert "<script>" not in shown
