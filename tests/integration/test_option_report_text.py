"""``retrieval_report_text = id``: no report holds the text of a query."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from inner_project import Project, Run, Say, queries, query

from pytest_retrieval.cli import main

SECRET = "zanzibar"

NOISY = """
import logging, sys
import pytest
import table_retriever


@pytest.fixture(scope="session")
def retriever():
    def search(text, k):
        print("asked for", text)
        print("asked for", text, file=sys.stderr)
        logging.warning("asked for %s", text)
        answer = table_retriever.search(text, k)
        if answer == ["fail"]:
            raise ValueError(f"cannot answer {text}")
        if answer == ["nonsense"]:
            return text
        return answer
    return search
"""


def secret(query_id: str, kind: str = "word", **more: object) -> dict[str, object]:
    return query(query_id, kind, text=f"{SECRET} {query_id}", **more)


@pytest.fixture
def private(project: Project) -> Project:
    """Every kind of trouble that a query can be in, and a red gate."""
    rows = [
        *(secret(f"w{n:02}") for n in range(12)),
        secret("must", "m", must={"mrr": 1}),
        secret("fail", "f"),
        secret("nonsense", "n"),
    ]
    project.golden(rows, max_errors=5)
    project.run("--update-baseline")
    project.write("conftest.py", NOISY)
    project.fall(rows[:13])
    project.answer(f"{SECRET} fail", ["fail"])
    project.answer(f"{SECRET} nonsense", ["nonsense"])
    return project


HTML = ("-p", "pytest_metadata.plugin", "-p", "pytest_html.plugin", "-p", "pytest_html.fixtures")
FILES = ("a.md", "a.html", "a.codequality.json", "a.json", "junit.xml", "page.html", "summary.md")


def run(project: Project, monkeypatch: pytest.MonkeyPatch, *args: str) -> Run:
    """A run that writes everything there is."""
    pytest.importorskip("pytest_html", reason="pytest-html is not installed")
    pytest.importorskip("jinja2", reason="jinja2 is not installed")
    for name in FILES:
        (project.path / name).unlink(missing_ok=True)
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(project.path / "summary.md"))
    reports = [f"--retrieval-report={name}" for name in FILES[:4]]
    files = ("--junitxml=junit.xml", "-o", "junit_logging=all", "--html=page.html", "--self-contained-html")
    return project.run(*HTML, *reports, *files, "-ra", "-vv", "--retrieval-baseline", *args)


def holders(project: Project, done: Run) -> set[str]:
    """Where the secret stands."""
    found = {name for name in FILES if SECRET in (project.path / name).read_text("utf-8")}
    return found | ({"terminal"} if SECRET in done.text else set())


@pytest.mark.parametrize("style", ["auto", "long", "short", "line", "native"])
def test_no_report_holds_a_text(private: Project, monkeypatch: pytest.MonkeyPatch, style: str) -> None:
    done = run(private, monkeypatch, "--retrieval-report-text=id", f"--tb={style}", "--showlocals")
    assert done.exit == 1
    assert holders(private, done) == set()
    assert "w01" in (private.path / "a.md").read_text("utf-8")
    assert done.query("w01")["text"] == ""
    assert done.query("fail")["error"].startswith("ValueError; the rest is withheld")


def test_with_workers_neither(private: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    args = ("--retrieval-report-text=id", "-p", "xdist.plugin", "-n", "2")
    assert holders(private, run(private, monkeypatch, *args)) == set()


def test_several_queries_at_a_time_neither(private: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    args = ("--retrieval-report-text=id", "--retrieval-concurrency=3")
    assert holders(private, run(private, monkeypatch, *args)) == set()


def test_the_texts_are_there_otherwise(private: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    assert holders(private, run(private, monkeypatch)) == {*FILES, "terminal"}


def test_every_way_of_saying_it(project: Project, say: Say) -> None:
    project.golden(queries(2))
    done = project.run(*say("report-text", "id"))
    assert [one["text"] for one in done.set()["queries"]] == ["", ""]


def test_another_word_is_refused(project: Project) -> None:
    project.golden(queries(1))
    done = project.run("--retrieval-report-text=hash", report=False)
    assert done.exit == 4
    assert "expected 'text' or 'id'" in done.text


def test_a_failure_still_says_where_and_what_kind(project: Project) -> None:
    project.golden([secret("q1")])
    project.answer(f"{SECRET} q1", "out of memory")
    done = project.run("--retrieval-report-text=id")
    assert done.failures == [
        "TableError; the rest is withheld, as it may hold the query's text (retrieval_report_text = id) "
        "(golden.yaml:2: query 'q1')"
    ]


@pytest.mark.parametrize("form", ["terminal", "markdown", "json", "html"])
def test_a_comparison_can_keep_them_out_as_well(private: Project, form: str, tmp_path: Path) -> None:
    if form == "html":
        pytest.importorskip("jinja2", reason="jinja2 is not installed")
    private.run("--retrieval-report-text=id", "--retrieval-report=ids.json")
    out = tmp_path / "out"
    args = ["compare", "baselines/golden.json", "ids.json", "--format", form, "--force", "-o", str(out)]
    assert main([*args, "--report-text", "text"]) == 0
    assert SECRET in out.read_text("utf-8")  # the golden set has them
    assert main([*args, "--report-text", "id"]) == 0
    assert SECRET not in out.read_text("utf-8")
    # as the report was written
    assert main(args) == 0
    assert SECRET not in out.read_text("utf-8")


def test_local_questions_neither(private: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    row = secret("mine")
    private.write("golden.local.jsonl", json.dumps(row) + "\n")
    private.answers([row])
    done = run(private, monkeypatch, "--retrieval-report-text=id")
    assert holders(private, done) == set()
    assert [one["id"] for one in done.set()["local_queries"]] == ["mine"]


@pytest.mark.parametrize(
    "end",
    ["pytest.fail(text)", "pytest.skip(text)", "pytest.xfail(text)", "raise SystemExit(text)"],
)
def test_other_ends_of_a_call_tell_no_text(
    private: Project, monkeypatch: pytest.MonkeyPatch, end: str
) -> None:
    private.write(
        "conftest.py",
        "import pytest\n\n\n@pytest.fixture(scope='session')\ndef retriever():\n"
        f"    def search(text, k):\n        {end}\n    return search\n",
    )
    done = run(private, monkeypatch, "--retrieval-report-text=id", "--showlocals")
    assert holders(private, done) == set()
    assert "the rest is withheld" in (done.query("w01")["error"] or "")


def test_pytest_exit_still_ends_the_run_and_tells_no_text(private: Project) -> None:
    private.write(
        "conftest.py",
        "import pytest\n\n\n@pytest.fixture(scope='session')\ndef retriever():\n"
        "    return lambda text, k: pytest.exit(text, returncode=7)\n",
    )
    done = private.run("--retrieval-report-text=id")
    assert done.exit == 7
    assert SECRET not in done.text


def test_the_live_log_and_the_log_file_tell_no_text(private: Project) -> None:
    private.write("test_it.py", "import logging\n\n\ndef test_it():\n    logging.warning('another test')\n")
    logs = ("-o", "log_cli=true", "--log-file=log.txt", "--retrieval-concurrency=3")
    done = private.run("--retrieval-report-text=id", *logs)
    written = done.text + (private.path / "log.txt").read_text("utf-8")
    assert SECRET not in written
    assert written.count("another test") >= 2
    assert SECRET in private.run(*logs).text
