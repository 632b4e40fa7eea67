"""An approximate index against the exact one: index_recall needs no labels and is gated like any metric."""

from __future__ import annotations

import json

import pytest
from inner_project import Project, Run, queries, query, timeless

# The exact index knows ten documents in order; what the approximate one misses is in missing.json.
INDEXES = """
import json
import pathlib
import pytest
import table_retriever

HERE = pathlib.Path(__file__).parent
ALL = [f"D{n}" for n in range(1, 13)]


@pytest.fixture(scope="session")
def exact_index():
    table_retriever.note("built exact")

    def search(text, k):
        table_retriever.note(f"exactly {text}")
        return ALL[:k]

    return search


@pytest.fixture(scope="session")
def retriever():
    def search(text, k):
        missing = json.loads((HERE / "missing.json").read_text()).get(text, [])
        return [document for document in ALL if document not in missing][:k]

    return search
"""


def texts_only(count: int) -> list[dict[str, object]]:
    return [{"id": f"w{n:02}", "text": f"text of w{n:02}"} for n in range(1, count + 1)]


@pytest.fixture
def indexed(project: Project) -> Project:
    project.golden(queries(12), exact="exact_index", gate={"metrics": ["recall@5", "index_recall@10"]})
    project.write("conftest.py", INDEXES)
    misses(project)
    return project


def misses(project: Project, **missing: list[str]) -> None:
    project.write("missing.json", json.dumps({f"text of {name}": ids for name, ids in missing.items()}))


def exactly(project: Project) -> list[str]:
    return [event for event in project.events if event.startswith("exactly")]


def test_it_is_the_share_of_the_exact_top_that_is_found(indexed: Project) -> None:
    misses(indexed, w01=["D2", "D9"], w02=["D11"], w03=[f"D{n}" for n in range(1, 11)])
    run = indexed.run("--retrieval-metrics=index_recall@10,index_recall@3")
    assert run.exit == 0
    # D2 and D9 of the exact ten are lost; D2 of the exact three. D11 was not among the ten.
    assert run.query("w01")["scores"]["index_recall@10"] == 0.8
    assert run.query("w01")["scores"]["index_recall@3"] == pytest.approx(2 / 3)
    assert run.query("w02")["scores"]["index_recall@10"] == 1
    assert run.query("w03")["scores"]["index_recall@10"] == 0
    assert run.set()["means"][0]["metrics"]["index_recall@10"] == pytest.approx((9 + 0.8 + 1) / 12)
    assert run.query("w01")["exact"] == [f"D{n}" for n in range(1, 13)]


def test_it_is_reported_without_being_named_and_never_called_recall(indexed: Project) -> None:
    indexed.golden(queries(12), exact="exact_index")
    misses(indexed, w01=["D2"])
    run = indexed.run()
    assert "index_recall@10" in run.set()["metrics"]
    # The labels' only document was found: recall is whole.
    assert run.query("w01")["scores"]["recall@5"] == 1
    assert run.query("w01")["scores"]["index_recall@10"] == 0.9
    assert run.set()["gate_metrics"] == ["recall@5", "ndcg@10"]


def test_a_worse_index_is_a_regression_of_index_recall_alone(indexed: Project) -> None:
    assert indexed.run("--update-baseline").exit == 0
    misses(indexed, **{f"w{n:02}": ["D3", "D4", "D5"] for n in range(1, 13)})
    run = indexed.run("--retrieval-baseline")
    assert (run.exit, run.status) == (1, "regression")
    gate = run.gate(metric="index_recall@10")
    assert (gate["verdict"], gate["before"], gate["after"]) == ("regression", 1, 0.7)
    assert run.gate(metric="recall@5")["verdict"] == "unchanged"


def test_a_floor_holds_it_without_a_baseline(indexed: Project) -> None:
    indexed.golden(queries(12), exact="exact_index", gate={"floors": {"index_recall@5": 0.95}})
    assert indexed.run().exit == 0
    misses(indexed, **{f"w{n:02}": ["D1"] for n in range(1, 13)})
    run = indexed.run()
    assert run.exit == 1
    assert run.gate(metric="index_recall@5", against="floor")["verdict"] == "below floor"


