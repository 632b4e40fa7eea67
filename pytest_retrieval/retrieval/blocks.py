"""Several queries asked at once: each alone in a thread, or together in one call, with limit and retries."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from types import TracebackType

from pytest_retrieval.golden.model import Query
from pytest_retrieval.retrieval.calling import Asker, results
from pytest_retrieval.retrieval.manner import ROUNDS, TOGETHER, Manner
from pytest_retrieval.retrieval.protocol import read_answer
from pytest_retrieval.retrieval.ranking import Ranking, document_of, rank_documents
from pytest_retrieval.retrieval.retrying import Again, prepare_retries
from pytest_retrieval.retrieval.threads import Clock, Job, Threads, TimedOut

_NO_RANKING, _ONE_BY_ONE = Ranking(), Manner()


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of one query: a ranking, or the error in its place.

    ``seconds`` is what the last try took, its share where several queries were asked together;
    None where nothing came in time. ``cost`` is what the retriever said, in its unit, ``cited`` the
    documents that it said its text refers to. ``top_score`` is the largest score of a hit, None where
    no hit has one.
    """

    ranking: Ranking = _NO_RANKING
    error: BaseException | None = None
    traceback: TracebackType | None = None
    seconds: float | None = None
    cost: float | None = None
    cited: tuple[str, ...] | None = None
    top_score: float | None = None

    def take(self) -> Ranking:
        """The ranking; raises the error as it was raised first."""
        if self.error is not None:
            # Its own traceback: every further raise would make it longer.
            raise self.error.with_traceback(self.traceback)
        return self.ranking


Answers = list[Answer]


@dataclass(frozen=True)
class Caller:
    """A retriever, how many results are wanted of it, and how it is asked.

    ``document_id`` as in :func:`~pytest_retrieval.retrieval.ranking.rank_documents`. ``again``
    and ``threads`` are None where nothing is retried and where this thread asks.
    """

    asker: Asker
    depth: int
    document_id: re.Pattern[str] | None = None
    manner: Manner = _ONE_BY_ONE
    again: Again[Answers] | None = None
    threads: Threads | None = None

    @property
    def block(self) -> int:
        """How many queries are worth asking at once."""
        if self.asker.ask_together is not None:
            return TOGETHER
        return ROUNDS * self.manner.concurrency if self.manner.concurrency > 1 else 1

    def ask(self, queries: Sequence[Query]) -> Answers:
        """Ask these queries at once; one answer each, in order. Raises KeyboardInterrupt alone."""
        calls = list(_calls(self.asker, queries))
        jobs = [self._job([queries[place] for place in call]) for call in calls]
        run = self.threads.run if self.threads else _run_here
        answered = run(jobs)
        found = {
            place: answer
            for call, answers in zip(calls, answered, strict=True)
            for place, answer in zip(call, answers, strict=True)
        }
        return [found[place] for place in range(len(queries))]

    def _job(self, queries: Sequence[Query]) -> Job[Answers]:
        limit = self.manner.timeout and self.manner.timeout * len(queries)

        def late() -> Answers:
            return [Answer(error=TimedOut(_limit_passed(self.manner.timeout, len(queries))))] * len(queries)

        def once(clock: Clock) -> Answers:
            clock.start()
            try:
                return self._try(queries, limit, clock)
            except TimedOut:
                return late()
            finally:
                clock.stop()

        def work(clock: Clock) -> Answers:
            if self.again is None:
                return once(clock)
            return self.again(lambda: once(clock))

        return Job(work, late, limit)

    def _try(self, queries: Sequence[Query], limit: float | None, clock: Clock) -> Answers:
        started = time.perf_counter()
        try:
            answers = results(self.asker, queries, self.depth, limit, clock)
            # A generator is asked only now.
            read = [self._read(answer) for answer in answers]
        except TimedOut:
            raise
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt) and _in_main_thread():
                raise
            read = [Answer(error=error, traceback=error.__traceback__)] * len(queries)
        seconds = (time.perf_counter() - started) / len(queries)
        return [replace(one, seconds=seconds) for one in read]

    def _read(self, answer: object) -> Answer:
        try:
            hits, cost, cited = read_answer(answer, self.depth)
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt) and _in_main_thread():
                raise
            return Answer(error=error, traceback=error.__traceback__)
        if cited is not None:
            cited = tuple(dict.fromkeys(document_of(one, self.document_id) for one in cited))
        scores = [hit.score for hit in hits if hit.score is not None]
        ranking = rank_documents(hits, self.document_id)
        return Answer(ranking, cost=cost, cited=cited, top_score=max(scores, default=None))


def prepare_caller(
    asker: Asker, depth: int, document_id: re.Pattern[str] | None, manner: Manner, threads: Threads | None
) -> Caller:
    """A caller for one golden set; ``threads`` as many as ``manner`` wants.

    Raises:
        BadRetriever: the retries cannot be prepared.
    """
    return Caller(asker, depth, document_id, manner, prepare_retries(manner, _first_error), threads)


def needs_threads(manner: Manner) -> bool:
    """Whether calls are made in threads: several at a time, or one that may have to be given up."""
    return manner.concurrency > 1 or manner.timeout is not None


def _run_here(jobs: Sequence[Job[Answers]]) -> list[Answers]:
    return [job.work(job.clock) for job in jobs]


def _calls(asker: Asker, queries: Sequence[Query]) -> Iterator[list[int]]:
    """The places of the queries that share a call: those of equal params where they can be asked together."""
    groups: list[tuple[Query, list[int]]] = []
    for place, query in enumerate(queries):
        if not asker.together(query):
            yield [place]
            continue
        group = next((places for first, places in groups if first.params == query.params), None)
        if group is None:
            groups.append((query, [place]))
        else:
            group.append(place)
    yield from (places for _, places in groups)


def _first_error(answers: Answers) -> BaseException | None:
    return next((answer.error for answer in answers if answer.error is not None), None)


def _in_main_thread() -> bool:
    return threading.current_thread() is threading.main_thread()


def _limit_passed(timeout: float | None, count: int) -> str:
    told = f"no answer within {timeout:g} s, the limit of retrieval_timeout"
    return told if count == 1 else f"{told}, for each of {count} texts in one call"
