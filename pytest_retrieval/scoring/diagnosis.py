"""Where the evidence for a question was lost on its way: corpus, retrieval, ranking, generation.

Asks no model: what is known are the labels, the ranking as deep as it was asked for (the pool), how
many hits go into a prompt (the context), and, where a retriever tells it, which ids a text cites.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from pytest_retrieval.retrieval.ranking import Ranking

OK = "ok"
GENERATION = "generation"
RANKING = "ranking"
RETRIEVAL = "retrieval"
NOT_IN_CORPUS = "not in the corpus"

BUCKETS = (OK, GENERATION, RANKING, RETRIEVAL, NOT_IN_CORPUS)
"""How far a document came, farthest first."""

_DIGITS = 12
_EVERY_CONTEXT = 8  # larger contexts are told in eighths


@dataclass(frozen=True, slots=True)
class DocumentDiagnosis:
    """How far one relevant document came.

    ``rank`` (1-based) counts documents, ``place`` the hits before them were mapped to documents;
    both are None where it was not returned.
    """

    document: str
    grade: int
    bucket: str
    rank: int | None = None
    place: int | None = None


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """How far a query's evidence came: ``bucket`` is that of its best-placed relevant document.

    ``documents`` are the relevant ones, best placed first. ``cited`` tells whether it is known
    which documents the text of the answer refers to.
    """

    bucket: str
    documents: tuple[DocumentDiagnosis, ...]
    cited: bool = False

    @property
    def place(self) -> int | None:
        """The place of the first relevant hit, None where none came back."""
        return min((one.place for one in self.documents if one.place is not None), default=None)


def diagnose(
    relevant: Mapping[str, int],
    ranking: Ranking,
    context: int,
    *,
    corpus: Collection[str] | None = None,
    cited: Collection[str] | None = None,
) -> Diagnosis:
    """Tell for each relevant document (grade above 0), and so for the query, where it was lost.

    ``ok``: among the first ``context`` hits, and cited where that is known; ``generation``: among
    them and not cited; ``ranking``: returned below them; ``retrieval``: not returned; ``not in the
    corpus``: no document of ``corpus``, where that is known. Hits are counted as a prompt holds
    them, before chunks are mapped to documents. Raises ValueError for a query without a relevant
    document: there is nothing that could have been lost.
    """
    wanted = [(document, grade) for document, grade in relevant.items() if grade > 0]
    if not wanted:
        raise ValueError("no document answers this query, so none can be lost")
    ranks = {document: rank for rank, document in enumerate(ranking.documents, 1)}
    places = ranking.placed()

    def bucket(document: str) -> str:
        place = places.get(document)
        if place is None:
            return RETRIEVAL if corpus is None or document in corpus else NOT_IN_CORPUS
        if place > context:
            return RANKING
        return OK if cited is None or document in cited else GENERATION

    rows = [
        DocumentDiagnosis(document, grade, bucket(document), ranks.get(document), places.get(document))
        for document, grade in wanted
    ]
    rows.sort(key=lambda row: (BUCKETS.index(row.bucket), row.place or 0, -row.grade, row.document))
    return Diagnosis(rows[0].bucket, tuple(rows), cited is not None)


@dataclass(frozen=True, slots=True)
class DiagnosedGroup:
    """How many queries of a group are in which bucket.

    ``kind`` is None for all queries together; ``counts`` holds the buckets that occur. ``first`` is
    the one where most evidence is lost, and so what to turn first; None where none is lost.
    """

    kind: str | None
    n: int
    counts: Mapping[str, int]
    first: str | None


@dataclass(frozen=True, slots=True)
class SetDiagnosis:
    """Where a golden set's evidence is lost, with ``context`` hits in a prompt and ``depth`` asked for.

    ``groups`` are all queries together, then the kinds. ``lost`` maps each smaller context to the
    number of queries whose evidence is within this one and would be lost. ``recall_in_context`` and
    ``recall_in_pool`` are means over the queries of the share of relevant documents among the first
    ``context`` hits, and among all; ``recall_ceiling`` is what the best order of the pool would have
    among the first ``context`` hits. They are None where no query was diagnosed. ``unanswerable``
    queries have nothing to diagnose; ``unknown`` ones have no ranking.
    """

    context: int
    depth: int
    groups: tuple[DiagnosedGroup, ...]
    lost: Mapping[int, int] = field(default_factory=dict)
    recall_in_context: float | None = None
    recall_in_pool: float | None = None
    recall_ceiling: float | None = None
    unanswerable: int = 0
    unknown: int = 0


def sum_up(
    diagnosed: Sequence[tuple[str, Diagnosis]],
    context: int,
    depth: int,
    *,
    unanswerable: int = 0,
    unknown: int = 0,
) -> SetDiagnosis:
    """Count the diagnoses of (kind, diagnosis) pairs, made with ``context``, over all and by kind."""
    kinds = list(dict.fromkeys(kind for kind, _ in diagnosed))
    groups = [_group(None, (one for _, one in diagnosed))]
    groups += [_group(kind, (one for other, one in diagnosed if other == kind)) for kind in kinds]
    every = [one for _, one in diagnosed]
    return SetDiagnosis(
        context=context,
        depth=depth,
        groups=tuple(groups),
        lost={smaller: _lost(every, context, smaller) for smaller in _smaller(context)},
        recall_in_context=_mean([_found(one, context) / len(one.documents) for one in every]),
        recall_in_pool=_mean([_found(one, depth) / len(one.documents) for one in every]),
        recall_ceiling=_mean([min(_found(one, depth), context) / len(one.documents) for one in every]),
        unanswerable=unanswerable,
        unknown=unknown,
    )


def _group(kind: str | None, diagnoses: Iterable[Diagnosis]) -> DiagnosedGroup:
    buckets = [one.bucket for one in diagnoses]
    counts = {bucket: buckets.count(bucket) for bucket in BUCKETS if bucket in buckets}
    # Of equal ones the earlier on the way: what is mended there changes all that follows.
    lost = [bucket for bucket in reversed(BUCKETS) if bucket != OK and bucket in counts]
    return DiagnosedGroup(kind, len(buckets), counts, max(lost, key=counts.__getitem__, default=None))


def _smaller(context: int) -> list[int]:
    """The contexts below one, largest first."""
    parts = min(context, _EVERY_CONTEXT)
    return [context * part // parts for part in range(parts - 1, 0, -1)]


def _lost(diagnoses: Iterable[Diagnosis], context: int, smaller: int) -> int:
    places = [one.place for one in diagnoses]
    return sum(place is not None and smaller < place <= context for place in places)


def _found(one: Diagnosis, within: int) -> int:
    return sum(row.place is not None and row.place <= within for row in one.documents)


def _mean(values: Sequence[float]) -> float | None:
    return round(math.fsum(values) / len(values), _DIGITS) if values else None
