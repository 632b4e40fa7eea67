"""Reading the baselines before the first call and writing them after the last."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pytest_retrieval.gating.anchor import (
    SUFFIX,
    against_anchor,
    anchor_path,
    moved_anchor,
    next_anchor,
)
from pytest_retrieval.gating.baseline import Baseline, refusal, take_baseline
from pytest_retrieval.gating.baseline_file import BaselineError, read_baseline, write_baseline
from pytest_retrieval.gating.verdict import ANCHOR, BASELINE
from pytest_retrieval.golden.errors import InputError
from pytest_retrieval.golden.naming import SUFFIXES
from pytest_retrieval.golden.reader import load_golden
from pytest_retrieval.pytest_side.accepted_elsewhere import take_from
from pytest_retrieval.pytest_side.assembly import mark_outcomes
from pytest_retrieval.pytest_side.gate_reports import NodeOutcome
from pytest_retrieval.pytest_side.options import Settings
from pytest_retrieval.pytest_side.plan import shown
from pytest_retrieval.pytest_side.target_branch import find_target
from pytest_retrieval.reporting.advice import anchor_refusal, quoted, update_with_reason
from pytest_retrieval.reporting.line import styled
from pytest_retrieval.reporting.notes import CONTRACTS_ALONE
from pytest_retrieval.reporting.result import ERROR, SetResult

if TYPE_CHECKING:
    from pytest_retrieval.pytest_side.golden_run import GoldenRun
    from pytest_retrieval.pytest_side.plan import Plan
    from pytest_retrieval.reporting.line import Line


def load_baselines(runs: Collection[GoldenRun], settings: Settings, root: Path) -> list[str]:
    """Load what will be compared, and refuse what cannot end well; raises UsageError (exit 4).

    Returns the target branch's baselines that belong to nothing here, where one was named.
    """
    if not settings.asked_by_flag:
        return []
    owners: dict[Path, str] = {}
    ref = settings.value("baseline-ref", "")
    target = find_target(ref, root) if ref and settings.compare else None
    places: dict[Path, GoldenRun] = {}
    plans = [run.plan for run in runs]
    for run in runs:
        plan = run.plan
        if plan.baseline in owners:
            raise pytest.UsageError(
                f"{owners[plan.baseline]} and {plan.node} would share the baseline "
                f"{plan.baseline_name(root)}: rename one of them"
            )
        owners[plan.baseline] = plan.node
        _refuse_place(run, root)
        if not plan.is_gated:
            _refuse_vanished_gate(run, root)
            continue
        place = _place_of(plan)
        anchor = anchor_path(place)
        if anchor.exists() and not settings.anchor_reason:
            run.anchor = _read(anchor, plan, root)
        if settings.update:
            _refuse_selection(run)
            if place.exists() and run.anchor is None and not settings.anchor_reason:
                _read(place, plan, root)  # with nothing to hold it against, it would accept any drop
        elif place.exists():
            run.baseline = _read(place, plan, root)
        places[place] = run
    return take_from(target, places, plans, settings, root) if target is not None else []


def _place_of(plan: Plan) -> Path:
    """Where the accepted rankings are: the plain file, too, as long as it holds this retriever's."""
    plain = plan.plain_baseline
    if plan.baseline.exists() or plain == plan.baseline:
        return plan.baseline
    old = _old(plain, plain.name)
    return plain if old is not None and old.retriever == plan.retriever else plan.baseline


def _read(path: Path, plan: Plan, root: Path) -> Baseline:
    where = shown(path, root)
    try:
        return read_baseline(path, where)
    except BaselineError as error:
        raise pytest.UsageError(
            f"{error}, or write it anew, with the reason: {update_with_reason(plan.node)}"
        ) from None


def _refuse_place(run: GoldenRun, root: Path) -> None:
    """Two golden sets must not write to one baseline, in this run or one after the other."""
    plan = run.plan
    path = plan.golden.path
    if path is None:
        return
    if not path.resolve().is_relative_to(root.resolve()):
        raise pytest.UsageError(
            f"{path} lies outside the root {root}, where the baselines live: give --rootdir, or move it"
        )
    if plan.baseline.name.endswith(SUFFIX):
        raise pytest.UsageError(f"{plan.name}: names that end in .anchor are reserved: rename the golden set")
    for neighbour in _rivals(plan, path):
        raise pytest.UsageError(
            f"{plan.node} and {neighbour.name} beside it would share the baseline "
            f"{plan.baseline_name(root)}: rename one of them"
        )


