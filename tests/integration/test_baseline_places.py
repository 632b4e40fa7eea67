"""Where baselines lie, whatever folder one stands in."""

from __future__ import annotations

import pytest
from inner_project import Project, queries


def test_a_golden_set_in_a_folder_has_its_baseline_in_such_a_folder(project: Project) -> None:
    project.golden(queries(1), "search/docs/golden_help.yaml")
    run = project.run("--update-baseline")
    assert list(project.baselines()) == ["search/docs/golden_help.json"]
    assert run.set("search/docs/golden_help.yaml")["baseline"] == "baselines/search/docs/golden_help.json"


def test_it_is_the_same_one_from_every_folder(project: Project) -> None:
    project.golden(queries(1), "search/golden.yaml")
    (project.path / "elsewhere").mkdir()
    project.run("--update-baseline")
    before = project.baselines()
    for folder, named in ((".", "."), ("search", "."), ("search", "golden.yaml"), ("elsewhere", "../search")):
        assert project.run("--retrieval-baseline", named, folder=folder).status == "pass"
        assert project.run("--update-baseline", named, folder=folder).exit == 0
    assert project.baselines() == before
    assert not (project.path / "search/baselines").exists()


def test_node_ids_count_from_the_root(project: Project) -> None:
    project.golden(queries(2), "search/golden.yaml")
    project.answer("text of w01", "broken")
    run = project.run(folder="search")
    # pytest shows them as they can be pasted where one stands
    assert "FAILED golden.yaml::word::w01" in run.text
    assert [one["golden"] for one in run.report["sets"]] == ["search/golden.yaml"]


@pytest.mark.parametrize("other", ["golden.jsonl", "golden.yml"])
@pytest.mark.parametrize("flag", ["--update-baseline", "--retrieval-baseline"])
def test_two_golden_sets_must_not_share_a_baseline(project: Project, flag: str, other: str) -> None:
    project.golden(queries(1))
    assert project.run("--update-baseline").exit == 0
    before = project.baselines()
    project.golden(queries(1, "phrase"), other)
    run = project.run(flag)
    assert run.exit == 4
    assert "would share the baseline baselines/golden.json: rename one of them" in run.text
    assert "golden.yaml" in run.text
    assert other in run.text
    assert project.events == []
    assert project.baselines() == before


def test_two_such_golden_sets_may_be_measured(project: Project) -> None:
    project.golden(queries(1))
    project.golden(queries(1, "phrase"), "golden.jsonl")
    assert project.run().exit == 0


def test_equal_names_in_two_folders_do_not_meet(project: Project) -> None:
    project.golden(queries(1), "a/golden.yaml")
    project.golden(queries(1, "phrase"), "b/golden.yaml")
    assert project.run("--update-baseline").exit == 0
    assert list(project.baselines()) == ["a/golden.json", "b/golden.json"]


def test_names_with_blanks_and_dots_are_kept(project: Project) -> None:
    project.golden(queries(1), "my docs/golden_v1.2 final.yaml")
    assert project.run("--update-baseline").exit == 0
    assert list(project.baselines()) == ["my docs/golden_v1.2 final.json"]
    assert project.run("--retrieval-baseline").status == "pass"
