"""A retriever asked from Python, without pytest: every query of a golden set, and the answers marked."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from contextlib import closing, nullcontext
from pathlib import Path

from pytest_retrieval.golden.errors import GoldenError
from pytest_retrieval.golden.model import GoldenSet, Query
from pytest_retrieval.retrieval.blocks import Answer, needs_threads, prepare_caller
from pytest_retrieval.retrieval.calling import Asker, error_text, prepare
from pytest_retrieval.retrieval.manner import DEFAULT_RETRY_ON, DEFAULT_RETRY_WAIT, Manner
from pytest_retrieval.retrieval.ranking import Ranking
from pytest_retrieval.retrieval.threads import Threads
from pytest_retrieval.scoring.evaluation import Evaluation, mark
from pytest_retrieval.scoring.names import DEFAULT_METRICS, canonical, parse_metric, required_depth


def evaluate(
    search: object,
    golden: GoldenSet | str | os.PathLike[str],
    *,
    metrics: Iterable[str] | None = None,
    depth: int | None = None,
    document_id: str | None = None,
    concurrency: int | None = None,
) -> Evaluation:
    """Ask a retriever every query of a golden set and score the answers.

    ``search`` is anything that answers ``(text)``, ``(text, k)`` or has ``.search`` or
    ``.search_batch``; ``golden`` a golden set or the path of one. ``depth`` is how many results are
    asked for; ``document_id`` a regular expression whose first group is the document of a hit;
    ``concurrency`` the number of calls at a time, in threads. What is not given comes from the
    golden set's header, then from the defaults; the header's ``ask`` also says limits and retries.
    An exception of the retriever becomes the query's error. Raises GoldenError for a golden set that
    cannot be used and ValueError for arguments that cannot be.
    """
    key = golden if isinstance(golden, GoldenSet) else _load(golden)
    names = _metrics(key, metrics)
    asked = _depth(key, names, depth)
    pattern = _document_pattern(key, document_id)
    manner = _manner(key, concurrency)
    answers = _ask(prepare(search), key.queries, asked, pattern, manner)
    rankings: dict[str, Ranking] = {}
    errors: dict[str, str] = {}
    for query, answer in zip(key.queries, answers, strict=True):
        if answer.error is None:
            rankings[query.id] = answer.ranking
        elif isinstance(answer.error, Exception):  # whatever a retriever raises is that query's outcome
            errors[query.id] = error_text(answer.error)
        else:
            answer.take()
    return mark(key, rankings, names, asked, errors)


def _ask(
    asker: Asker, queries: Sequence[Query], depth: int, document_id: re.Pattern[str] | None, manner: Manner
) -> list[Answer]:
    with closing(Threads(manner.concurrency)) if needs_threads(manner) else nullcontext() as threads:
        caller = prepare_caller(asker, depth, document_id, manner, threads)
        starts = range(0, len(queries), caller.block)
        return [answer for one in starts for answer in caller.ask(queries[one : one + caller.block])]


def _manner(golden: GoldenSet, concurrency: int | None) -> Manner:
    said = golden.header.ask
    at_a_time = said.concurrency or 1 if concurrency is None else concurrency
    if not isinstance(at_a_time, int) or at_a_time < 1:
        raise ValueError(f"concurrency is {at_a_time!r}, expected a whole number of at least 1")
    return Manner(
        concurrency=at_a_time,
        timeout=said.timeout,
        retries=said.retries or 0,
        retry_on=DEFAULT_RETRY_ON if said.retry_on is None else said.retry_on,
        retry_wait=DEFAULT_RETRY_WAIT if said.retry_wait is None else said.retry_wait,
    )


def _load(path: str | os.PathLike[str]) -> GoldenSet:
    from pytest_retrieval.golden.reader import load_golden

    return load_golden(Path(path))


def _metrics(golden: GoldenSet, given: Iterable[str] | None) -> tuple[str, ...]:
    if given is not None:
        return canonical(given)
    try:
        return canonical(golden.header.metrics or DEFAULT_METRICS)
    except ValueError as error:
        raise _in_header(golden, "metrics", str(error)) from None


def _depth(golden: GoldenSet, metrics: tuple[str, ...], given: int | None) -> int:
    depth = given if given is not None else golden.header.depth
    if depth is not None and not isinstance(depth, int):
        raise ValueError(f"depth is {depth!r}, expected a whole number")
    if depth is None:
        return required_depth(metrics)
    deepest = max(
        (parse_metric(metric) for metric in metrics), key=lambda metric: metric.k or 1, default=None
    )
    needed = deepest.k or 1 if deepest else 1
    if depth >= needed:
        return depth
    problem = f"a depth of {depth} cannot show {deepest}; expected at least {needed}"
    if given is not None:
        raise ValueError(problem)
    raise _in_header(golden, "depth", problem)


def _document_pattern(golden: GoldenSet, given: str | None) -> re.Pattern[str] | None:
    expression = given if given is not None else golden.header.document_id
    if expression is None:
        return None
    try:
        pattern = re.compile(expression)
        problem = "" if pattern.groups else "has no group; the first group is the document, as in ^(.*)#"
    except re.error as error:
        problem = f"is no regular expression: {error}"
    if not problem:
        return pattern
    if given is not None:
        raise ValueError(f"document_id {expression!r} {problem}")
    raise _in_header(golden, "document_id", f"{expression!r} {problem}")


def _in_header(golden: GoldenSet, key: str, problem: str) -> GoldenError:
    return GoldenError(golden.path or "golden set", golden.header.lines.get(key), f"{key}: {problem}")
