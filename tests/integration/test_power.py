from __future__ import annotations

import pytest
from inner_project import Project, queries

NEVER = (
    "golden.yaml: the comparison with a baseline can never fail: 4 queries, and a regression takes at least 5"
    " that get worse; add queries, or set floors"
)


def _small(project: Project, count: int) -> None:
    project.golden(queries(count))
    for number in range(1, count + 1):
        project.answer(f"text of w{number:02}", ["D1"])


def test_a_set_that_can_never_fail_is_told_at_collection_and_at_the_end(project: Project) -> None:
    _small(project, 4)
    lines = project.run().lines
    assert lines.count(NEVER) == 2
    assert lines.index(NEVER) < next(place for place, line in enumerate(lines) if "retrieval ===" in line)
    assert project.run("--collect-only", "-q").text.count(NEVER) <= 1


def test_it_is_told_once_where_workers_collect(project: Project) -> None:
    _small(project, 4)
    assert project.run_apart("-n", "1", "-p", "xdist").text.count(NEVER) == 1


def test_nothing_is_said_of_a_set_that_can_fail(project: Project) -> None:
    _small(project, 5)
    assert "can never fail" not in project.run().text


def test_a_run_without_a_comparison_has_intervals_in_terminal_and_report(project: Project) -> None:
    _small(project, 5)
    run = project.run()
    assert "95 % intervals of the means" in run.lines
    row = run.set()["means"][0]
    assert row["hits"] == {"hit_rate@5": 5}
    assert row["intervals"]["hit_rate@5"] == [pytest.approx(0.5655, abs=1e-4), 1.0]
    assert row["intervals"]["recall@5"] == [1.0, 1.0]
    assert run.set()["confidence"] == 0.95


@pytest.mark.parametrize("option", ["flag", "ini"])
def test_the_seedless_correction_is_an_option(project: Project, option: str) -> None:
    project.golden([*queries(12), *queries(12, "phrase")])
    for letter in "wp":
        for number in range(1, 13):
            project.answer(f"text of {letter}{number:02}", ["D1"])
    project.run("--update-baseline")
    for number in range(1, 8):
        project.answer(f"text of w{number:02}", ["D9"])
    chosen = ["--retrieval-correction=holm"] if option == "flag" else []
    if option == "ini":
        project.ini("retrieval_correction = holm")
    gate = project.run("--retrieval-baseline", *chosen).gate(kind="word")
    # The two metrics move alike: two claims, all and the kind.
    assert gate["p"] == pytest.approx(2.0**-7)
    assert gate["p_adjusted"] == pytest.approx(2 * 2.0**-7)
    # All queries are proven first, and then the kind stands alone.
    assert gate["fewest_falls"] == 5


def test_an_unknown_correction_is_refused(project: Project) -> None:
    _small(project, 5)
    run = project.run("--retrieval-correction=bonferroni")
    assert run.exit == 4
    assert "expected 'max-t' or 'holm'" in run.text
