"""One retriever marked against one golden set."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pytest_retrieval.golden.errors import GoldenError
from pytest_retrieval.golden.model import GoldenSet
from pytest_retrieval.retrieval.ranking import Ranking
from pytest_retrieval.scoring.metrics import DIGITS, score_rankings
from pytest_retrieval.scoring.names import DEFAULT_METRICS, canonical, parse_metric, required_depth


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The rankings of one retriever for one golden set, and their scores.

    ``rankings`` and ``errors`` are keyed by query id; a query that stands in neither was not
    asked. ``metrics`` are canonical names. ``scores`` maps a metric to the score (0 to 1) of
    each query that was answered and that some document answers. ``runs`` are the single runs
    where every query was asked repeatedly: ``scores`` are then means over them, ``rankings`` those
    of the first.
    """

    golden: GoldenSet
    rankings: Mapping[str, Ranking]
    errors: Mapping[str, str]
    depth: int
    metrics: tuple[str, ...]
    scores: Mapping[str, Mapping[str, float]]
    runs: tuple[Evaluation, ...] = ()

    def mean(self, metric: str, kind: str | None = None) -> float | None:
        """The mean score over all queries, or over one kind, rounded to 12 decimals.

        None when a query of that slice failed (never averaged over the others) or when
        nothing in it was scored. Raises ValueError for a metric that was not computed.
        """
        name = str(parse_metric(metric))
        if name not in self.scores:
            raise ValueError(f"{metric} was not computed; computed are {', '.join(self.metrics)}")
        members = [
            query.id for query in self.golden.queries if query.answerable and kind in (None, query.kind)
        ]
        if any(member in self.errors for member in members):
            return None
        return self.mean_over(name, members)

    def mean_over(self, metric: str, ids: Iterable[str]) -> float | None:
        """The mean of a canonical metric over those of some queries that were scored, None for none.

        Summed exactly, so that the order of the queries does not matter.
        """
        scores = [self.scores[metric][query_id] for query_id in ids if query_id in self.scores[metric]]
        return round(math.fsum(scores) / len(scores), DIGITS) if scores else None

    def means(self) -> dict[str, float | None]:
        """The mean over all queries per metric."""
        return {metric: self.mean(metric) for metric in self.metrics}


def mark(
    golden: GoldenSet,
    rankings: Mapping[str, Ranking],
    metrics: Iterable[str],
    depth: int,
    errors: Mapping[str, str] | None = None,
) -> Evaluation:
    """Score rankings by query id; rankings of queries that the golden set lacks are left out.

    ``errors`` maps a query id to what went wrong; such a query is not scored. Raises
    ValueError for an unknown metric and for a ranking that holds a document twice.
    """
    known = golden.by_id()
    failed = {query: reason for query, reason in (errors or {}).items() if query in known}
    kept = {query: rankings[query] for query in known if query in rankings and query not in failed}
    for query, ranking in kept.items():
        if len(set(ranking.documents)) < len(ranking):
            raise ValueError(f"the ranking of query {query!r} holds a document twice; see rank_documents")
    scored = [query for query in kept if known[query].answerable]
    names = canonical(metrics)
    values = score_rankings(
        [kept[query].documents for query in scored], [known[query].relevant for query in scored], names
    )
    scores = {metric: dict(zip(scored, values[metric].tolist(), strict=True)) for metric in names}
    return Evaluation(golden, kept, failed, depth, names, scores)


def average(runs: Sequence[Evaluation]) -> Evaluation:
    """One or more runs of the same queries as one evaluation.

    A query's score is its mean over the runs; one that failed in any run failed, one that any run
    lacks was not asked.
    """
    first, *later = runs
    if not later:
        return first
    errors = {query: reason for run in reversed(runs) for query, reason in run.errors.items()}
    asked = [query for query in first.rankings if all(query in run.rankings for run in later)]
    scores = {
        metric: {
            query: math.fsum(run.scores[metric][query] for run in runs) / len(runs)
            for query in asked
            if query in first.scores[metric] and query not in errors
        }
        for metric in first.metrics
    }
    kept = {query: first.rankings[query] for query in asked if query not in errors}
    return replace(first, rankings=kept, errors=errors, scores=scores, runs=tuple(runs))


def evaluate(
    search: object,
    golden: GoldenSet | str | os.PathLike[str],
    *,
    metrics: Iterable[str] | None = None,
    depth: int | None = None,
    document_id: str | None = None,
) -> Evaluation:
    """Ask a retriever every query of a golden set and score the answers.

    ``search`` is anything that answers ``(text)``, ``(text, k)`` or has ``.search``;
    ``golden`` a golden set or the path of one. ``depth`` is how many results are asked for;
    ``document_id`` a regular expression whose first group is the document of a hit. What is
    not given comes from the golden set's header, then from the defaults. An exception of the
    retriever becomes the query's error. Raises GoldenError for a golden set that cannot be
    used and ValueError for arguments that cannot be.
    """
    from pytest_retrieval.retrieval.calling import answer, error_text, prepare

    key = golden if isinstance(golden, GoldenSet) else _load(golden)
    names = _metrics(key, metrics)
    asked = _depth(key, names, depth)
    pattern = _document_pattern(key, document_id)
    asker = prepare(search)
    rankings: dict[str, Ranking] = {}
    errors: dict[str, str] = {}
    for query in key.queries:
        try:
            rankings[query.id] = answer(asker, query, asked, pattern)
        except Exception as error:  # whatever a retriever raises is that query's outcome
            errors[query.id] = error_text(error)
    return mark(key, rankings, names, asked, errors)


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
