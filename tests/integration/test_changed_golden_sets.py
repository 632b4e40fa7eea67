"""What happens between two updates: labels, texts and queries change."""

from __future__ import annotations

import pytest
from inner_project import Project, queries, query

TWENTY = queries(20)


@pytest.fixture
def accepted(project: Project) -> Project:
    project.golden(TWENTY)
    assert project.run("--update-baseline").exit == 0
    return project


def edited(count: int) -> list[dict[str, object]]:
    """Twenty queries of which the first ``count`` have another text."""
    return [dict(row, text=f"new {row['text']}") if n < count else row for n, row in enumerate(TWENTY)]


def test_a_changed_text_is_listed_and_not_compared(accepted: Project) -> None:
    accepted.golden(edited(1))
    accepted.answer("new text of w01", ["D9"])
    run = accepted.run("--retrieval-baseline")
    assert (run.exit, run.status) == (0, "pass")
    assert run.set()["changed"] == ["w01"]
    assert run.gate()["n"] == 19
    assert run.query("w01")["baseline"] is None
    assert "changed 1 (another text than in the baseline, not compared): w01" in run.text


def test_changed_params_are_another_question(project: Project) -> None:
    rows = [query(f"q{n:02}", params={"user": "a"}) for n in range(20)]
    project.golden(rows)
    project.write(
        "conftest.py",
        "import pytest\n@pytest.fixture(scope='session')\ndef retriever():\n"
        "    return lambda text, k, user: ['D1']\n",
    )
    assert project.run("--update-baseline").exit == 0
    project.golden([query("q00", params={"user": "b"}), *rows[1:]])
    run = project.run("--retrieval-baseline")
    assert run.set()["changed"] == ["q00"]


def test_a_text_in_another_unicode_form_is_the_same_text(project: Project) -> None:
    project.golden([query("q1", text="caf\u00e9")])
    assert project.run("--update-baseline").exit == 0
    project.golden([query("q1", text="cafe\u0301")])
    run = project.run("--retrieval-baseline")
    assert (run.status, run.set()["changed"]) == ("pass", [])


def test_an_added_query_is_listed_and_not_compared(accepted: Project) -> None:
    accepted.golden([*TWENTY, query("x1")])
    accepted.answer("text of x1", ["D9"])
    run = accepted.run("--retrieval-baseline")
    assert (run.exit, run.status) == (0, "pass")
    assert run.set()["added"] == ["x1"]
    assert run.gate()["n"] == 20
    assert run.set()["means"][0]["n"] == 21


def test_a_removed_query_is_listed(accepted: Project) -> None:
    accepted.golden(TWENTY[1:])
    run = accepted.run("--retrieval-baseline")
    assert (run.exit, run.status) == (0, "pass")
    assert run.set()["removed"] == ["w01"]
    assert run.gate()["n"] == 19


def test_relabelled_queries_are_scored_again_under_todays_labels(accepted: Project) -> None:
    accepted.golden([query("w01", relevant=["D2"]), *TWENTY[1:]])
    accepted.answer("text of w01", ["D1"])
    run = accepted.run("--retrieval-baseline")
    assert (run.exit, run.status) == (0, "pass")
    assert run.set()["relabelled"] == ["w01"]
    # the old ranking was D1 alone, which is wrong today: 19 of 20, before and after
    assert (run.gate()["before"], run.gate()["after"]) == (0.95, 0.95)
    assert run.gate()["verdict"] == "unchanged"
    assert run.query("w01")["baseline"]["recall@5"] == 0
    assert "labels changed since the baseline" in run.text


def test_a_changed_grade_is_a_changed_label(accepted: Project) -> None:
    accepted.golden([query("w01", relevant={"D1": 2}), *TWENTY[1:]])
    accepted.answer("text of w01", ["D1"])
    assert accepted.run("--retrieval-baseline").set()["relabelled"] == ["w01"]


def test_the_order_of_labels_is_no_change(project: Project) -> None:
    project.golden([query("q1", relevant=["D1", "D2"])])
    project.run("--update-baseline")
    project.golden([query("q1", relevant=["D2", "D1"])])
    run = project.run("--retrieval-baseline")
    assert run.set()["relabelled"] == []


