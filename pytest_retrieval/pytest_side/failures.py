"""One traceback for many queries that fail in the same way."""

from __future__ import annotations

from collections.abc import Hashable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pytest_retrieval.pytest_side.collection import QueryItem

_OURS = Path(__file__).resolve().parents[1]
_TOLD = pytest.StashKey[dict[Hashable, "QueryItem"]]()


def told_by(item: QueryItem, excinfo: pytest.ExceptionInfo[BaseException]) -> QueryItem | None:
    """The item that shows a failure of this type at this place already, None where this one is to show it.

    Two failures are alike when the same retriever raised the same type at the same lines.
    """
    frames = frames_of_others(excinfo)
    lines = tuple((str(entry.path), entry.lineno) for entry in frames or ())
    way = (item.source.key, type(excinfo.value), lines or str(excinfo.value))
    first = item.config.stash.setdefault(_TOLD, {}).setdefault(way, item)
    return None if first is item else first


def forget(item: QueryItem) -> None:
    """What an item showed counts no more: it is run again, and its failure may never be seen."""
    told = item.config.stash.get(_TOLD, {})
    for way in [way for way, first in told.items() if first is item]:
        del told[way]


def frames_of_others(excinfo: pytest.ExceptionInfo[BaseException]) -> Any:
    """The traceback from the first frame that is neither ours nor pytest's, None where all are."""
    for position, entry in enumerate(excinfo.traceback):
        path = Path(str(entry.path))
        ours = _OURS in path.parents and "adapters" not in path.parts
        if not ours and "_pytest" not in path.parts and "pluggy" not in path.parts:
            return type(excinfo.traceback)(excinfo.traceback[position:])
    return None
