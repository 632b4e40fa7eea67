"""Real collections are converted there and back: not one label is lost or changed."""

from __future__ import annotations

import difflib
import io
import json
from dataclasses import replace
from pathlib import Path

import pytest

from pytest_retrieval.cli import main
from pytest_retrieval.golden.qrels import read_qrels
from pytest_retrieval.golden.reader import load_golden
from pytest_retrieval.golden.writing import golden_text

DATA = Path(__file__).resolve().parents[2] / "../shared/data"

pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason="the collections are not at ../shared/data")


@pytest.mark.parametrize("form", ["golden_x.yaml", "golden_x.jsonl"])
@pytest.mark.parametrize("name", ["cranfield", "cisi", "xquad"])
def test_a_collection_goes_through_a_golden_set_beir_and_trec_to_the_same_bytes(
    name: str, form: str, tmp_path: Path
) -> None:
    folder, golden = DATA / name, tmp_path / form
    assert main(["convert", str(folder / "golden.jsonl"), "-o", str(golden)]) == 0
    assert main(["convert", str(golden), "--to", "beir", "-o", str(tmp_path / "beir")]) == 0
    assert main(["convert", str(tmp_path / "beir"), "--to", "trec", "-o", str(tmp_path / "trec")]) == 0
    assert (tmp_path / "trec/qrels.txt").read_bytes() == (folder / "qrels.txt").read_bytes()
    original = load_golden(folder / "golden.jsonl", check_documents=False)
    assert [(query.text, query.kind) for query in load_golden(golden).queries] == [
        (query.text, query.kind) for query in original.queries
    ]


def test_the_topics_of_trec_covid_take_their_labels_by_topic(tmp_path: Path) -> None:
    folder, golden, trec = DATA / "trec_covid", tmp_path / "golden_covid.jsonl", tmp_path / "trec"
    sources = [str(folder / "topics.jsonl"), str(folder / "qrels.txt")]
    assert main(["convert", *sources, "-o", str(golden)]) == 0
    assert main(["convert", str(golden), "--to", "trec", "-o", str(trec)]) == 0
    source = read_qrels(folder / "qrels.txt")
    assert len(source) == 50
    assert sum(map(len, source.values())) == 69_318
    assert read_qrels(trec / "qrels.txt") == {
        f"{topic}-{kind}": labels
        for topic, labels in source.items()
        for kind in ("query", "question", "narrative")
    }


def test_trec_covid_is_used_where_it_lies(tmp_path: Path) -> None:
    folder = DATA.resolve() / "trec_covid"
    path = tmp_path / "golden_covid.yaml"
    path.write_text(
        f"queries: {folder / 'topics.jsonl'}\nqrels: {{file: {folder / 'qrels.txt'}, by: topic}}\n", "utf-8"
    )
    golden = load_golden(path)
    assert len(golden) == 150
    assert golden.kinds() == ("query", "question", "narrative")
    assert golden.by_id()["1-query"].relevant == read_qrels(folder / "qrels.txt")["1"]


