from __future__ import annotations

import re

import pytest
from inner_project import Project, queries, query

ODD_IDS = [
    "a[b]",
    "x::y",
    "folder/file.md",
    "C:\\x",
    "line\nbreak",
    "bell\x07 and escape\x1b[31m",
    "  blanks  ",
    "a\tb",
    "\u200b",
    "..",
    "y" * 300,
    "y" * 299 + "z",
    "q~deadbeef",
    "-k",
    "--collect-only",
    "*",
    "percent%20",
    'it\'s "quoted" and `more` $HOME',
    "日本語",
    "e\u0301tude",
    "\U0001f642",
]


@pytest.fixture
def odd(project: Project) -> Project:
    project.golden([query(name, text=f"text {n}") for n, name in enumerate(ODD_IDS)], "golden.jsonl")
    return project


def collected(project: Project, *args: str) -> list[str]:
    """The node ids that a collection lists."""
    return [line for line in project.run("--collect-only", "-q", *args).lines if "::" in line]


def test_a_node_id_is_file_kind_and_query(project: Project) -> None:
    project.golden([query("q01", "word"), query("PRC-112", "identifier"), query("q02", "word")])
    assert collected(project, "-p", "no:randomly") == [
        "golden.yaml::word::q01",
        "golden.yaml::word::q02",
        "golden.yaml::identifier::PRC-112",
    ]


def test_odd_ids_have_distinct_names_of_harmless_characters(odd: Project) -> None:
    names = collected(odd)
    assert len(set(names)) == len(names) == len(ODD_IDS)
    for name in names:
        assert re.fullmatch(r"golden\.jsonl::word::[\w.+=@,~-]{1,90}", name)


@pytest.mark.parametrize("number", range(len(ODD_IDS)), ids=lambda number: f"odd{number}")
def test_a_node_id_pasted_back_runs_exactly_that_query(odd: Project, number: int) -> None:
    run = odd.run(collected(odd)[number])
    assert run.exit == 0
    assert odd.asked == [f"text {number}"]


def test_the_original_id_names_the_query_in_report_and_baseline(odd: Project) -> None:
    run = odd.run("--update-baseline")
    assert run.exit == 0
    # ids are compared under NFC, everything else is kept as written
    expected = {"\u00e9tude" if name == "e\u0301tude" else name for name in ODD_IDS}
    assert {one["id"] for one in run.set("golden.jsonl")["queries"]} == expected
    again = odd.run("--retrieval-baseline")
    assert again.exit == 0
    assert again.set("golden.jsonl")["added"] == again.set("golden.jsonl")["removed"] == []


@pytest.mark.parametrize("kind", ["word", "multi hop", "a/b::[c]", "k\nl", "all"])
def test_the_node_id_of_a_kind_runs_that_kind(project: Project, kind: str) -> None:
    project.golden([query("q1", kind), query("q2", "another"), query("q3", kind)], "golden.jsonl")
    node = next(name for name in collected(project) if name.endswith("::q1")).rpartition("::")[0]
    run = project.run(node)
    assert run.exit == 0
    assert sorted(project.asked) == ["text of q1", "text of q3"]


def test_two_kinds_that_look_alike_have_nodes_of_their_own(project: Project) -> None:
    project.golden([query("q1", "a b"), query("q2", "a_b"), query("q3", "a/b")])
    assert len({name.rpartition("::")[0] for name in collected(project)}) == 3


def test_a_failure_shows_the_original_id_without_its_control_characters(odd: Project) -> None:
    odd.answer("text 5", "broken")
    run = odd.run("-k", "bell")
    assert run.exit == 1
    assert "query 'bell\\x07 and escape\\x1b[31m'" in run.text
    assert "\x1b" not in run.text
    assert "\x07" not in run.text


@pytest.mark.parametrize("workers", ["0", "2"])
def test_two_colons_in_the_name_of_a_folder_end_no_file_name(project: Project, workers: str) -> None:
    project.golden(queries(12), "my::search/golden.yaml")
    project.run("--update-baseline")
    run = project.run_apart("--retrieval-baseline", "-n", workers)
    assert (run.exit, run.status) == (0, "pass")
    assert len(run.set("my::search/golden.yaml")["gates"]) == 2
