"""``pytest-retrieval compare``: files held against each other with the gate's own engine."""

from __future__ import annotations

import json
import sys
from typing import Any

import pytest
from inner_project import Project, queries, query

from pytest_retrieval.cli import main


def compare(*args: str) -> int:
    return main(["compare", *args])


def data_of(capsys: pytest.CaptureFixture[str], *args: str) -> dict[str, Any]:
    """What ``--format json`` prints."""
    capsys.readouterr()
    assert compare(*args, "--format", "json") == 0
    data = json.loads(capsys.readouterr().out)
    assert data["format"] == "pytest-retrieval-comparison/1"
    return dict(data)


def refused(capsys: pytest.CaptureFixture[str], *args: str) -> str:
    capsys.readouterr()
    assert compare(*args) == 1
    err = capsys.readouterr().err
    assert err.startswith("pytest-retrieval compare: ")
    assert "Traceback" not in err
    return err


def lines_of(text: str) -> list[str]:
    return [" ".join(line.split()) for line in text.splitlines()]


@pytest.fixture
def fallen(project: Project) -> Project:
    """Two kinds of twelve; six of one kind lost all they had since the baseline. ``report.json`` is red."""
    project.golden([*queries(12, "word"), *queries(12, "phrase")], describe={"model": "a"})
    project.run("--update-baseline")
    project.golden([*queries(12, "word"), *queries(12, "phrase")], describe={"model": "b"})
    project.fall(queries(6, "word"))
    assert project.run("--retrieval-baseline").exit == 1
    return project


# -- the same engine as the gate