def test_a_tenth_of_changed_queries_is_still_judged(accepted: Project) -> None:
    accepted.golden(edited(2))
    run = accepted.run("--retrieval-baseline")
    assert (run.exit, run.status) == (0, "pass")
    assert (run.gate()["n"], run.gate()["verdict"]) == (18, "unchanged")


def test_more_than_a_tenth_changed_is_not_evaluated(accepted: Project) -> None:
    accepted.golden(edited(3))
    run = accepted.run("--retrieval-baseline")
    assert (run.exit, run.status) == (1, "incomplete")
    assert run.gate()["verdict"] == "not evaluated"
    assert run.gate()["reason"].startswith(
        "3 of 20 queries of the baseline are changed or gone: w01, w02, w03"
    )


def test_removed_and_changed_queries_count_together(accepted: Project) -> None:
    accepted.golden(edited(2)[:-1])
    run = accepted.run("--retrieval-baseline")
    assert run.gate()["verdict"] == "not evaluated"
    assert run.gate()["reason"].startswith("3 of 20 queries of the baseline are changed or gone")


def test_added_queries_do_not_count(accepted: Project) -> None:
    accepted.golden([*TWENTY, *queries(20, prefix="x")])
    assert accepted.run("--retrieval-baseline").status == "pass"


def test_the_tenth_is_counted_in_each_slice(project: Project) -> None:
    words, phrases = queries(30, "word"), queries(10, "phrase")
    project.golden([*words, *phrases])
    project.run("--update-baseline")
    project.golden([*words, *phrases[2:]])
    run = project.run("--retrieval-baseline")
    assert run.exit == 1
    assert run.gate()["verdict"] == "unchanged"  # 2 of 40
    assert run.gate(kind="word")["verdict"] == "unchanged"
    assert run.gate(kind="phrase")["verdict"] == "not evaluated"  # 2 of 10


def test_a_kind_cannot_vanish_unseen(project: Project) -> None:
    words, phrases = queries(100, "word"), queries(10, "phrase")
    project.golden([*words, *phrases])
    project.run("--update-baseline")
    project.golden(words)
    run = project.run("--retrieval-baseline")
    assert (run.exit, run.status) == (1, "incomplete")
    assert run.gate(kind="phrase")["verdict"] == "not evaluated"


def test_a_renamed_query_is_one_gone_and_one_new(accepted: Project) -> None:
    accepted.golden([query("renamed", text="text of w01"), *TWENTY[1:]])
    run = accepted.run("--retrieval-baseline")
    assert (run.set()["added"], run.set()["removed"]) == (["renamed"], ["w01"])


def test_the_order_of_queries_is_no_change(accepted: Project) -> None:
    accepted.golden(list(reversed(TWENTY)))
    run = accepted.run("--retrieval-baseline")
    assert (run.status, run.gate()["verdict"]) == ("pass", "unchanged")


def test_what_describe_says_is_compared_and_a_difference_noted(project: Project) -> None:
    project.golden(queries(2), describe={"model": "small", "chunks": "sections"})
    project.run("--update-baseline")
    project.golden(queries(2), describe={"model": "large", "chunks": "sections", "stopwords": True})
    run = project.run("--retrieval-baseline")
    assert run.exit == 0
    assert run.set()["notes"] == ["model: small before, large now", "stopwords: not said before, True now"]


def test_an_unanswerable_query_is_asked_and_not_scored(project: Project) -> None:
    rows = [
        *queries(2),
        {"id": "none", "kind": "word", "text": "nothing", "answerable": False, "relevant": []},
    ]
    project.golden(rows)
    run = project.run("--update-baseline")
    assert run.exit == 0
    assert run.query("none")["outcome"] == "scored"
    assert run.set()["means"][0]["n"] == 2
    assert project.run("--retrieval-baseline").gate()["n"] == 2


def test_a_query_that_no_document_answers_any_more_has_left(accepted: Project) -> None:
    unanswered = [
        dict(row, relevant={"D1": 0}, answerable=False) if n < 3 else row for n, row in enumerate(TWENTY)
    ]
    accepted.golden(unanswered)
    run = accepted.run("--retrieval-baseline")
    assert (run.exit, run.status) == (1, "incomplete")
    assert run.set()["removed"] == ["w01", "w02", "w03"]
    assert run.gate()["verdict"] == "not evaluated"
