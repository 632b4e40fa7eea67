from __future__ import annotations

import json
import re
import sys

import pytest
from inner_project import Project, Say, queries, query, timeless


@pytest.fixture
def small(project: Project) -> Project:
    project.golden(queries(2))
    return project


def test_without_it_nothing_is_written(small: Project) -> None:
    before = sorted(small.path.iterdir())
    assert small.run(report=False).exit == 0
    assert {path.name for path in small.path.iterdir()} - {path.name for path in before} <= {
        "events.txt",
        "__pycache__",
    }


def test_every_way_of_saying_it(small: Project, say: Say) -> None:
    assert small.run(*say("report", "out.json"), report=False).exit == 0
    assert json.loads((small.path / "out.json").read_text("utf-8"))["status"] == "measured"


def test_it_may_be_given_several_times(small: Project) -> None:
    small.run("--retrieval-report=a.json", "--retrieval-report", "deep/er/b.json", report=False)
    assert (small.path / "a.json").read_bytes() == (small.path / "deep/er/b.json").read_bytes()


def test_the_same_run_writes_the_same_bytes_but_for_its_times(small: Project) -> None:
    small.run("--retrieval-report=a.json", report=False)
    small.run("--retrieval-report=b.json", report=False)
    first, again = ((small.path / name).read_bytes() for name in ("a.json", "b.json"))
    assert timeless(first) == timeless(again)


def test_the_path_counts_from_where_it_was_typed(small: Project) -> None:
    (small.path / "inner").mkdir()
    assert small.run("..", "--retrieval-report=out.json", folder="inner", report=False).exit == 0
    assert (small.path / "inner/out.json").exists()


def test_another_suffix_is_refused(small: Project, say: Say) -> None:
    run = small.run(*say("report", "out.xml"), report=False)
    assert run.exit == 4
    assert "retrieval-report" in run.text.replace("_", "-")
    assert "cannot write 'out.xml': expected a file name that ends in .json or .html" in run.text
    assert small.events == []


def test_a_place_that_cannot_be_written_is_refused_before_anything_is_asked(small: Project) -> None:
    (small.path / "taken.json").mkdir()
    run = small.run("--retrieval-report=taken.json", report=False)
    assert run.exit == 4
    assert "--retrieval-report" in run.text
    assert "taken.json" in run.text
    assert small.events == []


def test_a_page_is_written_beside_the_report_for_machines(small: Project) -> None:
    pytest.importorskip("jinja2", reason="jinja2 is not installed")
    assert small.run("--retrieval-report=out.html").exit == 0
    page = (small.path / "out.html").read_text("utf-8")
    assert "Measured, and compared with nothing" in page
    (data,) = re.findall(r'<script type="application/json" id="report">(.*?)</script>', page, re.DOTALL)
    assert json.loads(data) == json.loads((small.path / "report.json").read_text("utf-8"))


def test_a_page_of_a_run_that_stopped_is_no_stale_pass(small: Project) -> None:
    pytest.importorskip("jinja2", reason="jinja2 is not installed")
    small.answer("text of w01", "a failure of the retriever")
    small.run("-x", "--retrieval-report=out.html", report=False)
    assert "Not everything was judged" in (small.path / "out.html").read_text("utf-8")


def test_without_jinja_a_page_is_refused_before_anything_is_asked(
    small: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "jinja2", None)
    run = small.run("--retrieval-report=out.html", report=False)
    assert run.exit == 4
    assert "out.html: an HTML report needs Jinja2; run: pip install 'pytest-retrieval[html]'" in run.text
    assert small.events == []


def test_no_golden_set_leaves_an_incomplete_report(project: Project) -> None:
    project.write("test_it.py", "def test_it():\n    pass\n")
    run = project.run()
    assert run.exit == 0
    assert run.report == {
        "format": "pytest-retrieval-report/1",
        "status": "incomplete",
        "complete": False,
        "left_out": [],
        "sets": [],
    }


def test_the_fields_that_are_promised_are_there(project: Project) -> None:
    rows = [*queries(10, "word"), query("p1", "phrase", must={"mrr": 1})]
    project.golden(rows, gate={"floors": {"recall@5": 0.5}})
    project.run("--update-baseline")
    project.answer("text of w01", ["D9", "D1"])
    run = project.run("--retrieval-baseline")
    assert set(run.report) >= {"format", "status", "complete", "sets"}
    assert run.report["complete"] is True
    one = run.set()
    promised = (
        "golden retriever baseline population depth queries_total scored errors not_run added removed changed"
    )
    assert set(one) >= {*promised.split(), "relabelled", "means", "gates", "queries"}
    assert (one["queries_total"], one["scored"], one["errors"], one["not_run"]) == (11, 11, 0, 0)
    assert one["means"][0]["slice"] == {}
    assert [row["slice"] for row in one["means"][1:]] == [{"kind": "word"}, {"kind": "phrase"}]
    promised = "node slice metric against n better worse equal before after difference interval margin floor"
    for gate in one["gates"]:
        assert set(gate) >= {*promised.split(), "p", "p_adjusted", "detectable_drop", "verdict", "reason"}
    promised = "id text kind outcome error ranked scores baseline must_failed missing unjudged"
    for each in one["queries"]:
        assert set(each) >= set(promised.split())


def test_the_fields_hold_what_they_say(project: Project) -> None:
    project.golden(queries(10))
    project.run("--update-baseline")
    project.answer("text of w01", ["D9", "D1"])
    run = project.run("--retrieval-baseline", "--retrieval-metrics=mrr", "--retrieval-gate=mrr")
    first = run.query("w01")
    assert (first["ranked"], first["unjudged"], first["missing"]) == (["D9", "D1"], ["D9"], [])
    assert (first["scores"], first["baseline"]) == ({"mrr": 0.5}, {"mrr": 1})
    gate = run.gate(metric="mrr")
    assert (gate["node"], gate["n"], gate["better"], gate["worse"], gate["equal"]) == (
        "golden.yaml",
        10,
        0,
        1,
        9,
    )
    assert (gate["before"], gate["after"], gate["difference"]) == (1, 0.95, -0.05)
    assert (gate["margin"], gate["floor"], gate["verdict"]) == (0.02, None, "pass")


@pytest.mark.parametrize("apart", [[], ["-n", "2"]])
@pytest.mark.parametrize("name", ["baselines/golden.json", "baselines/golden.anchor.json"])
def test_a_baseline_is_never_replaced(project: Project, name: str, apart: list[str]) -> None:
    project.golden([query("q1")])
    project.run("--update-baseline")
    project.run("--update-baseline", "--retrieval-update-anchor=x")
    before = project.baselines()
    assert len(before) == 2
    start = project.run_apart if apart else project.run
    run = start(f"--retrieval-report={name}", *apart, report=False)
    assert run.exit == 4
    assert "nothing was asked or written: " in run.text
    assert "is the place of a baseline; choose another name" in run.text
    assert (project.baselines(), project.asked) == (before, [])


def test_nor_is_a_file_of_somebody_else(project: Project) -> None:
    project.golden([query("q1")])
    page = project.write("README.md", "# What this is\n")
    run = project.run("--retrieval-report=README.md", report=False)
    assert run.exit == 4
    assert "README.md is there already and is no report of pytest-retrieval" in run.text
    assert page.read_text("utf-8") == "# What this is\n"


def test_files_of_an_ini_string_are_apart_by_commas(project: Project) -> None:
    project.golden([query("q1")])
    project.ini("retrieval_report = a.json b.md")
    run = project.run(report=False)
    assert run.exit == 4
    assert "retrieval_report = 'a.json b.md': expected several files apart by commas" in run.text
