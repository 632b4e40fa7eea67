"""A query's own contract, held against one answer: ``must`` and ``forbidden``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pytest_retrieval.golden.contracts import EMPTY, MAX_SCORE
from pytest_retrieval.golden.model import Query


def broken_contracts(
    query: Query, musts: Mapping[str, float], documents: Sequence[str], top_score: float | None
) -> list[str]:
    """What does not hold, in words; ``musts`` are the query's metrics under canonical names.

    ``top_score`` is the largest score of a hit, None where no hit has one.
    """
    broken = [*_returned_forbidden(query, documents)]
    if query.answerable:
        return [*broken, *_below(query, musts, documents)] if musts else broken
    return [*broken, *_not_refused(query.must, documents, top_score)]


def _returned_forbidden(query: Query, documents: Sequence[str]) -> Iterator[str]:
    places = {document: place for place, document in enumerate(documents, 1)}
    for document in query.forbidden:
        if document in places:
            yield f"forbidden {document} was returned at rank {places[document]}"


def _below(query: Query, musts: Mapping[str, float], documents: Sequence[str]) -> Iterator[str]:
    from pytest_retrieval.scoring.metrics import score_rankings

    scores = score_rankings([documents], [query.relevant], tuple(musts))
    for metric, least in musts.items():
        got = float(scores[metric][0])
        if got < least - 1e-9:
            yield f"{metric} is {got:.4g}, must be at least {least:g}"


def _not_refused(
    must: Mapping[str, float], documents: Sequence[str], top_score: float | None
) -> Iterator[str]:
    """How an answer to a question without one fails to say so; an empty one always says it."""
    if not documents:
        return
    if EMPTY in must:
        yield f"{len(documents)} documents were returned, must be none"
    if MAX_SCORE not in must:
        return
    if top_score is None:
        # Nothing that was asked for and not judged may end green.
        yield f"{MAX_SCORE} cannot be judged: no hit has a score; return (id, score) pairs"
    elif top_score > must[MAX_SCORE]:
        yield f"the best score is {top_score:.6g}, must be at most {must[MAX_SCORE]:g}"