def test_a_baseline_and_a_report_give_the_gates_verdicts(
    fallen: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    measured = json.loads((fallen.path / "report.json").read_text("utf-8"))["sets"][0]["gates"]
    (one,) = data_of(capsys, "baselines/golden.json", "report.json")["sets"]
    assert len(one["gates"]) == len(measured) == 6
    for here, gate in zip(one["gates"], measured, strict=True):
        low, high = here.pop("interval")
        assert (here.pop("node"), gate.pop("node")[:11]) == ("golden.yaml", "golden.yaml")
        narrow = gate.pop("interval")
        assert low <= narrow[0] <= narrow[1] <= high
        assert here == gate


def test_the_terminal_shows_the_table_the_movers_and_both_rankings(
    fallen: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    assert compare("baselines/golden.json", "report.json") == 0
    out = lines_of(capsys.readouterr().out)
    assert out[0] == "golden.yaml: report.json against baselines/golden.json"
    assert "24 of 24 queries compared" in out
    assert any(line.startswith("word 12 1.000 -> 0.500 -0.500") and "+0 -6 =6" in line for line in out)
    assert "biggest losses, 5 of 6" in out
    assert 'w01 recall@5 1.000 -> 0.000 "text of w01"' in out
    assert "baselines/golden.json report.json" in out
    assert "1 -* D1 +? D9" in out
    assert "lost and relevant: D1" in out
    assert "documents in the top 10: 6 new (6 unjudged); 6 lost (6 relevant)" in out
    assert "word 1.000 -> 0.500 1.000 -> 0.500" in out  # judged@5 and judged@10
    assert "note: model: a before, b now" in out
    assert any("two-sided, 95 %" in line for line in out)


def test_how_many_movers_are_shown_can_be_said(fallen: Project, capsys: pytest.CaptureFixture[str]) -> None:
    assert compare("baselines/golden.json", "report.json", "--movers", "1") == 0
    assert "biggest losses, 1 of 6" in capsys.readouterr().out


def test_metrics_and_margin_can_be_said(fallen: Project, capsys: pytest.CaptureFixture[str]) -> None:
    args = ("baselines/golden.json", "report.json", "--metric", "mrr@3,Success@1", "--margin", "0.6")
    (one,) = data_of(capsys, *args)["sets"]
    assert one["gate_metrics"] == ["mrr@3", "hit_rate@1"]
    assert {gate["margin"] for gate in one["gates"]} == {0.6}
    assert {gate["verdict"] for gate in one["gates"]} == {"pass", "unchanged"}


def test_the_golden_sets_own_rules_hold_else(project: Project, capsys: pytest.CaptureFixture[str]) -> None:
    gate = {"metrics": ["mrr"], "margin": 0.3, "kinds": {"word": {"margin": 0.1}}, "min_queries": 4}
    project.golden([*queries(5, "word"), *queries(5, "phrase")], gate=gate)
    project.run("--update-baseline")
    project.run("--retrieval-baseline")
    (one,) = data_of(capsys, "baselines/golden.json", "report.json")["sets"]
    margins = {str(row["slice"]): row["margin"] for row in one["gates"]}
    assert margins == {"{}": 0.3, "{'kind': 'phrase'}": 0.3, "{'kind': 'word'}": 0.1}
    assert {row["verdict"] for row in one["gates"]} == {"unchanged"}


def test_new_and_lost_documents_stand_beside_each_query(
    fallen: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    (one,) = data_of(capsys, "baselines/golden.json", "report.json")["sets"]
    rows = {row["id"]: row for row in one["queries"]}
    assert (rows["w01"]["new"], rows["w01"]["lost"]) == (["D9"], ["D1"])
    assert (rows["w12"]["new"], rows["w12"]["lost"]) == ([], [])
    assert (rows["w01"]["baseline_ranked"], rows["w01"]["ranked"]) == (["D1"], ["D9"])


def test_a_report_against_itself_is_unchanged(fallen: Project, capsys: pytest.CaptureFixture[str]) -> None:
    data = data_of(capsys, "report.json", "report.json")
    assert {gate["verdict"] for gate in data["sets"][0]["gates"]} == {"unchanged"}
    assert data["sets"][0]["retriever"] == "report.json (2)"


# -- runs


RUN = """\
w01 Q0 D1 1 3 bm25
w01 Q0 D2 2 2 bm25
w02 Q0 D2 1 3 bm25
w02 Q0 D1 2 2 bm25
"""


def test_a_trec_run_and_a_jsonl_run_are_compared_under_a_golden_set(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    project.golden(queries(2))
    project.write("old.run", RUN)
    project.write("new.jsonl", '{"id": "w01", "ranked": ["D1"]}\n{"id": "w02", "ranked": ["D1", "D2"]}\n')
    assert "name it with --golden" in refused(capsys, "old.run", "new.jsonl")
    args = ("old.run", "new.jsonl", "--golden", "golden.yaml", "--metric", "mrr")
    (gate,) = data_of(capsys, *args)["sets"][0]["gates"]
    assert (gate["before"], gate["after"], gate["better"], gate["n"]) == (0.75, 1, 1, 2)
    assert gate["verdict"] == "pass"


def test_chunks_of_a_run_become_documents(project: Project, capsys: pytest.CaptureFixture[str]) -> None:
    project.golden(queries(1))
    project.write("old.jsonl", '{"id": "w01", "ranked": ["D2#1", "D2#2", "D1#1"]}\n')
    project.write("new.jsonl", '{"id": "w01", "ranked": ["D1#2", "D1#1"]}\n')
    args = ("old.jsonl", "new.jsonl", "--golden", "golden.yaml", "--metric", "mrr", "--document-id", "^(.*)#")
    (gate,) = data_of(capsys, *args)["sets"][0]["gates"]
    assert (gate["before"], gate["after"]) == (0.5, 1)


def test_a_query_that_a_run_lacks_keeps_its_slice_from_judgement(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    project.golden(queries(3))
    project.write("old.jsonl", "".join(f'{{"id": "w0{n}", "ranked": ["D1"]}}\n' for n in (1, 2, 3)))
    project.write("new.jsonl", '{"id": "w01", "ranked": ["D1"]}\n')
    (one,) = data_of(capsys, "old.jsonl", "new.jsonl", "--golden", "golden.yaml")["sets"]
    assert {gate["verdict"] for gate in one["gates"]} == {"not evaluated"}
    assert "2 of 3 queries were not run: w02, w03" in one["gates"][0]["reason"]


def test_a_run_is_cut_as_deep_as_the_baseline_looks(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    project.golden(queries(1), depth=10)
    project.run("--update-baseline")
    many = [f"X{number}" for number in range(15)] + ["D1"]
    project.write("new.jsonl", json.dumps({"id": "w01", "ranked": many}) + "\n")
    (gate,) = data_of(capsys, "baselines/golden.json", "new.jsonl", "--metric", "mrr")["sets"][0]["gates"]
    assert (gate["before"], gate["after"]) == (1, 0)


def test_three_files_are_held_against_the_first_one(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    project.golden([*queries(2, "word"), *queries(2, "phrase")])
    for name, answers in (("a", "D9"), ("b", "D1"), ("c", "D1")):
        rows = [{"id": query, "ranked": [answers]} for query in ("w01", "w02", "p01", "p02")]
        project.write(f"{name}.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    assert compare("a.jsonl", "b.jsonl", "c.jsonl", "--golden", "golden.yaml", "--metric", "mrr") == 0
    out = lines_of(capsys.readouterr().out)
    assert out[:4] == [
        "mrr a.jsonl b.jsonl c.jsonl",
        "word 0.000 1.000 1.000",
        "phrase 0.000 1.000 1.000",
        "all 0.000 1.000 1.000",
    ]
    assert "golden.yaml: b.jsonl against a.jsonl" in out
    assert "golden.yaml: c.jsonl against a.jsonl" in out


# -- the labels


def test_the_golden_set_of_a_baseline_is_found_below_any_folder(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    project.golden(queries(2), "inner/golden_more.jsonl")
    project.run("--update-baseline", "--retrieval-baseline-dir=tests/kept")
    kept = "tests/kept/inner/golden_more.json"
    (one,) = data_of(capsys, kept, kept)["sets"]
    assert one["golden"] == "inner/golden_more.jsonl"


def test_a_baseline_from_elsewhere_asks_for_its_golden_set(
    fallen: Project, capsys: pytest.CaptureFixture[str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    other = tmp_path_factory.mktemp("away") / "old.json"
    other.write_bytes((fallen.path / "baselines/golden.json").read_bytes())
    assert "its golden set was not found: name it with --golden" in refused(capsys, str(other), str(other))
    (one,) = data_of(capsys, str(other), "report.json")["sets"]
    assert one["golden"] == "golden.yaml"
    assert compare(str(other), str(other), "--golden", "golden.yaml") == 0


def test_reports_hold_labels_and_texts_by_themselves(
    fallen: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    (fallen.path / "golden.yaml").unlink()
    assert compare("report.json", "report.json") == 0
    assert "24 of 24 queries compared" in capsys.readouterr().out


def relabelled(project: Project) -> None:
    """Two reports under different labels: ``old.json`` and ``new.json``."""
    project.golden(queries(2))
    project.answer("text of w01", ["D1", "D2"])
    project.run("--retrieval-report=old.json")
    project.golden([query("w01", relevant={"D2": 1}), *queries(2)[1:]])
    project.answer("text of w01", ["D1", "D2"])
    project.run("--retrieval-report=new.json")


def test_reports_under_different_labels_are_scored_again_and_it_is_said(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    relabelled(project)
    (one,) = data_of(capsys, "old.json", "new.json", "--metric", "mrr")["sets"]
    assert (one["gates"][0]["before"], one["gates"][0]["after"]) == (0.75, 0.75)
    assert one["relabelled"] == ["w01"]
    assert one["notes"] == [
        "labels: 1 queries of old.json had others (w01); both sides are scored under those of golden.yaml"
    ]
    (one,) = data_of(capsys, "new.json", "old.json", "--metric", "mrr")["sets"]
    assert (one["gates"][0]["before"], one["gates"][0]["after"]) == (0.75, 0.75)
    assert len(one["notes"]) == 1


def test_without_the_golden_set_they_are_refused(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    relabelled(project)
    (project.path / "golden.yaml").rename(project.path / "elsewhere.yaml")
    err = refused(capsys, "old.json", "new.json")
    assert "1 queries have other labels or kinds than in new.json, 'w01' first" in err
    assert "--golden golden.yaml" in err
    assert compare("old.json", "new.json", "--golden", "elsewhere.yaml") == 0


def test_a_changed_text_is_not_compared(project: Project, capsys: pytest.CaptureFixture[str]) -> None:
    project.golden(queries(12))
    project.run("--update-baseline")
    rows = [query("w01", text="another question"), *queries(12)[1:]]
    project.golden(rows)
    project.run()
    (one,) = data_of(capsys, "baselines/golden.json", "report.json")["sets"]
    assert one["changed"] == ["w01"]
    assert {gate["n"] for gate in one["gates"]} == {11}


def test_a_text_that_changed_since_both_is_not_compared_either(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    project.golden(queries(12))
    project.run()
    project.golden([query("w01", text="another question"), *queries(12)[1:]])
    (one,) = data_of(capsys, "report.json", "report.json")["sets"]
    assert one["changed"] == ["w01"]


def test_queries_of_one_side_only_are_listed(project: Project, capsys: pytest.CaptureFixture[str]) -> None:
    project.golden(queries(12))
    project.run("--retrieval-report=old.json")
    rows = [*queries(12)[1:], query("n1")]
    project.golden(rows)
    project.run("--retrieval-report=new.json")
    assert compare("old.json", "new.json") == 0
    out = lines_of(capsys.readouterr().out)
    assert "only in new.json, 1: n1" in out
    assert "only in old.json, 1: w01" in out


def test_a_failed_query_is_told_and_keeps_its_slices_from_judgement(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    project.golden(queries(12))
    project.run("--retrieval-report=old.json")
    project.answer("text of w03", "broken")
    project.run("--retrieval-report=new.json")
    (one,) = data_of(capsys, "new.json", "old.json")["sets"]
    assert one["notes"] == ["errors: 1 queries failed in new.json, w03 first"]
    assert {gate["verdict"] for gate in one["gates"]} == {"not evaluated"}


# -- reports of several golden sets


def test_each_golden_set_that_the_reports_share_is_compared(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    project.golden(queries(2))
    project.golden(queries(2, "phrase"), "golden_more.yaml")
    project.run("--retrieval-report=old.json")
    project.run("--retrieval-report=new.json")
    project.run("golden.yaml", "--retrieval-report=one.json")
    data = data_of(capsys, "old.json", "new.json")
    assert [one["golden"] for one in data["sets"]] == ["golden.yaml", "golden_more.yaml"]
    assert [one["golden"] for one in data_of(capsys, "old.json", "one.json")["sets"]] == ["golden.yaml"]
    data = data_of(capsys, "old.json", "new.json", "--golden", "golden_more.yaml")
    assert [one["golden"] for one in data["sets"]] == ["golden_more.yaml"]
    project.run("golden_more.yaml", "--update-baseline")
    data = data_of(capsys, "baselines/golden_more.json", "new.json")
    assert [one["golden"] for one in data["sets"]] == ["golden_more.yaml"]
    project.write("w.jsonl", '{"id": "w01", "ranked": ["D1"]}\n{"id": "w02", "ranked": ["D1"]}\n')
    assert "name the one of the run with --golden golden.yaml" in refused(capsys, "old.json", "w.jsonl")
    assert compare("old.json", "w.jsonl", "--golden", "golden.yaml") == 0


def test_reports_without_a_golden_set_in_common_are_refused(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("golden_a.yaml", "golden_b.yaml", "golden_c.yaml"):
        project.golden(queries(1), name)
    project.run("golden_a.yaml", "golden_b.yaml", "--retrieval-report=ab.json")
    project.run("golden_c.yaml", "--retrieval-report=c.json")
    err = refused(capsys, "ab.json", "c.json")
    assert "ab.json has golden_a.yaml, golden_b.yaml; c.json has golden_c.yaml" in err


def test_the_retrievers_of_one_golden_set_are_told_apart(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    fixture = '@pytest.fixture(scope="session")\ndef {0}():\n    return lambda text, k: {1!r}\n'
    found = [fixture.format("one", ["D1"]), fixture.format("two", ["D9"])]
    project.write("conftest.py", "import pytest\n" + "".join(found))
    project.golden(queries(2), retriever=["one", "two"])
    project.run("--update-baseline")
    project.run()
    for name, mean in (("one", 1), ("two", 0)):
        (one,) = data_of(capsys, f"baselines/golden.{name}.json", "report.json", "--metric", "mrr")["sets"]
        assert (one["gates"][0]["before"], one["gates"][0]["after"]) == (mean, mean)
    assert len(data_of(capsys, "report.json", "report.json")["sets"]) == 2
    data = data_of(capsys, "baselines/golden.one.json", "baselines/golden.two.json", "--metric", "mrr")
    assert data["sets"][0]["gates"][0]["difference"] == -1


# -- mistakes


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("x.json", '{"format": "something else"}', "is no baseline, report or run: its format is 'something"),
        ("x.json", '{"format": "pytest-retrieval-report/1", "sets": []}', "holds no golden set"),
        ("x.json", '{"format": "pytest-retrieval-report/1", "sets": [{}]}', "is damaged (KeyError"),
        ("x.json", '{"format": "pytest-retrieval-report/1"}', "is damaged (KeyError"),
        ("x.json", '{"format": "pytest-retrieval-baseline/1"}', "is damaged (KeyError"),
        ("x.run", "one two", "found 2 columns, expected 6"),
        ("x.jsonl", "{", "is not JSON"),
    ],
)
def test_a_file_that_is_none_of_the_three_is_told(
    fallen: Project, capsys: pytest.CaptureFixture[str], name: str, content: str, said: str
) -> None:
    fallen.write(name, content)
    err = refused(capsys, "report.json", name)
    assert name in err
    assert said in err


def test_a_missing_file_and_a_file_alone_are_told(
    fallen: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "nowhere.json: cannot be read" in refused(capsys, "report.json", "nowhere.json")
    assert "name another file" in refused(capsys, "report.json")


def test_words_that_cannot_be_are_told(fallen: Project, capsys: pytest.CaptureFixture[str]) -> None:
    assert "unknown metric 'nonsense'" in refused(
        capsys, "report.json", "report.json", "--metric", "nonsense"
    )
    assert "no golden" not in refused(capsys, "report.json", "report.json", "--document-id", "(")
    for words in (["--margin", "2"], ["--movers", "0"], ["--format", "pdf"]):
        with pytest.raises(SystemExit) as stopped:
            compare("report.json", "report.json", *words)
        assert stopped.value.code == 2


def test_hostile_ids_and_texts_cannot_steer_the_terminal(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [query(f"q{n}\x1b[31m", text=f"text {n} \x1b]0;owned\x07") for n in range(3)]
    project.golden(rows, "golden.jsonl")
    project.run("--retrieval-report=old.json")
    project.fall(rows)
    project.run("--retrieval-report=new.json")
    assert compare("old.json", "new.json") == 0
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert "\x07" not in out
    assert r"q0\x1b[31m" in out


def test_ranx_is_named_as_an_extra_where_it_is_absent(
    fallen: Project, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "ranx", None)
    err = refused(capsys, "baselines/golden.json", "report.json", "--ranx")
    assert 'pip install "pytest-retrieval[ranx]"' in err


def test_markdown_says_what_was_held_against_what(
    fallen: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    assert compare("baselines/golden.json", "report.json", "--format", "markdown") == 0
    out = capsys.readouterr().out.replace("<code>", "").replace("</code>", "")
    lines = out.splitlines()
    assert lines[1] == "## ❌ Search got worse"
    held = "report.json against baselines/golden.json"
    assert lines[3] == f"**golden.yaml**: {held}, 24 of 24 queries compared."
    assert "- Got worse: **word**: recall@5 fell 0.500 (1.000 -> 0.500)" in out
    assert "interval: two-sided, 95 %" in out
    assert "Next:" not in out


def test_a_page_of_a_comparison_can_be_opened(fallen: Project) -> None:
    pytest.importorskip("jinja2", reason="jinja2 is not installed")
    args = ("baselines/golden.json", "report.json", "--format", "html", "--output", "page.html")
    assert compare(*args) == 0
    page = (fallen.path / "page.html").read_text("utf-8")
    assert "Search got worse" in page
    assert '"baseline_ranked":["D1"]' in page


def test_the_outcome_can_be_written_to_a_file(fallen: Project, capsys: pytest.CaptureFixture[str]) -> None:
    args = ("baselines/golden.json", "report.json", "--format", "json")
    assert compare(*args, "--output", "out.json") == 0
    assert capsys.readouterr().out == ""
    assert json.loads((fallen.path / "out.json").read_text("utf-8"))["status"] == "regression"
    assert "cannot be written" in refused(capsys, *args, "--output", "conftest.py/out.json")


@pytest.mark.parametrize("name", ["golden.yaml", "baselines/golden.json", "conftest.py"])
def test_the_outcome_replaces_nothing_that_people_keep(
    fallen: Project, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    before = (fallen.path / name).read_bytes()
    told = refused(capsys, "baselines/golden.json", "report.json", "--output", name)
    assert "is there already and is no report of pytest-retrieval" in told
    assert (fallen.path / name).read_bytes() == before
    again = ("baselines/golden.json", "report.json", "-o", "out.json")  # the format by its suffix
    assert (compare(*again), compare(*again)) == (0, 0)


def test_the_report_of_several_retrievers_names_each(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    project.list_retrievers("one", "two")
    project.golden(queries(3), retriever=["one", "two"])
    project.run()
    (project.path / "report.json").rename(project.path / "old.json")
    project.run()
    data = data_of(capsys, "old.json", "report.json")
    assert [one["variant"] for one in data["sets"]] == ["one", "two"]
    assert compare("old.json", "report.json") == 0
    out = capsys.readouterr().out
    assert "golden.yaml::one: report.json" in out
    assert "golden.yaml::two: report.json" in out
