"""What to do next: one sentence a situation, with the command to run."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass

from pytest_retrieval.gating.policy import Policy
from pytest_retrieval.gating.power import fewest_losses
from pytest_retrieval.gating.verdict import (
    ANCHOR,
    BASELINE,
    BELOW_FLOOR,
    IMPROVED,
    NOT_EVALUATED,
    REGRESSION,
    SUSPECTED,
    TOO_FEW,
    Verdict,
)
from pytest_retrieval.reporting import wording
from pytest_retrieval.reporting.line import Line, styled
from pytest_retrieval.reporting.printable import cell_width, harmless, wrap
from pytest_retrieval.reporting.result import SetResult


@dataclass(frozen=True, slots=True)
class Step:
    """What to do next, and the command to do it with where there is one."""

    sentence: str
    command: str = ""


def advice(result: SetResult, verdicts: Sequence[Verdict]) -> list[Step]:
    """One step for each situation among ``verdicts``, most urgent first; empty where all is well."""
    update = f"pytest --update-baseline {quoted(result.node)}"
    words = {(verdict.verdict, verdict.against) for verdict in verdicts}
    said = {word for word, _ in words}
    steps = []
    with_reason = update_with_reason(result.node)
    anchored = any(against == ANCHOR for _, against in words)
    if REGRESSION in said and result.target:
        # an update changes what this branch holds, and not what it is compared with
        steps.append(
            Step(
                f"regression against {harmless(result.target)}: look at the worst queries; where the drop is "
                "meant, this stays red until the reviewer merges it, and a new baseline does not help"
            )
        )
    elif (REGRESSION, BASELINE) in words and (anchored and (REGRESSION, ANCHOR) not in words):
        steps.append(Step("regression: look at the worst queries, or accept the new rankings:", update))
    elif (REGRESSION, BASELINE) in words:
        # without an anchor the baseline is about to become it
        steps.append(
            Step("regression: look at the worst queries, or say why this is to be accepted:", with_reason)
        )
    elif (REGRESSION, ANCHOR) in words:
        steps.append(
            Step(
                "regression against the anchor: small accepted drops have added up; to accept them for good:",
                with_reason,
            )
        )
    if BELOW_FLOOR in said:
        steps.append(
            Step(
                "below floor: a new baseline does not help; improve the retriever, or lower the floor in "
                f"{harmless(result.golden)}"
            )
        )
    if NOT_EVALUATED in said and _has_no_baseline(result):
        steps.append(Step("there is nothing to compare with yet; write the baseline and commit it:", update))
    elif NOT_EVALUATED in said:
        steps.append(Step("not evaluated is no pass: remove the reasons that are given above, and run again"))
    if SUSPECTED in said and SUSPECTED in result.fail_on:
        if result.target:
            steps.append(
                Step(
                    "suspected, which fails this build: look at the worst queries; where the drop is meant, "
                    "this stays red until the reviewer merges it"
                )
            )
        else:
            sentence = (
                "suspected, which fails this build: look at the worst queries, or say why to accept it:"
            )
            steps.append(Step(sentence, with_reason))
    elif SUSPECTED in said:
        steps.append(
            Step(
                "suspected: the mean fell by more than the margin, but the proof is not strong enough "
                "to fail the build; look at it, or add queries"
            )
        )
    if any(map(_fell_unjudged, verdicts)):
        steps.append(
            Step(
                "a kind fell that has too few queries for a proof: add queries, or hold it by floors or must"
            )
        )
    # an update would take in the drop as well, and never moves an anchor
    lost = any(row.verdict.verdict in (REGRESSION, BELOW_FLOOR) for row in result.gates)
    if (IMPROVED, BASELINE) in words and not lost:
        red = ", which fails this build" if wording.STALE in result.fail_on else ""
        steps.append(Step(f"improved{red}: keep the gain, so that losing it again is noticed:", update))
    return steps


def anchor_refusal(lost: Sequence[Verdict], command: str, since: str = ANCHOR) -> str:
    """Why an update is refused that lost too much since the anchor, or cannot be compared with it.

    ``command`` moves the anchor; ``since`` is ``baseline`` where that is about to become it.
    """
    first = lost[0]
    if first.verdict == NOT_EVALUATED:
        what = f"it cannot be compared with the {since} ({harmless(first.reason)})"
    else:
        drop = wording.score(-(first.difference or 0.0))
        place = wording.slice_label(first.slice)
        what = (
            f"{first.metric} of {place} fell {drop} since the {since} ({wording.before_after(first)}), "
            f"margin {wording.agreed(first.margin or 0.0)}"
        )
    more = f", and {len(lost) - 1} more" if len(lost) > 1 else ""
    return f"{what}{more}; to accept that for good: {command}"


def never_fails(queries: int, policy: Policy) -> str:
    """What is said of a set that :func:`~pytest_retrieval.gating.power.can_never_fail`."""
    least = fewest_losses(1 - policy.confidence)
    floors = policy.floors or any(kind.floors for kind in policy.kinds.values())
    if queries < least:
        return (
            f"the comparison with a baseline can never fail: {queries} queries, and a regression takes at "
            f"least {least} that get worse; {'add queries' if floors else 'add queries, or set floors'}"
        )
    return "the comparison with a baseline can never fail: the margins allow the loss of everything"


def step_lines(steps: Sequence[Step], width: int) -> list[Line]:
    """The steps as lines; a command is never broken, so that it can be copied."""
    lines = []
    for step in steps:
        texts = wrap(f"next: {step.sentence}", width)
        if step.command and cell_width(f"{texts[-1]} {step.command}") <= width:
            texts[-1] += f" {step.command}"
        elif step.command:
            texts.append(f"  {step.command}")
        lines += [styled(text, "yellow") for text in texts]
    return lines


def _fell_unjudged(verdict: Verdict) -> bool:
    """Whether a kind too small to be judged alone lost more than was agreed."""
    if verdict.verdict != TOO_FEW or verdict.difference is None or verdict.margin is None:
        return False
    return verdict.difference < -verdict.margin


def _has_no_baseline(result: SetResult) -> bool:
    known = result.removed or result.changed or any(query.baseline is not None for query in result.queries)
    return result.gated and not known


def update_with_reason(golden: str) -> str:
    """The command that accepts a drop for good."""
    return f'pytest --update-baseline {quoted(golden)} --retrieval-update-anchor="reason"'


def quoted(path: str) -> str:
    """A path as one word of a command."""
    # double quotes are read by every shell, but they do not stop $ or a backquote
    if " " in path and re.fullmatch(r"[\w@%+=:,./ -]+", path):
        return f'"{path}"'
    return shlex.quote(harmless(path))
