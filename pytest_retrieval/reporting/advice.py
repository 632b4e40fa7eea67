"""What to do next: one sentence a situation, with the command to run."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence

from pytest_retrieval.gating.verdict import (
    BELOW_FLOOR,
    IMPROVED,
    NOT_EVALUATED,
    REGRESSION,
    SUSPECTED,
    Verdict,
)
from pytest_retrieval.reporting.printable import harmless
from pytest_retrieval.reporting.result import SetResult


def advice(result: SetResult, verdicts: Sequence[Verdict]) -> list[str]:
    """Sentences for the situations among ``verdicts``, most urgent first; empty where all is well."""
    update = f"pytest --update-baseline {_quoted(result.golden)}"
    words = {(verdict.verdict, verdict.against) for verdict in verdicts}
    said = {word for word, _ in words}
    sentences = []
    if (REGRESSION, "baseline") in words:
        sentences.append(f"regression: look at the worst queries, or accept the new rankings: {update}")
    if (REGRESSION, "anchor") in words:
        sentences.append(
            "regression against the anchor: small accepted drops have added up; to accept them for good: "
            f'{update} --retrieval-update-anchor="the reason"'
        )
    if BELOW_FLOOR in said:
        sentences.append(
            "below floor: a new baseline does not help; improve the retriever, or lower the floor in "
            f"{harmless(result.golden)} or the project's settings"
        )
    if NOT_EVALUATED in said and _has_no_baseline(result):
        sentences.append(f"there is nothing to compare with yet; write the baseline and commit it: {update}")
    elif NOT_EVALUATED in said:
        sentences.append(
            "not evaluated: what was asked for could not be judged, for the reasons above; that is no pass"
        )
    if SUSPECTED in said:
        sentences.append(
            "suspected: the mean fell by more than the margin, but the proof is not strong enough "
            "to fail the build; look at it, or add queries"
        )
    if IMPROVED in said:
        sentences.append(f"improved: keep the gain, so that losing it again is noticed: {update}")
    return sentences


def _has_no_baseline(result: SetResult) -> bool:
    known = result.removed or result.changed or any(query.baseline is not None for query in result.queries)
    return result.gated and not known


def _quoted(path: str) -> str:
    # double quotes are read by every shell, but they do not stop $ or a backquote
    if " " in path and re.fullmatch(r"[\w@%+=:,./ -]+", path):
        return f'"{path}"'
    return shlex.quote(harmless(path))
