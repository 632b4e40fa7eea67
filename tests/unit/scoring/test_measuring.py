"""evaluate: asked in threads, in batches, with limits and retries, as the plugin asks."""

from __future__ import annotations

import threading
from collections.abc import Sequence

import pytest

from pytest_retrieval import GoldenSet, Query, evaluate
from pytest_retrieval.golden.model import AskRules, Header

QUERIES = tuple(
    Query(id=f"q{number}", text=str(number), kind="k", relevant={f"d{number}": 1}) for number in range(100)
)


def answer(text: str) -> list[str]:
    return [f"d{text}"] if int(text) % 4 else ["d0", f"d{text}"]


def test_threads_ask_at_once_and_change_no_answer() -> None:
    together = threading.Barrier(4, timeout=10)

    def search(text: str) -> list[str]:
        together.wait()  # for four calls at a time
        return answer(text)

    golden = GoldenSet(QUERIES)
    fast, slow = evaluate(search, golden, concurrency=4), evaluate(answer, golden)
    assert (fast.errors, fast.rankings, fast.scores) == ({}, slow.rankings, slow.scores)
    # three quarters at rank 1, d0 is at rank 1 of its own query, the other 24 are at rank 2
    assert fast.mean("mrr") == pytest.approx((75 + 1 + 24 / 2) / 100)


def test_the_header_says_how_to_ask() -> None:
    hung = threading.Event()

    def search(text: str) -> list[str]:
        if text == "7":
            hung.wait(60)
        return answer(text)

    golden = GoldenSet(QUERIES[:10], Header(ask=AskRules(concurrency=2, timeout=0.2)))
    evaluation = evaluate(search, golden)
    hung.set()
    assert list(evaluation.errors) == ["q7"]
    assert "no answer within 0.2 s" in evaluation.errors["q7"]


def test_many_texts_go_into_one_call() -> None:
    calls: list[int] = []

    class Batch:
        def search_batch(self, texts: Sequence[str], k: int) -> list[list[str]]:
            calls.append(len(texts))
            return [answer(text) for text in texts]

    assert evaluate(Batch(), GoldenSet(QUERIES)).scores == evaluate(answer, GoldenSet(QUERIES)).scores
    assert calls == [64, 36]


def test_what_is_no_error_of_a_query_ends_it() -> None:
    def search(text: str) -> list[str]:
        raise SystemExit(text)

    with pytest.raises(SystemExit, match="0"):
        evaluate(search, GoldenSet(QUERIES))


@pytest.mark.parametrize("concurrency", [0, -1, 1.5])
def test_a_number_of_calls_that_cannot_be(concurrency: float) -> None:
    with pytest.raises(ValueError, match=r"concurrency is .*, expected a whole number of at least 1"):
        evaluate(answer, GoldenSet(QUERIES), concurrency=concurrency)  # type: ignore[arg-type]
