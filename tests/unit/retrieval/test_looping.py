from __future__ import annotations

import asyncio
import threading
import traceback
from collections.abc import AsyncIterator

import pytest

from pytest_retrieval.retrieval.looping import settle
from pytest_retrieval.retrieval.threads import TimedOut

PATIENCE = 20.0


async def loop_and_thread() -> tuple[object, int]:
    return asyncio.get_running_loop(), threading.get_ident()


async def raising() -> object:
    await asyncio.sleep(0)
    raise LookupError("the index is gone")


async def stream() -> AsyncIterator[str]:
    number = 0
    while True:
        number += 1
        yield f"D{number}"


async def hanging() -> object:
    return await asyncio.get_running_loop().create_future()


def test_every_answer_is_awaited_on_one_loop_in_a_thread_of_its_own() -> None:
    first, again = settle(loop_and_thread(), 5, None), settle(loop_and_thread(), 5, PATIENCE)
    assert first == again
    assert isinstance(first, tuple)
    assert first[1] != threading.get_ident()


def test_a_loop_that_runs_here_already_is_no_hindrance() -> None:
    async def outer() -> object:
        return settle(loop_and_thread(), 5, PATIENCE), asyncio.get_running_loop()

    inner, here = asyncio.run(outer())  # type: ignore[misc]
    assert inner[0] is not here


def test_an_error_comes_with_the_frames_of_its_own_code_alone() -> None:
    with pytest.raises(LookupError, match="the index is gone") as caught:
        settle(raising(), 5, None)
    files = {frame.filename for frame in traceback.extract_tb(caught.tb)}
    assert not [name for name in files if "asyncio" in name or "concurrent" in name]
    assert __file__ in files


@pytest.mark.parametrize("wrapped", [False, True])
def test_no_more_than_wanted_is_taken_of_an_async_generator(wrapped: bool) -> None:
    async def later() -> object:
        return stream()

    assert settle(later() if wrapped else stream(), 3, PATIENCE) == ["D1", "D2", "D3"]


def test_an_answer_that_does_not_come_ends_with_its_limit_and_the_loop_goes_on() -> None:
    loop = settle(loop_and_thread(), 5, PATIENCE)
    with pytest.raises(TimedOut):
        settle(hanging(), 5, 0.05)
    assert settle(loop_and_thread(), 5, PATIENCE) == loop


def test_what_hangs_is_cancelled() -> None:
    ended = threading.Event()

    async def hangs() -> None:
        try:
            await hanging()
        finally:
            ended.set()

    with pytest.raises(TimedOut):
        settle(hangs(), 5, 0.05)
    assert ended.wait(PATIENCE)


def test_a_call_that_blocks_the_loop_does_not_stop_the_next_one() -> None:
    never = threading.Event()

    async def blocks() -> None:
        never.wait(PATIENCE)

    before = settle(loop_and_thread(), 5, PATIENCE)
    with pytest.raises(TimedOut):
        settle(blocks(), 5, 0.05)
    try:
        after = settle(loop_and_thread(), 5, PATIENCE)
        assert after != before
    finally:
        never.set()
