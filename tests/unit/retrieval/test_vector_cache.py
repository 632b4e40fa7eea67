"""Vectors kept by text and model: what is encoded, and when a file is of no use."""

import numpy as np
import pytest

from pytest_retrieval.retrieval.adapters.sentence_transformers import DenseIndex
from pytest_retrieval.retrieval.adapters.vector_cache import cached_vectors


class Model:
    """Encodes a text as its counts of a, b and c, and remembers what it was given."""

    def __init__(self, scale=1.0):
        self.scale, self.given = scale, []

    def encode(self, texts, **named):
        self.given += texts
        return np.array([[self.scale + text.count("a"), text.count("b"), text.count("c")] for text in texts])

    def __call__(self, texts):
        return self.encode(texts).astype(np.float32)


def texts_of(model):
    return [text for text in model.given if len(text) < 20]  # without the fixed sentence


def test_a_text_is_encoded_once_in_its_order_and_also_across_runs(tmp_path):
    first, second = Model(), Model()
    vectors = cached_vectors(tmp_path, "m", ["b", "a", "b"], first)
    assert vectors.tolist() == [[1, 1, 0], [2, 0, 0], [1, 1, 0]]
    assert texts_of(first) == ["b", "a"]
    assert cached_vectors(tmp_path, "m", ["c", "b"], second).tolist() == [[1, 0, 1], [1, 1, 0]]
    assert texts_of(second) == ["c"]
    assert cached_vectors(tmp_path, "m", ["a", "b", "c"], third := Model()).shape == (3, 3)
    assert texts_of(third) == []
    assert [file.suffix for file in tmp_path.iterdir()] == [".npz"]


def test_another_model_does_not_get_the_vectors_of_the_first(tmp_path):
    cached_vectors(tmp_path, "m", ["a"], Model())
    other = Model(scale=5)
    assert cached_vectors(tmp_path, "n", ["a"], other).tolist() == [[6, 0, 0]]
    assert texts_of(other) == ["a"]


def test_other_weights_under_the_same_name_make_the_vectors_anew(tmp_path):
    cached_vectors(tmp_path, "m", ["a"], Model())
    assert cached_vectors(tmp_path, "m", ["a"], Model(scale=5)).tolist() == [[6, 0, 0]]
    assert cached_vectors(tmp_path, "m", ["a"], again := Model(scale=5)).tolist() == [[6, 0, 0]]
    assert texts_of(again) == []


@pytest.mark.parametrize("damage", [b"", b"PK", b"no archive at all", None])
def test_a_damaged_file_is_written_anew(tmp_path, damage):
    cached_vectors(tmp_path, "m", ["a"], Model())
    (file,) = tmp_path.iterdir()
    file.write_bytes(file.read_bytes()[:200] if damage is None else damage)
    assert cached_vectors(tmp_path, "m", ["a"], Model()).tolist() == [[2, 0, 0]]
    assert cached_vectors(tmp_path, "m", ["a"], again := Model()).tolist() == [[2, 0, 0]]
    assert texts_of(again) == []


def test_the_nearest_by_cosine_come_first_whatever_their_length():
    index = DenseIndex([("long", "aaaaaaaaa"), ("short", "b"), ("both", "ab")], Model(scale=0))
    # Cosines with (0, 1, 0): 0, 1 and 1 / sqrt(2).
    assert index.search("b", 9) == [("short", 1.0), ("both", pytest.approx(0.70711, abs=1e-7)), ("long", 0.0)]
    assert index.search("bbb", 1) == [("short", 1.0)]
    assert index.search_batch(["b", "a"], 1) == [[("short", 1.0)], [("long", 1.0)]]
    assert index.search_batch([], 1) == []


def test_a_document_has_the_score_of_its_best_text_and_counts_once():
    index = DenseIndex([("D1", "c"), ("D2", "ab"), ("D1", "b")], Model(scale=0))
    assert [document for document, _ in index.search("b", 2)] == ["D1", "D2"]


def test_equal_texts_stay_in_the_order_given_and_a_text_without_a_vector_comes_last():
    index = DenseIndex([("z", "a"), ("empty", ""), ("y", "a")], Model(scale=0))
    assert index.search("a", 3) == [("z", 1.0), ("y", 1.0), ("empty", 0.0)]


def test_documents_and_questions_are_encoded_by_their_own_methods_where_there_are_two(tmp_path):
    class TwoSided(Model):
        def encode_query(self, texts, **named):
            return self.encode([f"a{text}" for text in texts])

        def encode_document(self, texts, **named):
            return self.encode([f"b{text}" for text in texts])

    index = DenseIndex([("D1", ""), ("D2", "a")], TwoSided(scale=0))
    # (0, 1, 0) and (1, 1, 0) against (1, 0, 0).
    assert index.search("", 2) == [("D2", pytest.approx(0.70711, abs=1e-7)), ("D1", 0.0)]


def test_an_index_without_texts_or_a_cache_without_a_name_is_refused(tmp_path):
    with pytest.raises(ValueError, match="there are no texts to search"):
        DenseIndex([], Model())
    with pytest.raises(ValueError, match="needs the name of the model"):
        DenseIndex([("D1", "a")], Model(), cache=tmp_path)


def test_an_index_takes_its_documents_from_the_cache_and_never_the_questions(tmp_path):
    for known in ([], ["a"]):
        model = Model()
        index = DenseIndex([("D1", "a")], model, name="m", cache=tmp_path)
        assert index.search("b", 1) == [("D1", pytest.approx(0.70711, abs=1e-7))]  # (2, 0, 0) and (1, 1, 0)
        assert texts_of(model) == [text for text in ("a", "b") if text not in known]