def test_the_pool_of_four_searches_has_the_known_holes_and_judged_ones_disappear(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = DATA / "sap_notes"
    original = (folder / "golden.jsonl").read_text("utf-8")
    golden = tmp_path / "golden_notes.jsonl"
    golden.write_text(original, "utf-8")
    (tmp_path / "corpus.jsonl").write_bytes((folder / "corpus.jsonl").read_bytes())
    runs = [str(folder / f"run.{name}.jsonl") for name in ("bm25", "vector", "hybrid", "rerank")]
    known = json.loads((folder / "expected.json").read_text("utf-8"))["pool_k3_unlabelled_pairs"]
    pool = ["pool", str(golden), *runs, "--depth", "3", "--documents", "corpus.jsonl"]
    assert known == 51
    assert main(pool) == 0
    out = capsys.readouterr().out
    assert f"{known} pairs without a label" in out
    assert "  D01  Releasing a sales order blocked by the credit check" in out
    monkeypatch.setattr("sys.stdin", io.StringIO("0" * 20 + "q"))
    assert main(["judge", str(golden), *runs, "--depth", "3"]) == 0
    capsys.readouterr()
    assert main(pool) == 0
    assert "31 pairs without a label" in capsys.readouterr().out
    after = golden.read_text("utf-8").splitlines()
    assert after[0].startswith('{"pooled": [{"depth": 3, ')
    changed = [(old, new) for old, new in zip(original.splitlines(), after[1:], strict=True) if old != new]
    assert sum(new.count(": 0") - old.count(": 0") for old, new in changed) == 20
    assert all(new.startswith(old[:-2]) for old, new in changed)


def test_the_difference_of_a_judged_yaml_file_is_the_changed_lines(tmp_path: Path) -> None:
    golden = tmp_path / "golden_x.yaml"
    assert main(["convert", str(DATA / "cranfield/golden.jsonl"), "-o", str(golden)]) == 0
    before = golden.read_text("utf-8").splitlines()
    (tmp_path / "l.csv").write_text("query,document,grade\n1,1400,0\n100,1400,1\n", "utf-8")
    assert main(["judge", str(golden), str(tmp_path / "l.csv")]) == 0
    after = golden.read_text("utf-8").splitlines()
    changes = [line for line in difflib.unified_diff(before, after, n=0) if line.startswith(("+ ", "- "))]
    labels = "     relevant: {821: 3, 822: 3, 824: 3, 820: 2, 823: 2, 825: 2, 1122: 3, 1051: 2, 1121: 2"
    assert changes == ["+      1400: 0", f"-{labels[1:]}}}", f"+{labels[1:]}, 1400: 1}}"]


def checked(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    capsys.readouterr()
    code = main(["check", *words])
    return code, " ".join(capsys.readouterr().out.split())


def test_check_finds_the_two_empty_documents_of_cranfield(capsys: pytest.CaptureFixture[str]) -> None:
    path = DATA / "cranfield/golden.jsonl"
    code, out = checked(capsys, str(path), "--documents", "corpus.jsonl")
    assert code == 1
    assert "problem empty-documents: 2 of 1400 documents are empty: 471; 995;" in out
    assert "not to be found: 995 for 125" in out
    assert "1 problems" in out
    code, out = checked(capsys, str(path), "--documents", "corpus.jsonl", "--allow", "empty-documents")
    assert code == 0


def test_check_finds_the_bodies_that_cisi_has_twice(capsys: pytest.CaptureFixture[str]) -> None:
    code, out = checked(capsys, str(DATA / "cisi/golden.jsonl"), "--documents", "corpus.jsonl")
    assert code == 1
    assert "234 = 1440; 1084 = 1447" in out
    relevant = [len(labels) for labels in read_qrels(DATA / "cisi/qrels.txt").values()]
    recall = sum(min(5, count) / count for count in relevant) / len(relevant)
    assert f"recall@5 {recall:.2f}" in out


@pytest.mark.parametrize("witness", ["words", "ranking"])
def test_check_finds_grades_that_were_flipped_on_purpose(
    witness: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = DATA / "cranfield"
    golden = load_golden(folder / "golden.jsonl", check_documents=False)
    flipped = tmp_path / "golden_flipped.jsonl"
    turned = [
        replace(query, relevant={name: 5 - grade for name, grade in query.relevant.items()})
        for query in golden.queries
    ]
    flipped.write_text(golden_text(flipped, turned, {}), "utf-8")
    (tmp_path / "corpus.jsonl").write_bytes((folder / "corpus.jsonl").read_bytes())
    against = {
        "words": ["--documents", "corpus.jsonl"],
        "ranking": ["--baseline", str(folder / "runs/bm25.run")],
    }[witness]
    for path, upside_down in ((folder / "golden.jsonl", False), (flipped, True)):
        code, out = checked(capsys, str(path), *against, "--allow", "empty-documents")
        assert ("the grades seem to be upside down" in out) is upside_down
        assert code == upside_down


def test_check_takes_the_files_of_trec_covid_where_they_lie(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = DATA.resolve() / "trec_covid"
    path = tmp_path / "golden_covid.yaml"
    path.write_text(
        f"queries: {folder / 'topics.jsonl'}\nqrels: {{file: {folder / 'qrels.txt'}, by: topic}}\n", "utf-8"
    )
    code, out = checked(capsys, str(path))
    assert code == 0
    assert "150 queries, 207954 labels" in out
    code, out = checked(capsys, str(DATA / "xquad/golden.jsonl"), "--documents", "corpus.jsonl")
    assert code == 0
