from __future__ import annotations

import pytest
from inner_project import Project, queries

NO_QUERIES = "name: something else\nsteps: [a, b]\n"
PASSED_OVER = "PassedOverWarning: passed over, no golden set"


def found(project: Project, *args: str) -> list[str]:
    run = project.run(*args)
    assert run.exit in (0, 5), run.text
    return sorted(one["golden"] for one in run.report["sets"])


@pytest.mark.parametrize(
    "name",
    [
        "golden.yaml",
        "golden.yml",
        "golden.jsonl",
        "golden_docs.yaml",
        "golden_docs.v2.jsonl",
        "docs.golden.yml",
        "docs.golden.en.yaml",
        "golden.YAML",
        "deep/er/golden_docs.yaml",
    ],
)
def test_a_golden_name_is_found(project: Project, name: str) -> None:
    project.golden(queries(1), name)
    assert found(project) == [name]


@pytest.mark.parametrize(
    "name",
    [
        "golden.local.yaml",
        "golden_docs.local.jsonl",
        "docs.golden.local.yml",
        ".golden.yaml",
        "golden.json",
        "golden.txt",
        "golden-docs.yaml",
        "goldenrod.yaml",
        "my_golden.yaml",
        "Golden.yaml",
        "queries.yaml",
    ],
)
def test_other_names_are_passed_over_in_silence(project: Project, name: str) -> None:
    project.golden(queries(1), name)
    project.write("test_it.py", "def test_it():\n    pass\n")
    run = project.run("-W", "error")
    assert (run.exit, run.report["sets"]) == (0, [])


@pytest.mark.parametrize("name", ["golden.local.yaml", "queries.yaml", "my_golden.jsonl"])
def test_a_golden_set_of_any_name_is_taken_when_it_is_named(project: Project, name: str) -> None:
    project.golden(queries(1), name)
    assert found(project, name) == [name]


def test_a_file_of_another_suffix_is_none_of_ours_even_when_named(project: Project) -> None:
    project.golden(queries(1), "golden.txt")
    run = project.run("golden.txt")
    assert run.exit == 5
    assert project.events == []


@pytest.mark.parametrize("content", ["", NO_QUERIES, "- a\n- b\n", "just text\n"])
def test_a_golden_name_without_queries_is_passed_over_with_one_warning(
    project: Project, content: str
) -> None:
    project.write("golden_tests.yaml", content)
    project.golden(queries(1))
    run = project.run("-W", "default")
    assert run.exit == 0
    assert [one["golden"] for one in run.report["sets"]] == ["golden.yaml"]
    assert run.text.count(PASSED_OVER) == 1
    assert "1 passed, 1 warning" in run.text
    assert any(PASSED_OVER in line and "golden_tests.yaml" in line for line in run.lines)


def test_naming_its_folder_is_not_naming_it(project: Project) -> None:
    project.write("search/golden_tests.yaml", NO_QUERIES)
    assert project.run("search", "-W", "default").exit == 5


@pytest.mark.parametrize("named", ["golden_tests.yaml", "golden_tests.yaml::word", "./golden_tests.yaml"])
def test_the_same_file_is_an_error_when_it_is_named(project: Project, named: str) -> None:
    project.write("golden_tests.yaml", NO_QUERIES)
    run = project.run(named, "-W", "default")
    assert run.exit in (2, 4)
    assert "golden_tests.yaml: holds no queries" in run.text
    assert PASSED_OVER not in run.text


@pytest.mark.parametrize("content", ["queries: []\n", "queries:\n", "retriever: bm25\nqueries: []\n"])
def test_a_golden_set_without_a_query_is_an_error_not_a_silent_pass(project: Project, content: str) -> None:
    project.write("golden.yaml", content)
    run = project.run()
    assert run.exit == 2
    assert "golden.yaml: holds no query yet" in run.text


@pytest.mark.parametrize("named", [[], ["golden.yaml"]])
def test_a_broken_golden_set_is_a_short_error_with_its_line(project: Project, named: list[str]) -> None:
    project.write(
        "golden.yaml",
        "queries:\n  - {id: q1, text: one, relevant: [D1]}\n  - {id: q1, text: two, relevant: [D1]}\n",
    )
    run = project.run(*named)
    assert run.exit == 2
    assert "golden.yaml:3: the query id 'q1' is already used on line 2" in run.text
    assert "Traceback" not in run.text
    assert "pytest_side" not in run.text
    assert project.events == []


