from __future__ import annotations

import pytest
from inner_project import Project, query


@pytest.mark.parametrize(
    ("answer", "complaint"),
    [
        ("None", "the retriever returned None"),
        ("'D1'", "the retriever returned a bare string ('D1')"),
        ("{'D1'}", "the retriever returned a set, which has no order"),
        ("[None]", "the retriever returned None as an id at place 1"),
        ("[('D1', float('nan'))]", "the retriever returned a score that is NaN at place 1"),
    ],
)
def test_an_answer_that_is_no_ranking_is_told_in_one_line(
    project: Project, answer: str, complaint: str
) -> None:
    project.golden([query("q1")])
    project.write(
        "conftest.py",
        "import pytest\n@pytest.fixture(scope='session')\ndef retriever():\n"
        f"    return lambda text, k: {answer}\n",
    )
    run = project.run()
    assert run.exit == 1
    assert len(run.failures) == 1
    assert run.failures[0].startswith(complaint)
    assert run.failures[0].endswith("(golden.yaml:2: query 'q1')")
    assert run.query("q1")["error"].startswith(f"BadAnswer: {complaint}")


def test_a_retriever_that_cannot_be_asked_is_told_in_one_line(project: Project) -> None:
    project.golden([query("q1")])
    project.write(
        "conftest.py",
        "import pytest\n@pytest.fixture(scope='session')\ndef retriever():\n    return 42\n",
    )
    run = project.run()
    assert run.exit == 1
    assert len(run.failures) == 1
    assert "int" in run.query("q1")["error"]


def test_params_that_the_retriever_does_not_take_name_both(project: Project) -> None:
    project.golden([query("q1", params={"user": "clerk"})])
    run = project.run()
    assert run.exit == 1
    assert "user" in run.query("q1")["error"]
    assert "search(text, k)" in run.query("q1")["error"]


def test_an_empty_answer_scores_nothing_and_is_no_failure(project: Project) -> None:
    project.golden([query("q1"), query("q2")])
    project.answer("text of q1", [])
    run = project.run()
    assert (run.exit, run.status) == (0, "measured")
    assert set(run.query("q1")["scores"].values()) == {0}
    assert run.query("q1")["missing"] == ["D1"]


def test_more_results_than_asked_for_are_cut_and_fewer_are_fine(project: Project) -> None:
    project.golden([query("q1"), query("q2")], depth=5, metrics=["recall@5"], gate={"metrics": ["recall@5"]})
    project.answer("text of q1", [f"D{n}" for n in range(9, 0, -1)])
    run = project.run()
    assert run.query("q1")["ranked"] == ["D9", "D8", "D7", "D6", "D5"]
    assert run.query("q2")["ranked"] == ["D1"]
