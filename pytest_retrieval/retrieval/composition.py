"""Retrievers over other retrievers: lists fused by rank, and a list put into a better order."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from pytest_retrieval.golden.model import Query
from pytest_retrieval.retrieval.calling import Asker, BadRetriever, answer, prepare
from pytest_retrieval.retrieval.protocol import BadAnswer
from pytest_retrieval.retrieval.ranking import Hit, rank_documents

RRF_K = 60
"""The constant of reciprocal rank fusion in its paper; the larger, the less the first ranks count."""

DEFAULT_CANDIDATES = 50


class TextScorer(Protocol):
    """Something that scores texts, such as a cross encoder."""

    def score(self, question: str, texts: Sequence[str], /) -> Iterable[float]:
        """One number per text, in their order, higher is better."""


IdScorer = Callable[[str, Sequence[str]], Iterable[float]]
"""The question and ids, best first -> one number per id, in their order, higher is better."""


def hybrid(
    *retrievers: object, k: int = RRF_K, candidates: int | None = None, document_id: str | None = None
) -> Hybrid:
    """A retriever that fuses the lists of two or more others by reciprocal rank.

    Each is whatever a retriever may be, and asked for ``candidates`` results (as many as are
    wanted of the whole unless given). ``document_id``, a regular expression whose first group is
    the document of a hit, makes documents the ones that are fused; each then stands by its first hit.

    Raises:
        BadRetriever: there are fewer than two, one of them cannot be asked, or a number is below 1.
    """
    if len(retrievers) < 2:
        raise BadRetriever(f"hybrid fuses two or more retrievers, found {len(retrievers)}")
    if k < 1 or (candidates is not None and candidates < 1):
        raise BadRetriever(f"k and candidates of hybrid must be at least 1, found {k} and {candidates}")
    return Hybrid(tuple(map(prepare, retrievers)), k, candidates, _pattern(document_id))


def rerank(
    retriever: object,
    scorer: IdScorer | TextScorer,
    *,
    candidates: int = DEFAULT_CANDIDATES,
    texts: Mapping[str, str] | None = None,
    document_id: str | None = None,
) -> Rerank:
    """A retriever that puts the first ``candidates`` of another into the order of a scorer.

    ``scorer`` is a function of the question and the ids, or an object with a method ``score`` of
    the question and their texts, which ``texts`` holds by id or by document. Equal scores keep
    their order; what comes after the candidates stays below them, in its order. ``document_id``
    as in :func:`hybrid`: of each document only its first hit is a candidate.

    Raises:
        BadRetriever: ``retriever`` cannot be asked, ``scorer`` cannot score, or a number is below 1.
    """
    if candidates < 1:
        raise BadRetriever(f"candidates of rerank must be at least 1, found {candidates}")
    pattern = _pattern(document_id)
    return Rerank(prepare(retriever), as_scorer(scorer, texts, pattern), candidates, pattern)


@dataclass(frozen=True, slots=True)
class Hybrid:
    """Prepared retrievers whose lists are fused."""

    askers: tuple[Asker, ...]
    k: int = RRF_K
    candidates: int | None = None
    document_id: re.Pattern[str] | None = None

    def answer_query(self, query: Query, depth: int) -> list[tuple[str, float]]:
        """At most ``depth`` ids with their fused scores; whatever one of the retrievers raises, untouched."""
        wanted = depth if self.candidates is None else self.candidates
        first: dict[str, str] = {}
        lists = []
        for asker in self.askers:
            hits = _first_hits(answer(asker, query, wanted, None).documents, self.document_id)
            lists.append(tuple(hits))
            first = {**hits, **first}
        return [(first[document], score) for document, score in fuse(lists, self.k)[:depth]]


@dataclass(frozen=True, slots=True)
class Rerank:
    """A prepared retriever whose first ``candidates`` are put into another order."""

    asker: Asker
    scorer: IdScorer
    candidates: int = DEFAULT_CANDIDATES
    document_id: re.Pattern[str] | None = None

    def answer_query(self, query: Query, depth: int) -> list[str]:
        """At most ``depth`` ids; BadAnswer where the scorer does not give one number per id."""
        found = answer(self.asker, query, max(depth, self.candidates), None).documents
        ids = list(_first_hits(found, self.document_id).values())
        head, tail = ids[: self.candidates], ids[self.candidates :]
        scores = _numbers(self.scorer(query.text, tuple(head)), len(head)) if head else []
        order = sorted(range(len(head)), key=lambda place: (-scores[place], place))
        return [*(head[place] for place in order), *tail][:depth]


def fuse(lists: Iterable[Sequence[str]], k: int = RRF_K) -> list[tuple[str, float]]:
    """Reciprocal rank fusion: each list gives a document 1 / (k + rank), with ranks from 1.

    ``lists`` hold distinct documents, best first. Best sum first, equal sums by document, so
    that the order of the lists does not matter. Source: Cormack, Clarke and Buettcher, SIGIR 2009.
    """
    parts: dict[str, list[float]] = {}
    for ranking in lists:
        for rank, document in enumerate(ranking, 1):
            parts.setdefault(document, []).append(1 / (k + rank))
    # A tie must be one, whichever lists the ranks come from.
    scores = {document: round(math.fsum(values), 12) for document, values in parts.items()}
    return sorted(scores.items(), key=lambda item: (-item[1], item[0]))


def as_scorer(
    scorer: object, texts: Mapping[str, str] | None, document_id: re.Pattern[str] | None = None
) -> IdScorer:
    """A function of the question and ids, whichever sort of scorer was given; BadRetriever for neither."""
    method = getattr(scorer, "score", None)
    if callable(method):
        if texts is None:
            raise BadRetriever(
                f"the scorer {type(scorer).__name__} scores texts, and rerank has none: give it texts, "
                "or declare the documents in the golden set's header"
            )
        return lambda question, ids: method(question, [_text_of(one, texts, document_id) for one in ids])
    if callable(scorer):
        return scorer
    raise BadRetriever(
        f"the scorer is an object of type {type(scorer).__name__}; expected a function of the question "
        "and the ids, or an object with a method score"
    )


def _text_of(id_: str, texts: Mapping[str, str], document_id: re.Pattern[str] | None) -> str:
    (document,) = rank_documents([Hit(id_)], document_id).documents
    text = texts.get(id_, texts.get(document))
    if text is None:
        raise BadAnswer(f"there is no text of {id_!r} to score; the texts have {len(texts)} other ids")
    return text


def _first_hits(ids: Iterable[str], document_id: re.Pattern[str] | None) -> dict[str, str]:
    """Document -> the first hit that belongs to it, best first."""
    hits: dict[str, str] = {}
    for id_ in ids:
        hits.setdefault(rank_documents([Hit(id_)], document_id).documents[0], id_)
    return hits


def _numbers(scores: Iterable[float] | None, count: int) -> list[float]:
    try:
        numbers = [float(score) for score in scores]  # type: ignore[union-attr]
    except (TypeError, ValueError):
        raise BadAnswer(
            f"the scorer returned a value of type {type(scores).__name__}; expected one number per id"
        ) from None
    if len(numbers) != count:
        raise BadAnswer(f"the scorer returned {len(numbers)} scores for {count} ids")
    if any(map(math.isnan, numbers)):
        raise BadAnswer("the scorer returned NaN; expected one number per id")
    return numbers


def _pattern(document_id: str | None) -> re.Pattern[str] | None:
    if document_id is None:
        return None
    try:
        pattern = re.compile(document_id)
    except re.error as error:
        raise BadRetriever(f"document_id {document_id!r} is no regular expression: {error}") from None
    if not pattern.groups:
        raise BadRetriever(f"document_id {document_id!r} needs a group for the document of a hit")
    return pattern
