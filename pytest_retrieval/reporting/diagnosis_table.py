"""Where evidence is lost, for people: a row per kind, and what to turn first."""

from __future__ import annotations

from collections.abc import Iterator

from pytest_retrieval.reporting import wording
from pytest_retrieval.reporting.line import Line, styled
from pytest_retrieval.reporting.printable import wrap
from pytest_retrieval.reporting.table import Row, table
from pytest_retrieval.scoring.diagnosis import (
    BUCKETS,
    GENERATION,
    NOT_IN_CORPUS,
    OK,
    RANKING,
    RETRIEVAL,
    SetDiagnosis,
)

_TURN = {
    NOT_IN_CORPUS: "the corpus: the documents that answer are not in it; add them, or correct the labels",
    RETRIEVAL: "retrieval: other chunks, another model, a second retriever beside it, or a deeper pool",
    RANKING: "ranking: a reranker over the pool, or more hits in the context",
    GENERATION: "generation: the evidence was in the context and is not cited; look at the prompt",
}


def diagnosis_lines(diagnosis: SetDiagnosis, width: int) -> list[Line]:
    """A table of the kinds, then what smaller contexts lose and what the best order could reach."""
    every = diagnosis.groups[0]
    if not every.n:
        return [styled(text) for text in wrap(f"diagnosis: {_left_out(diagnosis)}", width)]
    seen = [bucket for bucket in BUCKETS if bucket in (OK, RANKING, RETRIEVAL) or bucket in every.counts]
    groups = [*diagnosis.groups[1:], every] if len(diagnosis.groups) > 2 else diagnosis.groups[1:]
    rows = [
        Row(
            (
                (wording.slice_label({} if group.kind is None else {"kind": group.kind}), ""),
                (str(group.n), ""),
                *((str(group.counts.get(bucket, 0)), "") for bucket in seen),
                (group.first or wording.NONE, ""),
            )
        )
        for group in groups
    ]
    return [
        styled(f"diagnosis: {diagnosis.context} hits in the context, {diagnosis.depth} in the pool", "bold"),
        *table(["", "n", *seen, "turn first"], rows, width, left=1),
        *(
            styled(text)
            for sentence in _sentences(diagnosis)
            for text in wrap(sentence, width, first="  ", rest="    ")
        ),
    ]


def _sentences(diagnosis: SetDiagnosis) -> Iterator[str]:
    first = diagnosis.groups[0].first
    if first is not None:
        yield f"turn first: {_TURN[first]}"
    lost = [f"{number} at {context}" for context, number in diagnosis.lost.items() if number]
    if lost:
        yield f"smaller contexts lose the evidence of: {', '.join(lost)}"
    yield (
        f"recall: {wording.score(diagnosis.recall_in_context)} in the context, "
        f"{wording.score(diagnosis.recall_ceiling)} if the pool were in the best order, "
        f"{wording.score(diagnosis.recall_in_pool)} in the pool"
    )
    if diagnosis.unanswerable or diagnosis.unknown:
        yield _left_out(diagnosis)


def _left_out(diagnosis: SetDiagnosis) -> str:
    parts = []
    if diagnosis.unanswerable:
        parts.append(f"{diagnosis.unanswerable} no-answer queries, of which no evidence can be lost")
    if diagnosis.unknown:
        parts.append(f"{diagnosis.unknown} queries without a ranking or labels")
    return f"not diagnosed: {', '.join(parts)}" if parts else "no query to diagnose"