def _rivals(plan: Plan, path: Path) -> Iterator[Path]:
    """The files beside a golden set whose baseline, or that of one of their retrievers, has the same name."""
    stem = path.stem if plan.variant is None else f"{path.stem}.{plan.variant}"
    for suffix in SUFFIXES:
        neighbour = path.with_name(f"{stem}{suffix}")
        if neighbour != path and neighbour.exists():
            yield neighbour
        head, _, variant = stem.rpartition(".")
        neighbour = path.with_name(f"{head}{suffix}")
        if head and neighbour != path and neighbour.exists() and variant in _variants(neighbour):
            yield neighbour


def _variants(path: Path) -> Collection[str]:
    """The names of the retrievers that a golden file lists, none where it is none."""
    try:
        return {one.name for one in load_golden(path, check_documents=False).header.listed}
    except InputError:
        return ()


def _refuse_vanished_gate(run: GoldenRun, root: Path) -> None:
    """A baseline must not be passed over because no query has an answer any more."""
    path = _place_of(run.plan)
    if path.exists():
        where = shown(path, root)
        raise pytest.UsageError(
            f"{run.plan.name}: no query has an answer any more (answerable: false), and {where} holds "
            f"accepted rankings: restore the answers, or remove the baseline with: git rm {quoted(where)}"
        )


def _refuse_selection(run: GoldenRun) -> None:
    plan = run.plan
    if len(plan.queries) == len(plan.golden) and not run.partial:
        return
    filters = " ".join(f"--retrieval-{name}={','.join(values)}" for name, values in plan.population.items())
    because = f" ({filters})" if filters else ""
    selected = len(run.whole_queries())
    raise pytest.UsageError(
        f"{plan.name}: the baseline is one whole run, and only {selected} of {len(plan.golden)} "
        f"queries are selected{because}; nothing was asked, the old baseline is untouched. "
        f"Run: pytest --update-baseline {plan.name}"
    )


def update(
    run: GoldenRun, result: SetResult, settings: Settings, root: Path, width: int
) -> tuple[list[Line], list[NodeOutcome]]:
    """Write one set's baseline, or say why not; the old files stay as they are when refused."""
    from pytest_retrieval.reporting.floors import floors_block
    from pytest_retrieval.reporting.update_table import update_lines

    plan = run.plan
    if not plan.is_gated:
        return [styled(f"{plan.node}: no baseline was written: {CONTRACTS_ALONE}")], []
    name = plan.baseline_name(root)
    evaluation = mark_outcomes(plan, run.outcomes)
    pattern = plan.document_id.pattern if plan.document_id else None
    old = _old(_place_of(plan), name)
    anchor: Baseline | None = None
    why = refusal(evaluation, _failures(result))
    if why is None:
        new = take_baseline(evaluation, retriever=plan.retriever, document_id=pattern)
        reason = settings.anchor_reason
        anchor = next_anchor(old, run.anchor, new, evaluation)
        place = _place_of(plan)
        if reason and (place.exists() or anchor_path(place).exists()):
            anchor = moved_anchor(_old(anchor_path(place), name), new, reason)
        elif anchor is not None and (lost := against_anchor(evaluation, anchor, plan.policy, plan.fail_on)):
            since = ANCHOR if run.anchor else BASELINE
            why = anchor_refusal(lost, update_with_reason(plan.node), since)
    if why is not None:
        message = f"baseline not updated: {why}"
        failed = [NodeOutcome(plan.node, "failed", f"{message}; {name} is untouched")]
        return [styled(f"{plan.node}: {message}", "red")], failed
    try:
        if anchor is not None:
            write_baseline(anchor_path(plan.baseline), anchor)
        write_baseline(plan.baseline, new)
    except OSError as error:
        message = f"baseline not updated: {name} cannot be written ({error.strerror})"
        return [styled(f"{plan.node}: {message}", "red")], [NodeOutcome(plan.node, "failed", message)]
    lines = list(update_lines(plan.node, name, old.means if old else None, new.means, width))
    if anchor is not None and (run.anchor is None or settings.anchor_reason):
        what = "moved" if settings.anchor_reason else "the baseline before, kept to compare with from now on"
        lines.append(styled(f"{plan.node}: anchor {shown(anchor_path(plan.baseline), root)}: {what}"))
    block = floors_block(result, plan.policy.min_queries)
    if block:
        lines.append(styled("kinds too small for statistics can be held by floors, as today's run has them:"))
        lines += [styled(f"  {line}") for line in block]
    return lines, []


def _failures(result: SetResult) -> dict[str, str]:
    """Query id -> why its test failed."""
    failures = {}
    for query in result.queries:
        if query.outcome == ERROR:
            failures[query.id] = (query.error or "error").splitlines()[0]
        elif query.must_failed:
            failures[query.id] = f"must: {query.must_failed[0]}"
    return failures


def _old(path: Path, name: str) -> Baseline | None:
    try:
        return read_baseline(path, name) if path.exists() else None
    except BaselineError:
        return None  # a damaged baseline is what this update replaces
