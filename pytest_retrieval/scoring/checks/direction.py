"""Whether high grades mean good answers, or the scale stands on its head.

Several collections number their grades from 1 for the best. Read as they are, every gain is
turned round. Two witnesses know better on average: a ranking puts better documents higher,
and better documents share more of the question's words.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction

from pytest_retrieval.golden.checks.finding import Finding
from pytest_retrieval.golden.documents import Document
from pytest_retrieval.golden.model import GoldenSet, Query
from pytest_retrieval.golden.words import words
from pytest_retrieval.scoring.pooling import Rankings

ERROR = 0.01
"""The chance of calling a scale turned when grades say nothing at all."""

_K1, _B = 1.5, 0.75

Score = Callable[[Query, str], float | None]
"""How well a document fits a query, None where the witness cannot tell."""


def grade_direction(
    golden: GoldenSet, documents: Mapping[str, Document], rankings: Sequence[Rankings]
) -> Iterator[Finding]:
    """A finding for each witness against whom the grades go, query by query.

    Per query the pairs of documents with different grades are counted that the witness orders
    alike and the other way. A one-sided sign test over the queries in which one of the two
    prevails (exact binomial) decides at :data:`ERROR`.
    """
    witnesses: list[tuple[str, Score]] = []
    if documents:
        witnesses.append(("the words that questions and documents share", _shared_words(golden, documents)))
    witnesses += [("the order of a ranking", _ranks(ranking)) for ranking in rankings]
    for name, score in witnesses:
        agreeing, opposing = concordance(golden, score)
        if opposing > agreeing and sign_test(opposing, agreeing) <= ERROR:
            yield Finding(
                "grade-direction",
                True,
                f"the grades seem to be upside down: {name} speaks for lower grades in {opposing} questions, "
                f"for higher ones in {agreeing}; 2 answers, 1 helps, 0 does not",
            )
            return


def concordance(golden: GoldenSet, score: Score) -> tuple[int, int]:
    """In how many queries a witness mostly agrees with the grades, and in how many it mostly does not."""
    agreeing = opposing = 0
    for query in golden.queries:
        if len(set(query.relevant.values())) < 2:
            continue
        graded = [
            (grade, value)
            for name, grade in query.relevant.items()
            if (value := score(query, name)) is not None
        ]
        balance = sum(_sign(a - b) * _sign(x - y) for n, (a, x) in enumerate(graded) for b, y in graded[:n])
        agreeing += balance > 0
        opposing += balance < 0
    return agreeing, opposing


def sign_test(successes: int, failures: int) -> float:
    """The chance of at least so many heads when a fair coin is thrown ``successes + failures`` times."""
    n = successes + failures
    return float(Fraction(sum(math.comb(n, k) for k in range(successes, n + 1)), 1 << n))


def _sign(value: float) -> int:
    return (value > 0) - (value < 0)


def _ranks(ranking: Rankings) -> Score:
    """Higher up is better; what is not returned is worse than all that is."""
    places = {query: {name: -place for place, name in enumerate(hits)} for query, hits in ranking.items()}

    def score(query: Query, document: str) -> float | None:
        known = places.get(query.id)
        return None if not known else float(known.get(document, -len(known)))

    return score


def _shared_words(golden: GoldenSet, documents: Mapping[str, Document]) -> Score:
    """BM25 (k1 = 1.5, b = 0.75, idf as in Lucene) over titles and texts."""
    counts = {name: Counter(words(f"{one.title} {one.text}")) for name, one in documents.items()}
    holders = Counter(word for count in counts.values() for word in count)
    lengths = {name: count.total() for name, count in counts.items()}
    mean = math.fsum(lengths.values()) / len(lengths) or 1.0
    asked = {query.id: sorted(set(words(query.text))) for query in golden.queries}

    def score(query: Query, document: str) -> float | None:
        count = counts.get(document)
        if count is None:
            return None
        norm = _K1 * (1 - _B + _B * lengths[document] / mean)
        return math.fsum(
            math.log(1 + (len(counts) - holders[word] + 0.5) / (holders[word] + 0.5))
            * count[word] * (_K1 + 1) / (count[word] + norm)
            for word in asked[query.id]
            if word in count
        )  # fmt: skip

    return score
