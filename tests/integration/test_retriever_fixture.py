from __future__ import annotations

import pytest
from inner_project import FIXTURE, Project, queries, query


def fixture(body: str, arguments: str = "", scope: str = "session") -> str:
    return (
        "import pytest\nimport table_retriever\n\n"
        f"@pytest.fixture(scope={scope!r})\ndef retriever({arguments}):\n    {body}\n"
    )


def test_the_session_fixture_is_built_once_and_torn_down_after_the_last_query(project: Project) -> None:
    project.golden(queries(2))
    project.golden(queries(2, "phrase"), "golden_more.yaml")
    assert project.run().exit == 0
    assert project.events.count("built") == 1
    assert (project.events[0], project.events[-1]) == ("built", "closed")


def test_an_ordinary_test_shares_the_fixtures_value(project: Project) -> None:
    project.golden(queries(1))
    project.write(
        "test_search.py", "def test_search(retriever):\n    assert retriever('text of w01', 1) == ['D1']\n"
    )
    assert project.run().exit == 0
    assert project.events.count("built") == 1


def test_a_fixture_that_fails_is_built_once(project: Project) -> None:
    project.golden(queries(3))
    project.write("conftest.py", fixture("table_retriever.note('built'); raise OSError('gone')"))
    assert project.run().exit == 1
    assert project.events == ["built"]


@pytest.mark.parametrize("scope", ["function", "class", "module", "package"])
def test_a_narrower_scope_is_refused_with_the_words_to_write(project: Project, scope: str) -> None:
    project.golden(queries(1))
    project.write("conftest.py", fixture("return table_retriever.search", scope=scope))
    run = project.run()
    assert run.exit == 2
    assert f"fixture 'retriever' has scope '{scope}'" in run.text
    assert '@pytest.fixture(scope="session")' in run.text
    assert "golden.yaml" in run.text
    assert "Traceback" not in run.text
    assert project.events == []


def test_the_refusal_points_at_the_header_where_the_name_stands(project: Project) -> None:
    project.golden(queries(1), depth=20, retriever="search_here")
    project.write(
        "conftest.py", fixture("return 1", scope="function").replace("def retriever", "def search_here")
    )
    assert "golden.yaml:2: fixture 'search_here' has scope 'function'" in project.run().text


def test_an_unknown_retriever_is_refused_with_what_there_is(project: Project) -> None:
    project.golden(queries(1), retriever="retreiver")
    run = project.run()
    assert run.exit == 2
    assert "golden.yaml:1: retriever 'retreiver' is no fixture here and not built in (bm25)" in run.text
    assert "define a session fixture 'retreiver' in conftest.py" in run.text


def test_each_package_has_its_own_fixture_of_the_same_name(project: Project) -> None:
    project.write("conftest.py", "")
    for folder, document in (("north", "D1"), ("south", "D2")):
        project.golden([query(f"{folder}1")], f"{folder}/golden.yaml")
        project.write(f"{folder}/conftest.py", fixture(f"return lambda text, k: [{document!r}]"))
    run = project.run()
    assert run.exit == 0
    assert run.query("north1", "north/golden.yaml")["ranked"] == ["D1"]
    assert run.query("south1", "south/golden.yaml")["ranked"] == ["D2"]


def test_a_fixture_of_a_sub_folder_overrides_the_one_above(project: Project) -> None:
    project.golden([query("q1")])
    project.golden([query("q2")], "inner/golden.yaml")
    project.write(
        "inner/conftest.py", fixture("return lambda text, k: [retriever(text, k)[0], 'D2']", "retriever")
    )
    run = project.run()
    assert run.exit == 0
    assert run.query("q1")["ranked"] == ["D1"]
    assert run.query("q2", "inner/golden.yaml")["ranked"] == ["D1", "D2"]
    assert project.events.count("built") == 1


def test_a_fixture_of_a_test_module_is_not_seen_by_a_golden_set(project: Project) -> None:
    project.golden(queries(1))
    project.write("conftest.py", "")
    project.write("test_it.py", fixture("return table_retriever.search"))
    run = project.run()
    assert "golden.yaml: retriever 'retriever' is no fixture here" in run.text


def test_the_fixture_may_ask_for_other_fixtures(project: Project) -> None:
    project.golden(queries(1))
    project.write(
        "conftest.py",
        fixture(
            "folder = tmp_path_factory.mktemp('index'); assert folder.is_dir(); assert pytestconfig; "
            "return table_retriever.search",
            "tmp_path_factory, pytestconfig, request",
        ),
    )
    assert project.run("-W", "error").exit == 0


def test_a_session_fixture_that_asks_for_a_function_fixture_is_pytests_own_error(project: Project) -> None:
    project.golden(queries(1))
    project.write("conftest.py", fixture("return table_retriever.search", "tmp_path"))
    run = project.run()
    assert run.exit == 1
    assert "ScopeMismatch" in run.text


def test_a_parametrized_retriever_is_refused(project: Project) -> None:
    project.golden(queries(1))
    project.write(
        "conftest.py",
        "import pytest\n@pytest.fixture(scope='session', params=[1, 2])\ndef retriever(request):\n"
        "    return lambda text, k: [f'D{request.param}']\n",
    )
    run = project.run()
    assert run.exit == 2
    assert "golden.yaml: fixture 'retriever' has params" in run.text
    assert "Traceback" not in run.text


def test_autouse_fixtures_surround_every_query(project: Project) -> None:
    project.golden(queries(2))
    project.write(
        "conftest.py",
        FIXTURE + "\n\n@pytest.fixture(autouse=True)\ndef around():\n"
        "    table_retriever.note('before')\n    yield\n    table_retriever.note('after')\n",
    )
    assert project.run("-p", "no:randomly").exit == 0
    assert project.events == [
        *("before", "built", "asked text of w01", "after"),
        *("before", "asked text of w02", "after"),
        "closed",
    ]


def test_fixtures_hold_under_warnings_as_errors(project: Project) -> None:
    project.golden(queries(2))
    assert project.run_apart("-W", "error", "-p", "no:randomly").exit == 0
    assert project.events[-1] == "closed"


def test_class_and_factory_are_called_once_to_build(project: Project) -> None:
    project.write(
        "shop.py",
        "import table_retriever\n\n\nclass Search:\n    def __init__(self):\n"
        "        table_retriever.note('built')\n\n    def search(self, text, k):\n        return ['D1']\n\n\n"
        "def build():\n    return Search()\n",
    )
    for name in ("shop:Search", "shop:build"):
        project.golden(queries(3), retriever=name)
        assert project.run("golden.yaml").exit == 0
        assert project.events == ["built"]
