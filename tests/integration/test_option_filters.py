"""``--retrieval-kind``, ``-tag`` and ``-split`` declare the population: everything is about it alone."""

from __future__ import annotations

import pytest
from inner_project import Project, Say, queries, query

ROWS = [
    *queries(10, "word"),
    *queries(10, "phrase"),
    query("s1", "special", tags=["smoke"], split="dev"),
    query("s2", "special", tags=["smoke", "slow"], split="test"),
    query("s3", "special", tags=["slow"]),
]


@pytest.fixture
def filtered(project: Project) -> Project:
    project.golden(ROWS)
    assert project.run("--update-baseline").exit == 0
    return project


def asked(project: Project) -> list[str]:
    return sorted({text.removeprefix("text of ") for text in project.asked})


@pytest.mark.parametrize(
    ("name", "value", "ids"),
    [
        ("kind", ["special"], ["s1", "s2", "s3"]),
        ("tag", ["smoke"], ["s1", "s2"]),
        ("split", ["dev", "test"], ["s1", "s2"]),
    ],
)
def test_every_way_of_saying_it(
    filtered: Project, say: Say, name: str, value: list[str], ids: list[str]
) -> None:
    run = filtered.run(*say(name, value))
    assert (run.exit, run.status) == (0, "measured")
    assert asked(filtered) == ids
    assert run.set()["population"] == {name: value}
    assert run.set()["queries_total"] == len(ids)
    assert run.report["complete"] is True


def test_a_query_with_any_of_the_tags_belongs(filtered: Project) -> None:
    filtered.run("--retrieval-tag=smoke,slow")
    assert asked(filtered) == ["s1", "s2", "s3"]


def test_a_flag_may_be_repeated(filtered: Project) -> None:
    run = filtered.run("--retrieval-kind=special", "--retrieval-kind=word")
    assert run.set()["queries_total"] == 13
    assert run.set()["population"] == {"kind": ["special", "word"]}


def test_several_filters_must_all_hold(filtered: Project) -> None:
    run = filtered.run("--retrieval-kind=special", "--retrieval-tag=smoke", "--retrieval-split=test")
    assert asked(filtered) == ["s2"]
    assert run.set()["population"] == {"kind": ["special"], "tag": ["smoke"], "split": ["test"]}


def test_a_flag_replaces_the_ini_filter_of_its_name(filtered: Project) -> None:
    filtered.ini("retrieval_kind = word")
    assert filtered.run().set()["queries_total"] == 10
    assert filtered.run("--retrieval-kind=special").set()["queries_total"] == 3


def test_the_terminal_names_the_population(filtered: Project) -> None:
    run = filtered.run("--retrieval-kind=word", "--retrieval-kind=special")
    assert any("only kind word or special" in line for line in run.lines)


def test_gates_are_built_over_the_population(filtered: Project) -> None:
    filtered.fall(queries(10, "phrase"))
    assert filtered.run("--retrieval-baseline").exit == 1
    run = filtered.run("--retrieval-baseline", "--retrieval-kind=word")
    assert (run.exit, run.status) == (0, "pass")
    assert run.gate()["n"] == 10
    assert [gate["slice"] for gate in run.set()["gates"]] == [{}, {}]
    run = filtered.run("--retrieval-baseline", "--retrieval-kind=word,phrase")
    assert (run.exit, run.gate()["n"]) == (1, 20)


def test_a_query_that_left_another_kind_is_not_missed(filtered: Project) -> None:
    filtered.golden([row for row in ROWS if row["id"] not in ("p01", "w01")])
    run = filtered.run("--retrieval-baseline", "--retrieval-kind=word")
    assert run.set()["removed"] == ["w01"]


@pytest.mark.parametrize("flag", ["--retrieval-kind=word", "--retrieval-tag=smoke", "--retrieval-split=dev"])
def test_an_update_of_a_part_is_refused_before_anything_is_asked(filtered: Project, flag: str) -> None:
    before = filtered.baselines()
    run = filtered.run("--update-baseline", flag)
    assert run.exit == 4
    assert flag in run.text
    assert "the baseline is one whole run" in run.text
    assert filtered.events == []
    assert filtered.baselines() == before


def test_a_filter_that_leaves_nothing_out_does_not_stop_an_update(filtered: Project) -> None:
    assert filtered.run("--update-baseline", "--retrieval-kind=word,phrase,special").exit == 0


