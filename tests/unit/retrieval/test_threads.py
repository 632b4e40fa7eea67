from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

import pytest

from pytest_retrieval.retrieval.threads import Clock, Job, Threads

PATIENCE = 20.0
"""How long a test waits for what must happen, in seconds."""


@pytest.fixture
def four() -> Iterator[Threads]:
    threads = Threads(4)
    yield threads
    threads.close()


def job(work: Callable[[], object], limit: float | None = None) -> Job[object]:
    def started(clock: Clock) -> object:
        clock.start()
        return work()

    return Job(started, lambda: "late", limit)


def alive() -> int:
    return sum(thread.name == "retrieval-call" for thread in threading.enumerate())


def test_results_come_in_the_order_of_the_jobs(four: Threads) -> None:
    first_may_end = threading.Event()

    def first() -> str:
        assert first_may_end.wait(PATIENCE)
        return "first"

    def second() -> str:
        first_may_end.set()
        return "second"

    assert four.run([job(first), job(second)]) == ["first", "second"]


def test_four_calls_overlap(four: Threads) -> None:
    all_four = threading.Barrier(4)
    # Each of the eight calls gets through only together with three others.
    assert len(four.run([job(lambda: all_four.wait(PATIENCE)) for _ in range(8)])) == 8


def test_never_more_than_four_calls_at_a_time(four: Threads) -> None:
    lock, running, most = threading.Lock(), [0], [0]

    def call() -> None:
        with lock:
            running[0] += 1
            most[0] = max(most[0], running[0])
        threading.Event().wait(0.001)
        with lock:
            running[0] -= 1

    four.run([job(call) for _ in range(40)])
    assert 1 <= most[0] <= 4


def test_a_call_that_hangs_is_left_alone_and_the_rest_is_done() -> None:
    one, never = Threads(1), threading.Event()
    try:
        results = one.run([job(never.wait, 0.05), job(lambda: "done", PATIENCE), job(lambda: "done")])
        assert results == ["late", "done", "done"]
    finally:
        never.set()
        one.close()


def test_a_late_answer_is_not_taken_and_its_thread_ends() -> None:
    before = alive()
    one, now = Threads(1), threading.Event()
    first = job(lambda: now.wait(PATIENCE), 0.05)
    assert one.run([first]) == ["late"]
    now.set()
    assert one.run([job(lambda: "next")]) == ["next"]
    one.close()
    for thread in threading.enumerate():
        if thread.name == "retrieval-call":
            thread.join(PATIENCE)
    assert first.result == "late"
    assert alive() <= before


def test_a_stopped_clock_is_no_hanging_call(four: Threads) -> None:
    waited = threading.Event()

    def work(clock: Clock) -> str:
        clock.start()
        clock.stop()
        assert not waited.wait(0.3)
        return "slept between two tries"

    assert four.run([Job(work, lambda: "late", 0.05)]) == ["slept between two tries"]


def test_the_threads_are_kept_between_blocks(four: Threads) -> None:
    def name() -> object:
        return threading.get_ident()

    first = set(four.run([job(name) for _ in range(8)]))
    again = set(four.run([job(name) for _ in range(8)]))
    assert len(first | again) <= 4


def test_the_threads_do_not_keep_the_process(four: Threads) -> None:
    (daemon,) = four.run([job(lambda: threading.current_thread().daemon)])
    assert daemon


def test_what_a_job_raises_is_raised_by_the_wait_for_it(four: Threads) -> None:
    def broken() -> object:
        raise LookupError("a mistake of ours")

    with pytest.raises(LookupError, match="a mistake of ours"):
        four.run([job(broken), job(lambda: "done")])
    assert four.run([job(lambda: "done") for _ in range(8)]) == ["done"] * 8


def test_what_was_not_begun_when_the_wait_was_broken_off_is_not_begun(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    one, release, called = Threads(1), threading.Event(), []

    def broken(*_: object) -> float:
        raise KeyboardInterrupt

    monkeypatch.setattr("pytest_retrieval.retrieval.threads._patience", broken)
    with pytest.raises(KeyboardInterrupt):
        one.run([job(lambda: release.wait(PATIENCE)), job(lambda: called.append(1))])
    release.set()
    one.close()
    for thread in threading.enumerate():
        if thread.name == "retrieval-call":
            thread.join(PATIENCE)
    assert called == []