@pytest.mark.parametrize(
    "ways",
    [("--retrieval-concurrency=8",), ("-p", "xdist.plugin", "-n", "2"), ("--retrieval-timeout=60",)],
)
def test_every_way_of_asking_gives_the_same_report_and_asks_both_once(
    indexed: Project, ways: tuple[str, ...]
) -> None:
    misses(indexed, w05=["D1", "D2"])
    indexed.run()
    expected = timeless((indexed.path / "report.json").read_bytes())
    assert len(exactly(indexed)) == len(set(exactly(indexed))) == 12
    indexed.run(*ways)
    assert timeless((indexed.path / "report.json").read_bytes()) == expected
    assert len(exactly(indexed)) == len(set(exactly(indexed))) == 12


def test_a_report_can_be_accepted(indexed: Project) -> None:
    from pytest_retrieval.cli import main

    misses(indexed, w05=["D1", "D2"])
    indexed.run()
    indexed.monkeypatch.chdir(indexed.path)
    assert main(["accept", "report.json"]) == 0
    accepted = indexed.baselines()
    assert indexed.run("--update-baseline").exit == 0
    assert indexed.baselines() == accepted
    assert main(["power", "golden.yaml"]) == 0


# -- without labels


@pytest.fixture
def unlabelled(project: Project) -> Project:
    rows = "\n".join(f"  - {json.dumps(row)}" for row in texts_only(12))
    project.write("golden.yaml", f"exact: exact_index\nqueries:\n{rows}\n")
    project.write("conftest.py", INDEXES)
    misses(project)
    return project


def test_a_set_of_texts_alone_is_measured_and_gated(unlabelled: Project) -> None:
    assert unlabelled.run("--update-baseline").exit == 0
    misses(unlabelled, **{f"w{n:02}": ["D3", "D4", "D5"] for n in range(1, 13)})
    run: Run = unlabelled.run("--retrieval-baseline")
    assert run.status == "regression"
    assert run.set()["metrics"] == run.set()["gate_metrics"] == ["index_recall@10"]
    assert run.gate(metric="index_recall@10")["after"] == 0.7


def test_a_metric_of_labels_is_refused_there(unlabelled: Project) -> None:
    run = unlabelled.run("--retrieval-metrics=mrr")
    assert run.exit == 2
    assert "mrr needs labels, and no query has any" in run.text
    assert unlabelled.events == []


def test_labels_for_some_questions_only_are_refused(project: Project) -> None:
    project.write("conftest.py", INDEXES)
    project.write(
        "golden.yaml",
        "exact: exact_index\nqueries:\n  - {id: a, text: a, relevant: [D1]}\n  - {id: b, text: b}\n",
    )
    run = project.run()
    assert run.exit == 2
    assert "golden.yaml:4: a query with no relevant document" in run.text


# -- mistakes


def test_without_an_exact_index_the_metric_is_refused(project: Project) -> None:
    project.golden(queries(2), metrics=["index_recall@10"])
    run = project.run()
    assert run.exit == 2
    assert "index_recall@10 compares with an exact index, and the header names none" in run.text


def test_an_exact_index_that_is_nowhere_is_told_at_its_line(project: Project) -> None:
    project.golden(queries(2), depth=20, exact="no_such_index")
    run = project.run()
    assert run.exit == 2
    assert "golden.yaml:2: retriever 'no_such_index' is no fixture here" in run.text


def test_it_is_no_contract_of_one_query(indexed: Project) -> None:
    indexed.golden([query("w01", must={"index_recall@10": 1})], exact="exact_index")
    run = indexed.run()
    assert run.exit == 2
    assert "golden.yaml:3: query 'w01': must: index_recall@10 is no contract" in run.text


def test_an_exact_index_that_fails_fails_its_query(indexed: Project) -> None:
    broken = INDEXES.replace("return ALL[:k]", "raise OSError('exact is down')  # here")
    indexed.write("conftest.py", broken)
    run = indexed.run()
    assert (run.exit, run.set()["errors"]) == (1, 12)
    assert run.text.count("raise OSError('exact is down')  # here") == 1