def test_a_filter_that_leaves_nothing_collects_nothing(filtered: Project) -> None:
    assert filtered.run("--retrieval-kind=no-such-kind").exit == 5
    assert filtered.events == []


def test_a_comparison_of_an_empty_population_is_not_green(filtered: Project) -> None:
    filtered.write("test_it.py", "def test_it():\n    pass\n")
    run = filtered.run("--retrieval-baseline", "--retrieval-kind=no-such-kind")
    assert run.exit != 0
    assert run.status == "incomplete"


@pytest.mark.parametrize("name", ["kind", "tag", "split"])
def test_an_empty_list_is_refused(filtered: Project, name: str) -> None:
    run = filtered.run(f"--retrieval-{name}= , ")
    assert run.exit == 4
    assert f"--retrieval-{name}" in run.text
    assert filtered.events == []


def test_kinds_with_commas_or_blanks_can_be_named_in_native_lists(project: Project) -> None:
    if pytest.version_tuple < (9,):
        pytest.skip("native TOML came with pytest 9")
    project.golden([query("q1", "red, green"), query("q2", "blue")])
    (project.path / "pytest.ini").unlink()
    project.write("pyproject.toml", '[tool.pytest]\nretrieval_kind = ["red, green"]\n')
    assert project.run().exit == 0
    assert project.asked == ["text of q1"]


@pytest.mark.parametrize("apart", [[], ["-n", "2"]])
@pytest.mark.parametrize(
    ("flags", "told"),
    [
        (
            ["--retrieval-kind=word,wrod"],
            "--retrieval-kind: 'wrod' selects no query of golden.yaml; nothing was asked. "
            "Kinds there: word, phrase, special",
        ),
        (
            ["--retrieval-tag=smoke", "--retrieval-tag=fast"],
            "--retrieval-tag: 'fast' selects no query of golden.yaml; nothing was asked. "
            "Tags there: smoke, slow",
        ),
        (
            ["--retrieval-kind=special,word", "--retrieval-split=dev"],
            "--retrieval-kind: 'word' selects no query of golden.yaml together with the other filters",
        ),
    ],
)
def test_a_value_that_selects_nothing_is_refused_before_the_first_call(
    filtered: Project, flags: list[str], told: str, apart: list[str]
) -> None:
    run = (filtered.run_apart if apart else filtered.run)("--retrieval-baseline", *flags, *apart)
    assert run.exit == 4
    assert told in run.text
    assert filtered.asked == []


def test_a_value_may_belong_to_one_of_several_golden_sets(filtered: Project) -> None:
    filtered.golden(queries(3, "sentence"), "golden_b.yaml")
    run = filtered.run("--retrieval-kind=word,sentence")
    assert (run.exit, run.status) == (0, "measured")


def test_a_value_in_an_ini_file_need_not_fit_a_file_that_is_named(filtered: Project) -> None:
    filtered.golden(queries(3, "sentence"), "golden_b.yaml")
    filtered.ini("retrieval_kind = word, sentence")
    assert filtered.run("golden.yaml").exit == 0
    filtered.ini("retrieval_kind = word, sentense")
    run = filtered.run()
    assert run.exit == 4
    assert "retrieval_kind: 'sentense' selects no query of golden.yaml; nothing was asked" in run.text


def test_a_filter_that_selects_nothing_beside_passing_tests_is_red(filtered: Project) -> None:
    filtered.write("test_it.py", "def test_it():\n    pass\n")
    run = filtered.run("--retrieval-kind=wrod")
    assert (run.exit, run.status) == (1, "incomplete")
    assert "--retrieval-kind: 'wrod' selects no query of golden.yaml; nothing was asked" in run.text
    assert "Kinds there: word, phrase, special" in run.text


@pytest.mark.parametrize("apart", [[], ["-n", "2"]])
def test_a_mistyped_value_in_an_ini_file_is_never_green(filtered: Project, apart: list[str]) -> None:
    filtered.write("test_it.py", "def test_it():\n    pass\n")
    filtered.ini("retrieval_kind = wrod", "retrieval_baseline = true")
    run = (filtered.run_apart if apart else filtered.run)(*apart)
    assert (run.exit, run.status) == (1, "incomplete")
    assert "retrieval_kind: 'wrod' selects no query of golden.yaml" in run.text
    # and whoever wants no golden set at all is not bothered
    filtered.ini("retrieval_kind = word", "retrieval_baseline = true")
    assert filtered.run("-k", "test_it").exit == 0