def test_the_readable_golden_sets_wait_for_the_broken_one(project: Project) -> None:
    project.golden(queries(1))
    project.write("golden_broken.yaml", "queries:\n  - {id: q1}\n")
    assert project.run().exit == 2
    assert project.events == []
    assert project.run("--continue-on-collection-errors").exit == 1
    assert len(project.asked) == 1


def test_one_broken_golden_set_is_wrong_once(project: Project) -> None:
    project.write("golden.yaml", "queries:\n  - {id: q1}\n")
    assert project.run().text.count("golden.yaml:2: a query without a text") == 1


# -- files of other plugins

OTHERS = {
    "custom tags": "- case: !custom [1, 2]\n- case: !call {url: /a}\n",
    "several documents": "name: first\n---\nname: second\n",
    "templates": "{% for x in y %}\n- {{ x }}\n{% endfor %}\n",
    "merge keys": "base: &base {a: 1}\nother:\n  <<: *base\n",
    "duplicate keys": "a: 1\na: 2\n",
    "queries of its own": "queries:\n  - sql: select 1\n",
    "no yaml at all": "\t: : {",
}

OTHER_PLUGIN = """
import pytest


class Item(pytest.Item):
    def runtest(self):
        pass


class File(pytest.File):
    def collect(self):
        yield Item.from_parent(self, name="case")


def pytest_collect_file(file_path, parent):
    if file_path.name == "test_api.yaml":
        return File.from_parent(parent, path=file_path)
"""


@pytest.mark.parametrize("content", OTHERS.values(), ids=OTHERS.keys())
@pytest.mark.parametrize("extra", [[], ["-o", "retrieval_baseline=true"]], ids=["plain", "gated"])
def test_another_plugins_file_is_not_touched_when_it_is_named(
    project: Project, content: str, extra: list[str]
) -> None:
    project.write("conftest.py", OTHER_PLUGIN)
    project.write("test_api.yaml", content)
    for named in ("test_api.yaml", "test_api.yaml::case"):
        run = project.run("-W", "error", named, *extra, report=False)
        assert run.exit == 0, run.text
        assert "1 passed" in run.text
        assert "golden" not in run.text.partition("collected")[2]


def test_another_plugins_bytes_are_not_touched(project: Project) -> None:
    project.write("conftest.py", OTHER_PLUGIN)
    project.write("test_api.yaml", b"\xff\xfe\x00\x01")
    assert project.run("test_api.yaml").exit == 0


def test_a_named_golden_set_with_a_mistake_is_not_mistaken_for_another_plugins(project: Project) -> None:
    project.write(
        "queries.yaml", "- {id: q1, text: one, relevant: [D1]}\n- {id: q2, text: two, relevnt: [D1]}\n"
    )
    run = project.run("queries.yaml")
    assert run.exit == 2
    assert "queries.yaml:2: unknown field 'relevnt'" in run.text


def test_a_named_golden_set_that_is_no_yaml_is_not_mistaken_either(project: Project) -> None:
    project.write("queries.yaml", "- id: q1\n  text: one\n  relevant: [D1\n")
    run = project.run("queries.yaml")
    assert run.exit == 2
    assert "queries.yaml:" in run.text
    assert "broken YAML" in run.text


def test_several_golden_sets_are_told_apart(project: Project) -> None:
    project.golden(queries(1, "word"))
    project.golden(queries(1, "phrase"), "golden_more.yaml")
    project.golden(queries(1, "identifier"), "inner/golden.yaml")
    assert found(project) == ["golden.yaml", "golden_more.yaml", "inner/golden.yaml"]


@pytest.mark.parametrize("again", ["golden.yaml", "."])
def test_a_golden_set_that_is_named_twice_counts_once(project: Project, again: str) -> None:
    # before pytest 9 its queries are collected twice
    project.golden(queries(2))
    run = project.run("golden.yaml", again)
    assert (run.exit, run.status) == (0, "measured")
    assert (run.set()["queries_total"], run.set()["scored"]) == (2, 2)


def test_documents_that_are_declared_are_held_against_the_labels(project: Project) -> None:
    project.write("docs/a.md", "# A\n")
    project.golden([dict(queries(1)[0], relevant=["docs/b.md"])], documents=["docs/*.md"])
    run = project.run()
    assert run.exit == 2
    assert "w01 labels 'docs/b.md', which is none of the 1 declared documents" in run.text
