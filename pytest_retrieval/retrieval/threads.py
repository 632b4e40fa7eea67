"""Calls in threads: several at a time, and none that is waited for longer than its limit.

A call that hangs cannot be ended from outside, on Windows not even with a signal. So its thread
is left alone and another one takes its place. The threads are daemons: the process ends without them.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Sequence
from contextvars import Context, copy_context
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from typing import Generic, TypeVar

T = TypeVar("T")

# How long a wait may last before Ctrl-C is noticed where the system does not interrupt it.
_SLICE = 1.0


class TimedOut(Exception):  # noqa: N818 - a verdict on the retriever
    """No answer came within the time limit."""


class Clock:
    """Since when a call is under way; stopped while nothing is, as between two tries."""

    def __init__(self) -> None:
        self.started: float | None = None

    def start(self) -> None:
        """Begin to count anew."""
        self.started = time.monotonic()

    def stop(self) -> None:
        """Nothing is under way."""
        self.started = None


@dataclass(eq=False)
class Job(Generic[T]):
    """One call of ``work``; ``late`` gives its result when ``limit`` seconds were not enough.

    ``work`` starts the clock that it is given; without that the limit has no beginning.
    """

    work: Callable[[Clock], T]
    late: Callable[[], T]
    limit: float | None = None
    clock: Clock = field(default_factory=Clock)
    # What fixtures put into context variables holds in the threads, too.
    context: Context = field(default_factory=copy_context)
    result: T | None = None
    error: BaseException | None = None
    done: bool = False
    abandoned: bool = False
    finished: SimpleQueue[Job[T]] = field(default_factory=SimpleQueue)

    def seconds_left(self, now: float) -> float:
        """How long this call may still take."""
        if self.limit is None:
            return _SLICE
        started = self.clock.started
        return self.limit if started is None else self.limit - (now - started)


class Threads:
    """At most ``size`` calls at a time; the threads start when needed and are kept until :meth:`close`."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._alive = 0
        self._lock = threading.Lock()
        self._todo: SimpleQueue[Job[object] | None] = SimpleQueue()

    def run(self, jobs: Sequence[Job[T]]) -> list[T]:
        """Do all jobs and return their results in order; a job that takes too long is left alone.

        Raises what the first job that raised did, after all of them have ended.
        """
        finished: SimpleQueue[Job[T]] = SimpleQueue()
        pending = set(jobs)
        for job in jobs:
            job.finished = finished
            self._todo.put(job)  # type: ignore[arg-type]
        self._start_threads(len(jobs))
        try:
            while pending:
                try:
                    pending.discard(finished.get(timeout=_patience(pending)))
                except Empty:
                    pending -= self._given_up(pending)
                    self._start_threads(len(pending))
        finally:
            # Ctrl-C: what was not begun need not begin.
            for job in pending:
                job.abandoned = True
        for job in jobs:
            if job.error is not None:
                raise job.error
        return [job.result for job in jobs]  # type: ignore[misc]

    def close(self) -> None:
        """Let the threads end that wait for work."""
        for _ in range(self._alive):
            self._todo.put(None)

    def _start_threads(self, wanted: int) -> None:
        while self._alive < min(self._size, wanted):
            self._alive += 1
            threading.Thread(target=self._work, name="retrieval-call", daemon=True).start()

    def _given_up(self, jobs: Iterable[Job[T]]) -> set[Job[T]]:
        now = time.monotonic()
        late = set()
        for job in jobs:
            if job.limit is None or job.seconds_left(now) > 0:
                continue
            with self._lock:
                if job.done:
                    continue  # it came in just now, and lies in the queue
                job.abandoned = True
                self._alive -= 1
            job.result = job.late()
            late.add(job)
        return late

    def _work(self) -> None:
        while (job := self._todo.get()) is not None:
            if job.abandoned:
                continue
            result, error = None, None
            try:
                result = job.context.run(job.work, job.clock)
            except BaseException as raised:
                error = raised
            with self._lock:
                if job.abandoned:
                    return  # another thread has taken this one's place
                job.result, job.error, job.done = result, error, True
            job.finished.put(job)
            del job, result, error  # or they would live on while this thread waits


def _patience(jobs: Iterable[Job[T]]) -> float:
    """Until when nothing can be late, in seconds."""
    now = time.monotonic()
    return max(0.0, min([_SLICE, *(job.seconds_left(now) for job in jobs)]))
