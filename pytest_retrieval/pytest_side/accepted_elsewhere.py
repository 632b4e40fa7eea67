"""The baselines that the target branch accepted: compared with instead of this branch's own.

A branch can rewrite, rename or remove its baselines; each is told, and none makes a run green.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path

import pytest

from pytest_retrieval.gating.anchor import SUFFIX, anchor_path
from pytest_retrieval.gating.baseline import Baseline, fingerprint
from pytest_retrieval.gating.baseline_file import BaselineError, parse_baseline
from pytest_retrieval.golden.errors import InputError, NotGoldenError
from pytest_retrieval.pytest_side.discovery import Role, read_golden
from pytest_retrieval.pytest_side.golden_run import GoldenRun
from pytest_retrieval.pytest_side.loose_ends import golden_files_of, is_of
from pytest_retrieval.pytest_side.options import Settings
from pytest_retrieval.pytest_side.plan import Plan, shown
from pytest_retrieval.pytest_side.target_branch import TargetBranch
from pytest_retrieval.reporting.update_table import accepted_changes

_SAME = 0.5  # of a baseline's questions: a golden set that was moved, and perhaps changed on the way


def take_from(
    target: TargetBranch,
    places: Mapping[Path, GoldenRun],
    plans: Collection[Plan],
    settings: Settings,
    root: Path,
) -> list[str]:
    """Let each run be compared with the target branch's baseline, and tell what this branch's own accepts.

    ``places`` are this branch's baselines, ``plans`` all golden sets of the session. Returns those of
    the target branch that belong to nothing here any more, relative to the root: their golden set,
    or its retriever, is gone.
    """
    there = {path for path in target.baselines(root) if not path.name.endswith(SUFFIX)}
    taken = {}
    for place, run in places.items():
        if (found := _its_place(run.plan, place, there, target, settings, root)) is not None:
            taken[found] = run
    unclaimed = there - taken.keys()
    gone = {path for path in unclaimed if _is_gone(path, plans, target, settings, root)}
    # Another folder's baselines may be another root's, or what this branch left behind.
    elsewhere = {path for path in unclaimed if not path.is_relative_to(settings.baseline_folder(root))}
    for place, run in places.items():
        if run in taken.values():
            continue
        moved = _same_questions(run.plan, gone | elsewhere, target, root)
        if moved is None:
            where = shown(place, root)
            run.notes = (f"{where} is new since {target}: compared with this branch's own copy",)
        else:
            gone.discard(moved)
            elsewhere.discard(moved)
            taken[moved] = run
            run.notes = (f"moved: {shown(moved, root)} at {target} holds the same questions",)
    for path, run in taken.items():
        theirs = _read_at(target, path, root)
        assert theirs is not None
        own = run.baseline.means if run.baseline else {}
        run.target, run.notes = str(target), (*run.notes, *accepted_changes(theirs.means, own))
        run.baseline, run.anchor = theirs, _read_at(target, anchor_path(path), root)
    return sorted(shown(path, root) for path in gone)


def _its_place(
    plan: Plan, place: Path, there: Collection[Path], target: TargetBranch, settings: Settings, root: Path
) -> Path | None:
    """Where the target branch keeps a golden set's baseline, under whichever name of its retriever."""
    if place in there or target.content(place) is not None:  # one too damaged to be known as a baseline
        return place
    folder = settings.baseline_folder(root)
    for path in sorted(path for path in there if is_of(path, plan.plain_baseline, folder, root)):
        theirs = _read_at(target, path, root)
        if theirs is not None and theirs.retriever == plan.retriever:
            return path
    return None


def _is_gone(
    path: Path, plans: Collection[Plan], target: TargetBranch, settings: Settings, root: Path
) -> bool:
    """Whether nothing here answers for a baseline of the target branch that nobody claimed."""
    folder = settings.baseline_folder(root)
    if not path.is_relative_to(folder):
        return path.is_relative_to(root) and not path.exists()
    of_its_file = [plan for plan in plans if is_of(path, plan.plain_baseline, folder, root)]
    if not of_its_file:
        return not _is_held(path.relative_to(folder), root)
    if "retriever" in settings.flags:
        return False  # a retriever that was not chosen this time has not left the header
    theirs = _read_at(target, path, root)
    if theirs is None or path != of_its_file[0].plain_baseline:
        return True
    # The plain file of before there were several is held by the one that has its retriever.
    return theirs.retriever not in {plan.retriever for plan in of_its_file if plan.variant is not None}


def _is_held(baseline: Path, root: Path) -> bool:
    """Whether a golden set lies where a baseline belongs; an emptied file is none."""
    for path in golden_files_of(baseline, root):
        try:
            return bool(read_golden(path, Role.FOUND))
        except NotGoldenError:
            continue
        except InputError:
            return True  # its own mistake is told where it is collected
    return False


def _same_questions(plan: Plan, gone: Collection[Path], target: TargetBranch, root: Path) -> Path | None:
    """The baseline that holds a golden set's questions, None where none holds half of its own."""
    today = {(query.id, fingerprint(query)) for query in plan.golden.queries}
    fits: dict[Path, tuple[bool, float]] = {}
    for path in sorted(gone):
        theirs = _read_at(target, path, root)
        if theirs is not None and theirs.rows:
            share = sum((row.id, row.text) in today for row in theirs.rows) / len(theirs.rows)
            fits[path] = (theirs.retriever == plan.retriever, share)
    return max((path for path in fits if fits[path][1] >= _SAME), key=fits.__getitem__, default=None)


def _read_at(target: TargetBranch, path: Path, root: Path) -> Baseline | None:
    content = target.content(path)
    try:
        return None if content is None else parse_baseline(content, f"{shown(path, root)} at {target}")
    except BaselineError as error:
        raise pytest.UsageError(str(error)) from None
