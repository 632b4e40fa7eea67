from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest

from pytest_retrieval.golden.model import Query
from pytest_retrieval.retrieval.blocks import Caller, prepare_caller
from pytest_retrieval.retrieval.calling import BadRetriever, answer, prepare
from pytest_retrieval.retrieval.manner import Manner
from pytest_retrieval.retrieval.protocol import BadAnswer
from pytest_retrieval.retrieval.threads import Threads, TimedOut

PATIENCE = 20.0
QUERIES = [Query(f"q{n}", f"text {n}") for n in range(6)]


@pytest.fixture
def caller() -> Iterator[Callable[..., Caller]]:
    """Makes callers whose threads are closed afterwards."""
    made: list[Threads] = []

    def make(retriever: object, threads: int = 0, **manner: Any) -> Caller:
        agreed = Manner(**manner)
        made.append(Threads(threads or 1))
        return prepare_caller(prepare(retriever), 5, None, agreed, made[-1] if threads else None)

    yield make
    for threads in made:
        threads.close()


def echo(text: str, k: int) -> list[str]:
    return [text, str(k)]


class Batch:
    """Answers texts together; ``calls`` are the texts of each call."""

    def __init__(self, answers: Callable[[Sequence[str]], object] | None = None) -> None:
        self.calls: list[list[str]] = []
        self.answers = answers or (lambda texts: [[text] for text in texts])

    def search_batch(self, texts: list[str], k: int) -> object:
        self.calls.append(texts)
        return self.answers(texts)


class Both(Batch):
    def __init__(self) -> None:
        super().__init__()
        self.alone: list[str] = []

    def search(self, text: str, k: int, user: str = "nobody") -> list[str]:
        self.alone.append(text)
        return [f"{text} for {user}"]


def documents(answers: Sequence[Any]) -> list[tuple[str, ...]]:
    return [one.take().documents for one in answers]


ASKED = [(f"text {n}", "5") for n in range(6)]


async def echo_later(text: str, k: int) -> list[str]:
    await asyncio.sleep(0)
    return echo(text, k)


async def stream(text: str, k: int):  # type: ignore[no-untyped-def]
    for one in echo(text, k):
        yield one


@pytest.mark.parametrize("retriever", [echo, echo_later, stream])
@pytest.mark.parametrize("threads", [0, 1, 4])
def test_answers_are_those_of_the_queries_however_they_are_asked(
    caller: Callable[..., Caller], retriever: object, threads: int
) -> None:
    made = caller(retriever, threads, concurrency=max(1, threads), timeout=PATIENCE)
    answers = made.ask(QUERIES)
    assert documents(answers) == ASKED
    assert all(one.seconds is not None and one.seconds >= 0 for one in answers)


def test_async_calls_overlap_on_the_loop(caller: Callable[..., Caller]) -> None:
    waiting: list[asyncio.Future[None]] = []

    async def all_together(text: str) -> list[str]:
        waiting.append(asyncio.get_running_loop().create_future())
        if len(waiting) == 3:
            for future in waiting:
                future.set_result(None)
        await waiting[-1] if len(waiting) == 3 else await waiting[len(waiting) - 1]
        return [text]

    assert len(documents(caller(all_together, 3, concurrency=3, timeout=PATIENCE).ask(QUERIES[:3]))) == 3


def test_one_call_for_all_texts(caller: Callable[..., Caller]) -> None:
    batch = Batch()
    assert documents(caller(batch).ask(QUERIES)) == [(query.text,) for query in QUERIES]
    assert batch.calls == [[query.text for query in QUERIES]]


def test_a_batch_may_be_async_and_its_answers_may_be_of_any_shape(caller: Callable[..., Caller]) -> None:
    class Later:
        async def search_batch(self, texts: list[str]) -> object:
            return ({text: 1.0, "other": 2.0} for text in texts)

    assert documents(caller(Later()).ask(QUERIES[:1])) == [("other", "text 0")]
    assert documents(caller(Later()).ask(QUERIES))[5] == ("other", "text 5")


