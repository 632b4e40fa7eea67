from __future__ import annotations

from pathlib import Path

import pytest

from pytest_retrieval.cli import main

GOLDEN = """\
documents: corpus.jsonl
metrics: [recall@5]
gate: {metrics: [recall@5]}
queries:
  - {id: q1, text: what is quite new, relevant: {a: 1}}
  - {id: q2, text: what is quite old, relevant: {a: 1, gone: 2}}
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    (tmp_path / "golden.yaml").write_text(GOLDEN, "utf-8")
    (tmp_path / "corpus.jsonl").write_text('{"id": "a", "text": "news"}\n', "utf-8")
    return tmp_path


def test_problems_come_first_and_end_with_1(here: Path, capsys) -> None:
    assert main(["check", "golden.yaml"]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "golden.yaml: 2 queries, 3 labels, 1 documents, no rankings",
        "  problem  dangling: 1 of 3 labels name no document: q2: gone (golden.yaml:6)",
        "  note     small-kinds: 2 questions are fewer than 10",
        "  note     copied-words: share of a question's words that its document has: other 0.00",
        "1 problems, 2 notes",
    ]


def test_a_problem_can_be_allowed(here: Path, capsys) -> None:
    assert main(["check", "golden.yaml", "--allow", "dangling"]) == 0
    assert "  note     dangling: 1 of 3 labels" in capsys.readouterr().out


def test_the_usual_baseline_is_taken_where_there_is_one_and_others_by_name(here: Path, capsys) -> None:
    (here / "other.run").write_text("q1 Q0 b 1 1 t\nq2 Q0 b 1 1 t\n", "utf-8")
    main(["check", "golden.yaml", "--baseline", "other.run"])
    out = capsys.readouterr().out
    assert "1 documents, 1 rankings" in out
    assert "problem  never-returned: 0 of 2 judged ids were ever returned" in out
    (here / "baselines").mkdir()
    (here / "baselines/golden.json").write_text("{}", "utf-8")
    assert main(["check", "golden.yaml"]) == 1
    assert "its format is None" in capsys.readouterr().err


def test_without_documents_and_rankings_the_labels_are_checked(here: Path, capsys) -> None:
    (here / "golden.yaml").write_text(GOLDEN.replace("documents: corpus.jsonl\n", ""), "utf-8")
    assert main(["check", "golden.yaml", "--metrics", "precision@2,recall@1"]) == 0
    out = capsys.readouterr().out
    assert "documents not known, no rankings" in out
    assert "no search can exceed: precision@2 0.75, recall@1 0.75" in out


def test_labels_are_held_against_the_recorded_pool(here: Path, capsys) -> None:
    record = "pooled: [{depth: 1, sources: [pool/a.run]}]\n"
    (here / "golden.yaml").write_text(record + GOLDEN, "utf-8")
    main(["check", "golden.yaml"])
    out = capsys.readouterr().out
    assert "1 pooled rankings are not here (pool/a.run), so labels are not held against the pool" in out
    assert "pool-depth: recall@5 look deeper than the pool, which was judged to depth 1" in out
    (here / "pool").mkdir()
    (here / "pool/a.run").write_text("q1 Q0 a 1 2 t\nq1 Q0 b 2 1 t\nq2 Q0 a 1 1 t\n", "utf-8")
    main(["check", "golden.yaml"])
    assert "1 of 3 relevant documents were in no recorded pool: q2: gone" in capsys.readouterr().out


def test_what_was_left_out_of_the_files_of_others_is_told(here: Path, capsys) -> None:
    (here / "t.tsv").write_text("1\tnew\n2\told\n", "utf-8")
    (here / "q.txt").write_text("1 0 a 1\n", "utf-8")
    (here / "golden.yaml").write_text("queries: t.tsv\nqrels: q.txt\n", "utf-8")
    assert main(["check", "golden.yaml"]) == 0
    assert "note     1 questions without any label were left out, '2' first" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["golden.yaml", "--metrics", "recal@5"],
            "--metrics: unknown metric 'recal@5', did you mean recall@5",
        ),
        (["golden.yaml", "--baseline", "gone"], "gone: cannot be read"),
        (["golden.yaml", "--documents", "*.md"], "documents: '*.md' matches no file here"),
        (["gone.yaml"], "gone.yaml: there is no such file"),
        (["metric.yaml"], "metric.yaml:1: unknown metric 'x'"),
    ],
)
def test_what_cannot_be_read_is_refused(here: Path, capsys, words: list[str], message: str) -> None:
    (here / "metric.yaml").write_text(
        "metrics: [x]\n" + GOLDEN.replace("metrics: [recall@5]\ngate", "gate"), "utf-8"
    )
    assert main(["check", *words]) == 1
    assert message in capsys.readouterr().err
