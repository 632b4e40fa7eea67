from __future__ import annotations

from inner_project import Project, Say, queries


def test_the_default_is_baselines_below_the_root(project: Project) -> None:
    project.golden(queries(1))
    assert project.run("--update-baseline").set()["baseline"] == "baselines/golden.json"
    assert list(project.baselines()) == ["golden.json"]


def test_every_way_of_saying_it(project: Project, say: Say) -> None:
    project.golden(queries(1), "search/golden_docs.yaml")
    args = say("baseline-dir", "tests/accepted")
    assert project.run("--update-baseline", *args).exit == 0
    assert list(project.baselines("tests/accepted")) == ["search/golden_docs.json"]
    assert project.baselines() == {}
    assert project.run("--retrieval-baseline", *args).exit == 0


def test_a_folder_outside_of_the_root(project: Project) -> None:
    project.write("inner/pytest.ini", "[pytest]\n")
    project.write("inner/conftest.py", (project.path / "conftest.py").read_text("utf-8"))
    project.golden(queries(1), "inner/golden.yaml")
    assert project.run("--update-baseline", "--retrieval-baseline-dir=../shared", folder="inner").exit == 0
    assert list(project.baselines("shared")) == ["golden.json"]


def test_an_empty_name_is_refused(project: Project) -> None:
    project.golden(queries(1))
    run = project.run("--retrieval-baseline-dir= ")
    assert run.exit == 4
    assert "--retrieval-baseline-dir" in run.text