def test_a_retriever_with_a_batch_alone_answers_one_query_too() -> None:
    assert answer(prepare(Batch()), QUERIES[0], 5, None).documents == ("text 0",)


def test_queries_of_equal_params_share_a_call_and_what_the_batch_does_not_take_is_asked_alone(
    caller: Callable[..., Caller],
) -> None:
    both = Both()
    mixed = [QUERIES[0], Query("p", "mine", params={"user": "clerk"}), QUERIES[1]]
    assert documents(caller(both).ask(mixed)) == [("text 0",), ("mine for clerk",), ("text 1",)]
    assert (both.calls, both.alone) == ([["text 0", "text 1"]], ["mine"])

    class Users:
        def __init__(self) -> None:
            self.calls: list[tuple[list[str], str]] = []

        def search_batch(self, texts: list[str], k: int, *, user: str = "nobody") -> object:
            self.calls.append((texts, user))
            return [[text] for text in texts]

    users = Users()
    rows = [Query(f"q{n}", f"t{n}", params={"user": user} if user else {}) for n, user in enumerate(" aba ")]
    rows = [Query(one.id, one.text, params={} if one.params == {"user": " "} else one.params) for one in rows]
    assert documents(caller(users).ask(rows)) == [(f"t{n}",) for n in range(5)]
    assert users.calls == [(["t0", "t4"], "nobody"), (["t1", "t3"], "a"), (["t2"], "b")]


def test_a_batch_that_takes_something_else_is_no_batch(caller: Callable[..., Caller]) -> None:
    class Client:
        def search(self, text: str) -> list[str]:
            return [text]

        def search_batch(self, collection: str, requests: list[object], timeout: int) -> object:
            raise AssertionError("this is another protocol")

    assert documents(caller(Client()).ask(QUERIES[:2])) == [("text 0",), ("text 1",)]


def test_a_batch_alone_that_cannot_be_called_is_told(caller: Callable[..., Caller]) -> None:
    class Client:
        def search_batch(self, texts: list[str], k: int, collection: str) -> object:
            raise AssertionError

    (one,) = caller(Client()).ask(QUERIES[:1])
    with pytest.raises(BadRetriever, match="needs collection as well"):
        one.take()


@pytest.mark.parametrize(
    ("returned", "told"),
    [
        ([["D1"]], "1 answers for 2 texts"),
        ([["D1"]] * 3, "more answers than texts for 2 texts"),
        (None, "search_batch returned None"),
        ({"text 0": ["D1"], "text 1": ["D1"]}, "search_batch returned a value of type dict"),
        ("ab", "search_batch returned a value of type str"),
    ],
)
def test_a_batch_of_another_size_fails_all_its_queries(
    caller: Callable[..., Caller], returned: object, told: str
) -> None:
    for one in caller(Batch(lambda texts: returned)).ask(QUERIES[:2]):
        with pytest.raises(BadAnswer, match=told):
            one.take()


def test_one_bad_answer_in_a_batch_fails_its_own_query_only(caller: Callable[..., Caller]) -> None:
    first, second = caller(Batch(lambda texts: [["D1"], None])).ask(QUERIES[:2])
    assert first.take().documents == ("D1",)
    with pytest.raises(BadAnswer, match="the retriever returned None"):
        second.take()


@pytest.mark.parametrize("threads", [0, 2])
def test_what_a_retriever_raises_waits_for_its_own_query(caller: Callable[..., Caller], threads: int) -> None:
    def search(text: str) -> list[str]:
        if text == "text 1":
            raise SystemExit("whatever it is")
        return [text]

    first, second, third = caller(search, threads).ask(QUERIES[:3])
    assert (first.take().documents, third.take().documents) == (("text 0",), ("text 2",))
    lengths = []
    for _ in range(3):
        with pytest.raises(SystemExit) as caught:
            second.take()
        lengths.append(len(caught.traceback))
    assert len(set(lengths)) == 1


