"""A header that lists several retrievers: node ids, baselines, gates and the closing table."""

from __future__ import annotations

import json
from typing import Any

import pytest
from inner_project import Project, queries, query, timeless

CONFTEST = """
import json
import pathlib

import pytest

HERE = pathlib.Path(__file__).parent


def answers(name):
    def search(text, k):
        table = json.loads((HERE / f"{name}.json").read_text("utf-8"))
        return table.get(text, table["*"])[:k]

    return search


@pytest.fixture(scope="session")
def words():
    return answers("words")


@pytest.fixture(scope="session")
def dense():
    return answers("dense")
"""

ROWS = [*queries(12, "word"), *queries(12, "long")]


def project_with(project: Project, **header: object) -> Project:
    project.write("conftest.py", CONFTEST)
    project.golden(ROWS, **{"retriever": ["words", "dense", "hybrid"], **header})
    answer(project, "words", ["D9", "D1"])
    answer(project, "dense", ["D1"])
    return project


def answer(project: Project, name: str, ranked: list[str], **other: list[str]) -> None:
    """What a retriever answers to every query, and to those given by id."""
    own = {f"text of {query_id}": ids for query_id, ids in other.items()}
    project.write(f"{name}.json", json.dumps({"*": ranked, **own}))


@pytest.fixture
def three(project: Project) -> Project:
    return project_with(project)


def test_each_query_is_an_item_per_retriever(three: Project) -> None:
    run = three.run("--collect-only", "-q", report=False)
    ids = [line for line in run.lines if line.startswith("golden.yaml::")]
    assert len(ids) == 3 * 24
    assert ids[0] == "golden.yaml::words::word::w01"
    assert "golden.yaml::hybrid::long::l12" in ids


def test_each_has_its_own_part_of_the_report(three: Project) -> None:
    run = three.run()
    assert run.exit == 0
    sets = {one["variant"]: one for one in run.report["sets"]}
    assert list(sets) == ["words", "dense", "hybrid"]
    assert {name: one["baseline"] for name, one in sets.items()} == {
        name: f"baselines/golden.{name}.json" for name in sets
    }
    means = {name: one["means"][0]["metrics"]["mrr"] for name, one in sets.items()}
    # fused: D1 = 1/62 + 1/61 before D9 = 1/61
    assert means == {"words": 0.5, "dense": 1.0, "hybrid": 1.0}
    assert "golden.yaml::words: words, depth 20" in run.text


def test_an_update_writes_a_baseline_each(three: Project) -> None:
    run = three.run("--update-baseline")
    assert run.exit == 0
    assert set(three.baselines()) == {"golden.words.json", "golden.dense.json", "golden.hybrid.json"}
    assert json.loads(three.baselines()["golden.hybrid.json"])["retriever"] == "hybrid"
    assert "golden.yaml::hybrid: new baseline, means: baselines/golden.hybrid.json" in run.text


def test_each_is_gated_by_itself(three: Project) -> None:
    three.run("--update-baseline")
    answer(three, "dense", ["D8", "D9"])
    run = three.run("--retrieval-baseline")
    assert (run.exit, run.status) == (1, "regression")
    assert "FAILED golden.yaml::dense::word - " in run.text
    assert "FAILED golden.yaml::dense - " in run.text
    assert "FAILED golden.yaml::words" not in run.text
    assert "pytest --update-baseline golden.yaml::dense" in run.text
    verdicts = {
        one["variant"]: {gate["verdict"] for gate in one["gates"] if gate["metric"] == "recall@5"}
        for one in run.report["sets"]
    }
    assert verdicts["words"] == {"unchanged"}
    assert verdicts["dense"] == {"regression"}


def test_the_ids_after_failed_can_be_pasted_and_run_alone(three: Project) -> None:
    three.run("--update-baseline")
    run = three.run("--retrieval-baseline", "golden.yaml::hybrid")
    assert run.exit == 0
    assert [one["variant"] for one in run.report["sets"]] == ["hybrid"]
    before = three.baselines()
    answer(three, "dense", ["D9", "D1"])
    update = three.run("--update-baseline", "golden.yaml::dense", "--retrieval-update-anchor=new model")
    assert update.exit == 0, update.text
    after = three.baselines()
    assert after["golden.dense.json"] != before["golden.dense.json"]
    assert after["golden.words.json"] == before["golden.words.json"]


