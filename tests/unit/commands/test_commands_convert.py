from __future__ import annotations

from pathlib import Path

import pytest

from pytest_retrieval.cli import main
from pytest_retrieval.golden.reader import load_golden

TABLE = "query,docid,rating\nwhat is new,a,2\nwhat is new,b,0\n"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "exam.csv").write_text(TABLE, "utf-8")
    return tmp_path


def test_a_golden_set_is_written_and_what_was_guessed_is_printed(here: Path, capsys) -> None:
    assert main(["convert", "exam.csv", "-o", "golden.yaml"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "exam.csv: read as table of 2 rows",
        "  guessed separator: ','",
        "  guessed text: query",
        "  guessed relevant: docid",
        "  guessed grade: rating",
        "  guessed no ids found: made up as q1 to q1",
        "golden.yaml: 1 queries with 2 labels written",
    ]
    assert (here / "golden.yaml").read_text("utf-8") == (
        "queries:\n  - {id: q1, text: what is new, relevant: {a: 2, b: 0}}\n"
    )


def test_nothing_is_written_over_without_being_told(here: Path, capsys) -> None:
    (here / "golden.yaml").write_text("mine", "utf-8")
    assert main(["convert", "exam.csv", "-o", "golden.yaml"]) == 1
    assert "golden.yaml: is already there and was left; write over it with --force" in capsys.readouterr().err
    assert (here / "golden.yaml").read_text("utf-8") == "mine"
    assert main(["convert", "exam.csv", "-o", "golden.yaml", "--force"]) == 0
    assert len(load_golden(here / "golden.yaml")) == 1


def test_roles_are_mapped_with_commas_or_blanks(here: Path) -> None:
    (here / "exam.json").write_text('[{"a": {"b": "new"}, "c": ["d"], "n": "k"}]', "utf-8")
    words = ["--map", "id=n,", "text=a.b,relevant=c"]
    assert main(["convert", "exam.json", "-o", "golden.jsonl", *words]) == 0
    assert (here / "golden.jsonl").read_text("utf-8") == '{"id": "k", "text": "new", "relevant": {"d": 1}}\n'


def test_beir_and_trec_files_are_written_and_read_back(here: Path, capsys) -> None:
    (here / "golden.yaml").write_text(
        "- {id: q1, kind: x, text: what is new, relevant: {a: 2, b: 0}}\n"
        "- {id: q2, text: old, relevant: [c d]}\n",
        "utf-8",
    )
    assert main(["convert", "golden.yaml", "--to", "beir", "-o", "beir"]) == 0
    assert "warning: beir files cannot hold kind; left out" in capsys.readouterr().out
    assert (here / "beir/qrels/test.tsv").read_bytes() == (
        b"query-id\tcorpus-id\tscore\nq1\ta\t2\nq1\tb\t0\nq2\tc d\t1\n"
    )
    assert main(["convert", "beir", "-o", "golden_back.jsonl"]) == 0
    back = load_golden(here / "golden_back.jsonl")
    assert {query.text: query.relevant for query in back.queries} == {
        "what is new": {"a": 2, "b": 0},
        "old": {"c d": 1},
    }
    assert main(["convert", "beir", "--to", "beir", "-o", "beir"]) == 1
    assert main(["convert", "golden.yaml", "--to", "trec", "-o", "trec"]) == 1
    assert "the id 'c d' holds white space" in capsys.readouterr().err
    assert not (here / "trec").exists()
    assert main(["convert", "exam.csv", "--to", "trec", "-o", "trec"]) == 0
    assert (here / "trec/topics.tsv").read_bytes() == b"q1\twhat is new\n"
    assert (here / "trec/qrels.txt").read_bytes() == b"q1 0 a 2\nq1 0 b 0\n"


def test_labels_outside_the_named_corpus_are_told(here: Path, capsys) -> None:
    (here / "corpus.jsonl").write_text('{"id": "a", "text": "x"}\n', "utf-8")
    assert main(["convert", "exam.csv", "-o", "golden.yaml", "--documents", "corpus.jsonl"]) == 0
    assert "warning: q1 labels 'b', which is none of the 1 declared documents" in capsys.readouterr().out
    assert (here / "golden.yaml").read_text("utf-8").startswith("documents: corpus.jsonl\nqueries:\n")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["exam.csv", "-o", "golden.txt"], "golden.txt: expected a golden set (.yaml, .yml, .jsonl)"),
        (["exam.csv", "-o", "golden.yaml", "--to", "trec"], "golden.yaml: is no folder; --to trec writes"),
        (["exam.csv", "-o", "g.yaml", "--map", "colour=x"], "--map: there is no role 'colour'"),
        (["exam.csv", "-o", "g.yaml", "--map", "text"], "--map: found 'text', expected ROLE=PATH"),
        (["exam.csv", "-o", "g.yaml", "--map", "id=a,id=b"], "--map: the role 'id' is given twice"),
        (["exam.csv", "-o", "g.yaml", "--separator", "ab"], "must be one character, found 'ab'"),
        (["exam.csv", "-o", "g.yaml", "--document", "x"], "--document: 'x' is no rule"),
        (["beir", "-o", "g.yaml", "--map", "id=a"], "beir: --map id does not apply to a BEIR folder"),
        (["gone.csv", "-o", "g.yaml"], "gone.csv: there is no such file or folder"),
        (["exam.csv", "-o", "exam.csv/g.yaml"], "g.yaml: cannot be written"),
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_refused_and_nothing_is_written(here, capsys, words, message: str) -> None:
    (here / "beir/qrels").mkdir(parents=True)
    (here / "beir/queries.jsonl").touch()
    assert main(["convert", *words]) == 1
    assert message in capsys.readouterr().err
    assert sorted(path.name for path in here.iterdir()) == ["beir", "exam.csv"]


def test_a_name_that_pytest_does_not_find_is_told(here: Path, capsys) -> None:
    assert main(["convert", "exam.csv", "-o", "exam.yaml", "--separator", ","]) == 0
    assert "pytest finds it by itself only as golden.*, golden_*.* or *.golden.*" in capsys.readouterr().out
