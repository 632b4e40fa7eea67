from __future__ import annotations

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
