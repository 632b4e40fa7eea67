from __future__ import annotations

import pytest
from inner_project import FIXTURE, Project, Say, queries

MODULE = "def search(text, k):\n    return ['from-module']\n"


@pytest.fixture
def several(project: Project) -> Project:
    """Three retrievers that tell themselves apart by what they return."""
    project.golden(queries(1))
    project.write(
        "conftest.py",
        FIXTURE
        + "\n\n@pytest.fixture(scope='session')\ndef second():\n    return lambda text, k: ['from-second']\n"
        "\n\n@pytest.fixture(scope='session')\ndef third():\n    return lambda text, k: ['from-third']\n",
    )
    project.write("found_search.py", MODULE)
    return project


def top(project: Project, *args: str, folder: str = ".") -> str:
    run = project.run(*args, folder=folder)
    return str(run.query("w01", run.report["sets"][0]["golden"])["ranked"][0])


def test_the_default_is_the_fixture_retriever(several: Project) -> None:
    assert top(several) == "D1"


def test_every_way_of_naming_a_fixture(several: Project, say: Say) -> None:
    assert top(several, *say("retriever", "second")) == "from-second"


def test_every_way_of_naming_an_object_in_a_module(several: Project, say: Say) -> None:
    assert top(several, *say("retriever", "found_search:search")) == "from-module"


def test_flag_over_header_over_ini(several: Project) -> None:
    several.ini("retrieval_retriever = second")
    assert top(several) == "from-second"
    several.golden(queries(1), retriever="third")
    assert top(several) == "from-third"
    assert top(several, "--retrieval-retriever=found_search:search") == "from-module"


def test_a_run_file_is_looked_for_where_it_was_named(project: Project) -> None:
    for folder in ("golden", "typed", "."):
        project.write(f"{folder}/a.jsonl", f'{{"id": "w01", "ranked": ["from-{folder}"]}}\n')
    project.golden(queries(1), "golden/golden.yaml")
    project.ini("retrieval_retriever = run:a.jsonl")
    named = str(project.path / "golden" / "golden.yaml")
    # the ini file counts from the root, a header from its own folder, a command line from where one is
    assert top(project, named, folder="typed") == "from-."
    project.golden(queries(1), "golden/golden.yaml", retriever="run:a.jsonl")
    assert top(project, named, folder="typed") == "from-golden"
    assert top(project, named, "--retrieval-retriever=run:a.jsonl", folder="typed") == "from-typed"


def test_a_run_of_another_golden_set_is_refused(project: Project) -> None:
    project.golden(queries(2))
    project.write("a.jsonl", '{"id": "other", "ranked": ["D1"]}\n')
    run = project.run("--retrieval-retriever=run:a.jsonl")
    assert run.exit == 1
    assert "the run holds no query of the golden set" in run.text
    assert run.set()["errors"] == 2


def test_bm25_is_built_in(project: Project) -> None:
    pytest.importorskip("rank_bm25", reason="rank-bm25 is an extra")
    project.golden(queries(1), documents=["docs/*.md"], retriever="bm25")
    project.golden(
        [{"id": "q1", "text": "red apples", "relevant": ["docs/apples.md"]}],
        documents=["docs/*.md"],
        retriever="bm25",
    )
    project.write("docs/apples.md", "# Apples\n\nApples are red or green.\n")
    project.write("docs/pears.md", "# Pears\n\nPears are yellow.\n")
    project.write("docs/plums.md", "# Plums\n\nPlums are blue.\n")
    run = project.run()
    assert run.exit == 0
    assert run.query("q1")["ranked"][0] == "docs/apples.md"


def test_a_fixture_goes_before_a_built_in_of_the_same_name(several: Project) -> None:
    several.write(
        "conftest.py",
        FIXTURE + "\n\n@pytest.fixture(scope='session')\ndef bm25():\n    return lambda t: ['mine']\n",
    )
    assert top(several, "--retrieval-retriever=bm25") == "mine"


def test_an_empty_name_is_refused(several: Project) -> None:
    run = several.run("--retrieval-retriever=")
    assert run.exit == 4
    assert "--retrieval-retriever" in run.text


def test_the_name_is_kept_in_report_and_baseline_and_a_change_is_noted(several: Project) -> None:
    assert several.run("--update-baseline").set()["retriever"] == "retriever"
    run = several.run("--retrieval-baseline", "--retrieval-retriever=second")
    notes = [note for note in run.set()["notes"] if not note.startswith("holes: ")]
    assert notes == ["retriever: retriever before, second now"]
