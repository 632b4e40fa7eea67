from __future__ import annotations

import xml.etree.ElementTree as ElementTree

from inner_project import Project, queries, query


def test_queries_and_gates_are_test_cases(project: Project) -> None:
    project.golden(queries(12))
    assert project.run("--update-baseline").exit == 0
    project.fall(queries(12))
    suite = project.junit("--retrieval-baseline").find("testsuite")
    assert suite is not None
    # twelve queries, and the one kind's gate, which is the file's
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("13", "1", "0")
    failed = [case for case in suite.iter("testcase") if case.find("failure") is not None]
    assert [case.get("name") for case in failed] == ["golden.yaml"]
    failure = failed[0].find("failure")
    assert failure is not None
    assert (failure.get("message") or "").startswith("recall@5 fell 1.000 (1.000 -> 0.000)")
    assert "w01" in (failure.text or "")


def test_a_kinds_gate_has_the_kinds_name(project: Project) -> None:
    project.golden([*queries(12, "word"), *queries(12, "phrase")])
    project.run("--update-baseline")
    project.fall(queries(12, "word"))
    root = project.junit("--retrieval-baseline")
    failed = {case.get("name") for case in root.iter("testcase") if case.find("failure") is not None}
    assert failed == {"word", "golden.yaml"}


def test_odd_ids_texts_and_errors_leave_the_file_well_formed(project: Project) -> None:
    rows = [
        query("bell\x07", text="a text with \x07 and ]]> and <&> and \ufffe"),
        query("nul\x00", "kind\x1b[31m", text="second"),
    ]
    project.golden(rows, "golden.jsonl")
    project.answer(str(rows[0]["text"]), "an error with \x00 and \x1b and ]]>")
    root = project.junit()
    assert len(list(root.iter("testcase"))) == 2
    assert len(list(root.iter("failure"))) == 1


def test_a_skipped_retriever_is_a_skipped_test_case(project: Project) -> None:
    project.golden(queries(2))
    project.write(
        "conftest.py",
        "import pytest\n@pytest.fixture(scope='session')\ndef retriever():\n    pytest.skip('no index')\n",
    )
    root = project.junit()
    assert [skipped.get("message") for skipped in root.iter("skipped")] == ["no index", "no index"]


def properties(case: ElementTree.Element) -> dict[str, str]:
    return {str(one.get("name")): str(one.get("value")) for one in case.iter("property")}


def test_a_query_has_its_scores_as_properties(project: Project) -> None:
    project.golden([*queries(1), query("q2", "odd kind", relevant={"D1": 1, "D2": 1}), query("q3")])
    project.answer("text of q2", ["D9", "D1"])
    project.answer("text of q3", "broken")
    root = project.junit("--retrieval-metrics=mrr,recall@5")
    cases = {str(case.get("name")): properties(case) for case in root.iter("testcase")}
    assert cases["w01"] == {
        "retrieval.outcome": "scored",
        "retrieval.kind": "word",
        "retrieval.mrr": "1.0",
        "retrieval.recall@5": "1.0",
        "retrieval.ndcg@10": "1.0",
    }
    assert (cases["q2"]["retrieval.mrr"], cases["q2"]["retrieval.recall@5"]) == ("0.5", "0.5")
    assert cases["q2"]["retrieval.kind"].startswith("odd_kind~")
    assert set(cases["q3"]) == {"retrieval.outcome", "retrieval.kind"}
    assert cases["q3"]["retrieval.outcome"] == "error"


def test_a_gate_has_its_numbers_as_properties(project: Project) -> None:
    project.golden([*queries(12, "word"), *queries(3, "a"), *queries(3, "b")], gate={"floors": {"mrr": 0.5}})
    project.run("--update-baseline")
    project.fall(queries(12, "word"))
    root = project.junit("--retrieval-baseline")
    cases = {str(case.get("name")): properties(case) for case in root.iter("testcase")}
    word = cases["word"]
    assert word["retrieval.recall@5.verdict"] == "regression"
    assert (word["retrieval.recall@5.before"], word["retrieval.recall@5.after"]) == ("1.0", "0.0")
    assert (word["retrieval.recall@5.n"], word["retrieval.recall@5.margin"]) == ("12", "0.02")
    assert word["retrieval.recall@5.interval_high"] == "-1.0"
    whole = cases["golden.yaml"]
    assert whole["retrieval.floor.mrr.verdict"] == "below floor"
    assert whole["retrieval.small_kinds.recall@5.verdict"] == "unchanged"


def test_properties_are_the_same_with_workers(project: Project) -> None:
    project.golden([*queries(4, "word"), *queries(4, "phrase")])
    project.run("--update-baseline")

    def written(*args: str) -> dict[str, dict[str, str]]:
        run = project.run("--junitxml=junit.xml", "--retrieval-baseline", *args)
        assert run.exit == 0, run.text
        root = ElementTree.parse(project.path / "junit.xml").getroot()
        return {str(case.get("name")): properties(case) for case in root.iter("testcase")}

    alone = written()
    assert alone["w01"]["retrieval.mrr"] == "1.0"
    assert written("-p", "xdist.plugin", "-n", "2") == alone
