from __future__ import annotations

import pytest
from inner_project import Project, Say, queries, query


def depth(project: Project, *args: str) -> int:
    return int(project.run(*args).set()["depth"])


@pytest.fixture
def plain(project: Project) -> Project:
    project.golden(queries(1))
    return project


def test_the_default_is_twenty(plain: Project) -> None:
    assert depth(plain) == 20


def test_the_largest_cut_off_counts_where_it_is_larger(plain: Project) -> None:
    assert depth(plain, "--retrieval-metrics=recall@50") == 50
    assert depth(plain, "--retrieval-gate=ndcg@30") == 30


def test_every_way_of_saying_it(plain: Project, say: Say) -> None:
    assert depth(plain, *say("depth", 33)) == 33


def test_flag_over_header_over_ini(plain: Project) -> None:
    plain.ini("retrieval_depth = 31")
    assert depth(plain) == 31
    plain.golden(queries(1), depth=32)
    assert depth(plain) == 32
    assert depth(plain, "--retrieval-depth=33") == 33


def test_the_retriever_is_asked_for_so_many_and_no_more_are_kept(project: Project) -> None:
    project.golden([query("q1")])
    project.write(
        "conftest.py",
        "import pytest\n@pytest.fixture(scope='session')\ndef retriever():\n"
        "    return lambda text, k: [f'asked-for-{k}', *(f'D{n}' for n in range(100))]\n",
    )
    ranked = project.run("--retrieval-depth=12").query("q1")["ranked"]
    assert ranked[0] == "asked-for-12"
    assert len(ranked) == 12


@pytest.mark.parametrize("bad", ["0", "-1", "1.5", "all"])
def test_a_value_that_is_no_count_is_refused(plain: Project, say: Say, bad: str) -> None:
    run = plain.run(*say("depth", bad))
    assert run.exit == 4
    assert "retrieval-depth" in run.text.replace("_", "-")
    assert "expected a whole number of at least 1" in run.text
    assert plain.events == []


def test_a_depth_below_a_cut_off_is_refused_before_anything_is_asked(plain: Project) -> None:
    run = plain.run("--retrieval-depth=5")
    assert run.exit in (2, 4)
    assert "depth 5 is not enough for ndcg@10" in run.text
    assert plain.events == []


def test_a_headers_depth_below_a_cut_off_is_refused_at_its_line(plain: Project) -> None:
    plain.golden(queries(1), metrics=["recall@5"], depth=4, gate={"metrics": ["recall@3"]})
    run = plain.run()
    assert run.exit == 2
    assert "golden.yaml:2: depth 4 is not enough for recall@5" in run.text