def test_workers_report_the_same(three: Project) -> None:
    three.run("--update-baseline")
    one = three.run("--retrieval-baseline")
    alone = timeless((three.path / "report.json").read_bytes())
    two = three.run_apart("--retrieval-baseline", "-n", "2", "-p", "no:randomly")
    assert (one.exit, two.exit) == (0, 0)
    assert timeless((three.path / "report.json").read_bytes()) == alone


# -- baselines


def test_the_plain_baseline_is_found_while_it_holds_this_retriever(project: Project) -> None:
    project_with(project, retriever="dense")
    project.run("--update-baseline")
    assert set(project.baselines()) == {"golden.json"}
    project_with(project)
    run = project.run("--retrieval-baseline")
    assert run.exit == 1
    by_name = {one["variant"]: one for one in run.report["sets"]}
    assert {gate["verdict"] for gate in by_name["dense"]["gates"]} == {"unchanged"}
    assert {gate["verdict"] for gate in by_name["words"]["gates"]} == {"not evaluated"}
    assert "no baseline at baselines/golden.words.json" in run.text


def test_an_update_leaves_the_plain_baseline_and_is_found_first(project: Project) -> None:
    project_with(project, retriever="dense")
    project.run("--update-baseline")
    plain = project.baselines()["golden.json"]
    project_with(project)
    answer(project, "dense", ["D1", "D2"])
    assert project.run("--update-baseline").exit == 0
    assert project.baselines()["golden.json"] == plain
    # the plain one is where this retriever started from
    assert "golden.dense.anchor.json" in project.baselines()
    run = project.run("--retrieval-baseline")
    assert run.exit == 0, run.text


# -- one of them, or another


def test_a_flag_chooses_one_by_its_name(three: Project) -> None:
    run = three.run("--retrieval-retriever=hybrid")
    assert [one["variant"] for one in run.report["sets"]] == ["hybrid"]
    assert run.query("w01")["ranked"] == ["D1", "D9"]


def test_a_flag_may_name_another_retriever(three: Project) -> None:
    three.write("other.trec", "w01 Q0 D1 1 1 x\n")
    run = three.run("--retrieval-retriever=run:other.trec")
    assert [(one["variant"], one["baseline"]) for one in run.report["sets"]] == [
        ("run_other_trec", "baselines/golden.run_other_trec.json")
    ]


def test_entries_may_have_names_and_lie_beside_the_golden_set(project: Project) -> None:
    project.write("deep/first.trec", "w01 Q0 D1 1 1 x\n")
    project.write("conftest.py", CONFTEST)
    answer(project, "dense", ["D9"])
    listed = [
        {"name": "old", "use": "run:first.trec"},
        {"name": "new", "hybrid": ["run:first.trec", "dense"]},
    ]
    project.golden([query("w01")], name="deep/golden.yaml", retriever=listed)
    run = project.run()
    assert run.exit == 0
    assert {one["variant"]: one["queries"][0]["ranked"] for one in run.report["sets"]} == {
        "old": ["D1"],
        "new": ["D1", "D9"],
    }


def test_a_fixture_called_hybrid_goes_before_the_fusion(project: Project) -> None:
    project_with(project)
    fixture = "\n\n@pytest.fixture(scope='session')\ndef hybrid():\n    return lambda text, k: ['D5']\n"
    project.write("conftest.py", CONFTEST + fixture)
    run = project.run("--retrieval-retriever=hybrid")
    assert run.query("w01")["ranked"] == ["D5"]


@pytest.mark.parametrize(
    ("listed", "message"),
    [
        (["words", "hybrid"], "a bare 'hybrid' fuses the retrievers before it in the list, two or more"),
        (["words", "rerank"], "retriever 'rerank' is no fixture here"),
        (["words", "words"], "two retrievers are called 'words'"),
    ],
)
def test_a_list_that_cannot_work_is_told(project: Project, listed: list[str], message: str) -> None:
    project_with(project, retriever=listed)
    run = project.run()
    assert run.exit == 2
    assert "golden.yaml:1: " in run.text
    assert message in run.text


# -- side by side


def compared_with_words(report: dict[str, Any]) -> dict[str, Any]:
    """What the retriever dense has beside the other one for the first metric, by slice."""
    by_name = {one["variant"]: one["compared"] for one in report["sets"]}
    assert by_name["words"] == []
    first = by_name["dense"][0]["metric"]
    return {str(row["slice"]): row for row in by_name["dense"] if row["metric"] == first}


