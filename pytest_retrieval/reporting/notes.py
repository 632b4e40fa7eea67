"""Finished sentences about what differs between two runs beside their rankings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pytest_retrieval.gating.baseline import Baseline
from pytest_retrieval.gating.verdict import BASELINE, Verdict

CONTRACTS_ALONE = "no query has an answer, so there is nothing to score or to compare"
_GROWN = 0.05  # of the judged share; a smaller fall is not worth a word


def differences(
    old: Baseline, retriever: str, describe: Mapping[str, object], document_id: str | None
) -> Iterator[str]:
    """A sentence for each thing that a run and its baseline say differently of themselves."""
    if old.retriever != retriever:
        yield f"retriever: {old.retriever} before, {retriever} now"
    for key in sorted({*old.describe, *describe}):
        if old.describe.get(key) != describe.get(key):
            yield f"{key}: {old.describe.get(key, 'not said')} before, {describe.get(key, 'not said')} now"
    if old.document_id != document_id:
        yield f"document-id: {old.document_id} before, {document_id} now"


def growing_holes(verdicts: Sequence[Verdict]) -> Iterator[str]:
    """A note for each metric whose top k holds clearly more documents that nobody has judged."""
    for row in verdicts:
        if row.slice or row.against != BASELINE or row.judged_before is None or row.judged_after is None:
            continue
        if row.judged_before - row.judged_after > _GROWN:
            yield (
                f"holes: {row.judged_after:.0%} of the documents that {row.metric} looks at are judged, "
                f"{row.judged_before:.0%} were before; unjudged ones count as not relevant: judge them, "
                "see pytest-retrieval pool"
            )
