"""Which files are golden sets: by name, by option, or because someone named them."""

from __future__ import annotations

import fnmatch
import os
from collections.abc import Callable, Collection, Mapping, Sequence
from enum import Enum
from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pytest_retrieval.golden.naming import SUFFIXES, is_golden_name
from pytest_retrieval.pytest_side.options import SETTINGS

if TYPE_CHECKING:
    from pytest_retrieval.golden.model import GoldenSet
    from pytest_retrieval.pytest_side.plan import Plan

PLANS = pytest.StashKey[dict[str, "tuple[Plan, ...]"]]()
"""The golden sets that this process collected, by their files' node ids: one plan per retriever."""

OFFERED = pytest.StashKey[list[str]]()
"""The node ids of the files that this process was offered as golden sets, collected or not."""


class Role(Enum):
    """How a file is read: FOUND may turn out to be no golden set, STRICT may not."""

    FOUND = "found"
    STRICT = "strict"
    NAMED_OTHERWISE = "named otherwise"
    """Named on the command line under a name that says nothing: another plugin's file, perhaps."""


_NAMED = pytest.StashKey[frozenset[Path]]()
_OUTPUT = "retrieval_offered"


def role_of(path: Path, config: pytest.Config) -> Role | None:
    """How to read ``path``, None where it is no business of ours."""
    if path.suffix.lower() not in SUFFIXES:
        return None
    settings = config.stash[SETTINGS]
    named = path in _named_files(config)
    wanted = named or settings.asked_by_flag or settings.value("run", "always") == "always"
    if not wanted:
        return None
    globs: tuple[str, ...] = settings.value("files", ())
    if globs and any(fits(Path(os.path.relpath(path, config.rootpath)).as_posix(), glob) for glob in globs):
        return Role.STRICT
    if is_golden_name(path.name):
        return Role.STRICT if named else Role.FOUND
    return Role.NAMED_OTHERWISE if named else None


def send_offered(config: pytest.Config) -> None:
    """A worker of pytest-xdist tells which golden sets it was offered: its controller sees items only."""
    config.workeroutput[_OUTPUT] = config.stash.get(OFFERED, [])  # type: ignore[attr-defined]


def received_offered(node: object) -> Collection[str]:
    """What a worker sent, nothing where it died."""
    output: Mapping[str, Collection[str]] = getattr(node, "workeroutput", {})
    return output.get(_OUTPUT, ())


def read_golden(path: Path, role: Role) -> GoldenSet | None:
    """The golden set in a file, None for a file that was named and belongs to somebody else.

    Raises GoldenError; NotGoldenError where a file that was found by its name holds no queries.
    """
    from pytest_retrieval.golden.errors import GoldenError, NotGoldenError
    from pytest_retrieval.golden.fields import mentions_labels
    from pytest_retrieval.golden.reader import load_golden

    try:
        return load_golden(path, check_documents=False)
    except GoldenError as error:
        foreign = isinstance(error, NotGoldenError) or not mentions_labels(path)
        if role is Role.NAMED_OTHERWISE and foreign:
            return None
        raise


def plans_of(name: str, config: pytest.Config) -> tuple[Plan, ...]:
    """The golden set behind a file's node id, per retriever; none where the file is none of ours.

    Workers collected it, not this process, when pytest-xdist distributes the items. Raises UsageError.
    """
    collected = config.stash.get(PLANS, {}).get(name, ())
    path = config.rootpath / name
    role = role_of(path, config)
    if collected or role is None:
        return collected
    from pytest_retrieval.golden.errors import InputError, NotGoldenError
    from pytest_retrieval.pytest_side.plan import make_plans

    try:
        golden = read_golden(path, role)
        return () if golden is None else make_plans(name, golden, config.stash[SETTINGS], config.rootpath)
    except NotGoldenError:
        return ()  # its items are another plugin's
    except InputError as error:
        raise pytest.UsageError(str(error)) from None


def fits(name: str, glob: str) -> bool:
    """Whether a path relative to the root, with forward slashes, fits a glob of ``retrieval_files``."""
    return _fit(name.split("/"), glob.replace(os.sep, "/").removeprefix("./").split("/"))


def file_of(node_id: str, is_file: Callable[[str], bool]) -> str:
    """The file's part of a node id; ``::`` in the name of a folder is no end of it."""
    parts = node_id.split("::")
    return next((name for name in accumulate(parts, "{}::{}".format) if is_file(name)), parts[0])


def _fit(names: Sequence[str], patterns: Sequence[str]) -> bool:
    """Whether a path fits a glob, name by name; ``**`` stands for any number of folders, also none."""
    if not patterns:
        return not names
    if patterns[0] == "**":
        return any(_fit(names[skipped:], patterns[1:]) for skipped in range(len(names)))
    return bool(names) and fnmatch.fnmatchcase(names[0], patterns[0]) and _fit(names[1:], patterns[1:])


def is_below_arguments(path: Path, config: pytest.Config) -> bool:
    """Whether the command line asked for this file; pytest offers the neighbours of a named file, too."""
    folder = config.invocation_params.dir
    exists = cache(lambda name: (folder / name).exists())
    asked = {Path(os.path.normpath(folder / file_of(str(one), exists))) for one in config.args}
    return not asked.isdisjoint((path, *path.parents))


def _named_files(config: pytest.Config) -> frozenset[Path]:
    """The files among the command line's arguments, node ids included."""
    if _NAMED not in config.stash:
        folder = config.invocation_params.dir
        names = (file_of(str(argument), lambda name: (folder / name).is_file()) for argument in config.args)
        paths = (folder / name for name in names)
        config.stash[_NAMED] = frozenset(Path(os.path.normpath(path)) for path in paths if path.is_file())
    return config.stash[_NAMED]