def test_pairs_are_shown_by_kind_with_an_interval(project: Project) -> None:
    project_with(project, compare=[["words", "dense"]], gate={"metrics": ["recall@1"]})
    answer(project, "words", ["D9"], w01=["D1"], l01=["D1"])
    answer(project, "dense", ["D9"], w01=["D1"], w02=["D1"], w03=["D1"])
    run = project.run()
    assert run.exit == 0
    rows = compared_with_words(run.report)
    word = rows["{'kind': 'word'}"]
    assert (word["other"], word["metric"], word["n"]) == ("words", "recall@1", 12)
    assert (word["better"], word["worse"], word["equal"]) == (2, 0, 10)
    assert word["difference"] == pytest.approx(2 / 12)
    assert word["interval"][0] == 0
    assert (rows["{}"]["better"], rows["{}"]["worse"], rows["{}"]["n"]) == (2, 1, 24)
    [heading] = [line for line in run.lines if line.startswith("golden.yaml: dense against words, recall@1 ")]
    table = run.lines[run.lines.index(heading) + 1 :]
    assert table[0].split() == [
        *("n", "better", "worse", "equal"),
        "words",
        "dense",
        "difference",
        "interval",
    ]
    assert table[1].split()[:8] == ["word", "12", "2", "0", "10", "0.083", "0.250", "+0.167"]


def test_a_kind_with_a_failed_query_is_not_compared(project: Project) -> None:
    project_with(project, compare=[["words", "dense"]])
    project.write("dense.json", '{"*": ["D1"], "text of w01": 5}')
    run = project.run()
    rows = compared_with_words(run.report)
    assert rows["{'kind': 'word'}"]["difference"] is None
    assert rows["{'kind': 'word'}"]["reason"] == "1 of 12 queries without a score"
    assert rows["{'kind': 'long'}"]["equal"] == 12
    assert "word: not compared: 1 of 12 queries without a score" in run.text


def test_a_pair_that_was_not_run_is_told(project: Project) -> None:
    project_with(project, compare=[["words", "dense"]])
    run = project.run("--retrieval-retriever=words")
    assert "golden.yaml: words and dense are not compared: dense was not run" in run.text


# -- beside the rest


def test_a_saved_run_is_a_file_per_retriever(three: Project) -> None:
    three.run("--retrieval-save-run=out.trec")
    assert {file.name for file in three.path.glob("out.*")} == {
        f"out.golden.{name}.trec" for name in ("words", "dense", "hybrid")
    }
    assert (three.path / "out.golden.dense.trec").read_text("utf-8").startswith("w01 Q0 D1 1 1 dense\n")


def test_a_report_of_several_becomes_their_baselines(three: Project) -> None:
    from pytest_retrieval.cli import main

    three.run()
    assert main(["accept", "report.json"]) == 0
    accepted = three.baselines()
    for file in (three.path / "baselines").iterdir():
        file.unlink()
    three.run("--update-baseline")
    assert three.baselines() == accepted


def test_the_reports_for_people_tell_them_apart_and_compare_them(project: Project) -> None:
    pytest.importorskip("jinja2", reason="jinja2 is not installed")
    project_with(project, compare=[["words", "dense"]], gate={"metrics": ["recall@1"]})
    project.run("--retrieval-report=a.md", "--retrieval-report=a.html")
    markdown, page = ((project.path / name).read_text("utf-8") for name in ("a.md", "a.html"))
    for name in ("words", "dense", "hybrid"):
        assert f"**<code>golden.yaml&#58;&#58;{name}</code>** asked" in markdown
        assert f"<bdi>golden.yaml::{name}</bdi></h2>" in page
    title = "**<code>golden.yaml</code>**: <code>dense</code> against <code>words</code>, recall@1"
    assert title in markdown
    assert "| <code>word</code> | 12 | 12 | 0 | 0 | 0.000 | 1.000 | +1.000 | +1.000 to +1.000 |" in markdown
    assert "<h3><bdi>dense</bdi> against <bdi>words</bdi>, recall@1</h3>" in page
    assert "+1.000 to +1.000" in page


def test_findings_of_several_retrievers_have_names_of_their_own(three: Project) -> None:
    three.run("--update-baseline")
    for name in ("words", "dense"):
        answer(three, name, ["D9"])
    three.run("--retrieval-baseline", "--retrieval-report=a.codequality.json")
    entries = json.loads((three.path / "a.codequality.json").read_text("utf-8"))
    assert len({one["fingerprint"] for one in entries}) == len(entries) > 10
    assert any("dense::w01" in one["description"] for one in entries)