def test_a_hung_query_costs_its_limit_and_the_others_are_answered(caller: Callable[..., Caller]) -> None:
    never = threading.Event()

    def search(text: str) -> list[str]:
        if text == "text 1":
            never.wait(PATIENCE)
        return [text]

    answers = caller(search, 1, timeout=0.2).ask(QUERIES)
    never.set()
    with pytest.raises(TimedOut, match=r"no answer within 0\.2 s, the limit of retrieval_timeout"):
        answers[1].take()
    assert answers[1].seconds is None
    assert len(documents([one for one in answers if one.error is None])) == 5


def test_an_async_query_that_hangs_ends_with_the_same_words(caller: Callable[..., Caller]) -> None:
    async def search(text: str) -> list[str]:
        if text == "text 1":
            await asyncio.get_running_loop().create_future()
        return [text]

    answers = caller(search, 2, concurrency=2, timeout=0.2).ask(QUERIES)
    with pytest.raises(TimedOut, match=r"no answer within 0\.2 s, the limit of retrieval_timeout"):
        answers[1].take()
    assert len(documents([one for one in answers if one.error is None])) == 5


def test_a_batch_has_the_limit_of_each_of_its_texts(caller: Callable[..., Caller]) -> None:
    never = threading.Event()

    def hang(texts: Sequence[str]) -> object:
        never.wait(PATIENCE)
        return []

    answers = caller(Batch(hang), 1, timeout=0.05).ask(QUERIES[:2])
    never.set()
    for one in answers:
        with pytest.raises(TimedOut, match=r"0\.05 s, .*, for each of 2 texts in one call"):
            one.take()


def test_a_generator_is_asked_within_the_limit_and_its_error_is_the_querys(
    caller: Callable[..., Caller],
) -> None:
    def search(text: str) -> Iterator[str]:
        yield text
        raise OSError("connection lost")

    (one,) = caller(search, 1, timeout=PATIENCE).ask(QUERIES[:1])
    with pytest.raises(OSError, match="connection lost"):
        one.take()


@pytest.mark.parametrize("threads", [0, 2])
def test_a_declared_exception_is_tried_again_and_the_last_try_is_timed(
    caller: Callable[..., Caller], threads: int
) -> None:
    pytest.importorskip("tenacity")
    tries: list[str] = []

    def search(text: str) -> list[str]:
        tries.append(text)
        if tries.count(text) < 3:
            raise ConnectionError("again")
        return [text]

    made = caller(search, threads, timeout=PATIENCE if threads else None, retries=2, retry_wait=0.0)
    assert documents(made.ask(QUERIES[:2])) == [("text 0",), ("text 1",)]
    assert sorted(tries) == ["text 0"] * 3 + ["text 1"] * 3


def test_a_hung_call_is_not_tried_again(caller: Callable[..., Caller]) -> None:
    pytest.importorskip("tenacity")
    never, tries = threading.Event(), []

    def search(text: str) -> list[str]:
        tries.append(text)
        never.wait(PATIENCE)
        return [text]

    made = caller(search, 1, timeout=0.1, retries=3, retry_on=("Exception",), retry_wait=0.0)
    (one,) = made.ask(QUERIES[:1])
    assert isinstance(one.error, TimedOut)
    never.set()
    assert tries == ["text 0"]


def test_the_costs_of_the_answers_are_kept(caller: Callable[..., Caller]) -> None:
    def search(text: str) -> object:
        return {"hits": [text], "cost": 0.25} if text == "text 0" else [text]

    first, second = caller(search).ask(QUERIES[:2])
    assert (first.take().documents, first.cost) == (("text 0",), 0.25)
    assert (second.take().documents, second.cost) == (("text 1",), None)


@pytest.mark.parametrize(
    ("retriever", "concurrency", "block"), [(echo, 1, 1), (echo, 2, 8), (echo, 16, 64), (Both(), 1, 64)]
)
def test_how_many_queries_are_worth_asking_at_once(
    caller: Callable[..., Caller], retriever: object, concurrency: int, block: int
) -> None:
    assert caller(retriever, 1, concurrency=concurrency).block == block
