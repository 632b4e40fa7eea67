"""Async retrievers: their answers are awaited on one event loop, kept for the process in its own thread.

The loops of pytest-asyncio, anyio and notebooks run in other threads, so neither disturbs the other.
One loop for all questions lets a client keep its connections between them.
"""

from __future__ import annotations

import asyncio
import atexit
import concurrent.futures
import inspect
import threading
import time
from collections.abc import AsyncIterable
from typing import Any

from pytest_retrieval.retrieval.protocol import is_stream
from pytest_retrieval.retrieval.threads import TimedOut

# How long a wait may last before Ctrl-C is noticed where the system does not interrupt it.
_SLICE = 1.0
# How long the end of the process waits for the loop.
_FAREWELL = 1.0

_lock = threading.Lock()
_loop: asyncio.AbstractEventLoop | None = None


def settle(result: object, depth: int, limit: float | None) -> object:
    """Wait for an async answer; of an async generator the first ``depth`` elements are taken.

    Raises:
        TimedOut: nothing came within ``limit`` seconds; the task is cancelled.
        BaseException: whatever the retriever raised, with its traceback.
    """
    loop = _running_loop()
    future = asyncio.run_coroutine_threadsafe(_outcome(result, depth), loop)
    turned = threading.Event()
    # Two steps: the first may come before the task has begun, the second comes after.
    loop.call_soon_threadsafe(loop.call_soon, turned.set)
    deadline = None if limit is None else time.monotonic() + limit
    try:
        value, error = _wait(future, deadline)
    except BaseException:
        future.cancel()
        if not turned.is_set():
            _leave(loop)
        raise
    if error is not None:
        raise error
    return value


def _wait(
    future: concurrent.futures.Future[tuple[object, BaseException | None]], deadline: float | None
) -> tuple[object, BaseException | None]:
    while True:
        left = _SLICE if deadline is None else min(_SLICE, deadline - time.monotonic())
        try:
            return future.result(timeout=max(0.0, left))
        except concurrent.futures.TimeoutError:
            if deadline is not None and time.monotonic() >= deadline:
                raise TimedOut from None


async def _outcome(result: Any, depth: int) -> tuple[object, BaseException | None]:
    # An error is handed over as a value: the frames of asyncio stay out of its traceback.
    try:
        value = await result if inspect.isawaitable(result) else result
        return (await _first(value, depth) if is_stream(value) else value), None
    except BaseException as error:
        return None, error


async def _first(stream: AsyncIterable[object], depth: int) -> list[object]:
    elements: list[object] = []
    iterator = aiter(stream)
    try:
        while len(elements) < depth:
            elements.append(await anext(iterator))
    except StopAsyncIteration:
        pass
    finally:
        if hasattr(iterator, "aclose"):
            await iterator.aclose()
    return elements


def _running_loop() -> asyncio.AbstractEventLoop:
    global _loop
    with _lock:
        if _loop is None or _loop.is_closed():
            _loop = asyncio.new_event_loop()
            thread = threading.Thread(target=_turn, args=(_loop,), name="retrieval-loop", daemon=True)
            thread.start()
            atexit.register(_stop, _loop, thread)
        return _loop


def _turn(loop: asyncio.AbstractEventLoop) -> None:
    asyncio.set_event_loop(loop)
    try:
        loop.run_forever()
        loop.run_until_complete(_end_tasks())
        loop.run_until_complete(loop.shutdown_asyncgens())
    finally:
        loop.close()


async def _end_tasks() -> None:
    tasks = asyncio.all_tasks() - {asyncio.current_task()}
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def _stop(loop: asyncio.AbstractEventLoop, thread: threading.Thread) -> None:
    if not loop.is_closed():
        loop.call_soon_threadsafe(loop.stop)
        thread.join(_FAREWELL)  # a loop that a call blocks dies with the process


def _leave(loop: asyncio.AbstractEventLoop) -> None:
    """Forget a loop that a call blocks, so that the next question gets another one."""
    global _loop
    with _lock:
        if _loop is loop:
            _loop = None
