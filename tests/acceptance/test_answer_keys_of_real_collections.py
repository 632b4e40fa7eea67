"""Real collections are converted there and back: not one label is lost or changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_retrieval.cli import main
from pytest_retrieval.golden.qrels import read_qrels
from pytest_retrieval.golden.reader import load_golden

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
