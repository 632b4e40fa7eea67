"""Queries asked before their turn: pytest runs one item at a time, a retriever may answer several.

When a query's turn comes and it was not asked yet, the block that starts with it is asked as a
whole: the queries of the same golden set that this process is sure to run next. Nothing is asked
while other tests run, and never more than one block in advance.

Under pytest-xdist a worker is sure of two items only, the current one and the next: what is
queued behind them may still be given to another worker. So no query is asked twice.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING

import pytest

from pytest_retrieval.pytest_side.asking import Source, asker_for
from pytest_retrieval.retrieval.blocks import Answer, Caller, needs_threads, prepare_caller
from pytest_retrieval.retrieval.threads import Threads

if TYPE_CHECKING:
    from pytest_retrieval.pytest_side.collection import QueryItem

# With such a mark an item may not run at all.
_PERHAPS_NOT_RUN = frozenset({"skip", "skipif", "xfail"})


@dataclass
class _Desk:
    """The answers of one retriever to one golden set in this process; ``asked`` holds node ids."""

    caller: Caller
    waiting: dict[str, Answer] = field(default_factory=dict)
    asked: set[str] = field(default_factory=set)


_DESKS = pytest.StashKey[dict[Source, _Desk]]()
_THREADS = pytest.StashKey[dict[int, Threads]]()
_NEXT = pytest.StashKey["pytest.Item | None"]()


class NextItem:
    """Remembers which item follows, in a worker of pytest-xdist."""

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item, nextitem: pytest.Item | None) -> None:
        """The next item has left the queue: nobody else will run it."""
        item.config.stash[_NEXT] = nextitem


def watch_workers_queue(config: pytest.Config) -> None:
    """Learn what follows each item; without pytest-xdist the session knows."""
    if hasattr(config, "workerinput") and not config.pluginmanager.has_plugin("retrieval-next"):
        config.pluginmanager.register(NextItem(), "retrieval-next")


def prepare_desk(item: QueryItem, source: Source) -> None:
    """Build a retriever where that was not done yet; raises what building it raised."""
    asker = asker_for(item, source)
    desks = item.config.stash.setdefault(_DESKS, {})
    if source not in desks:
        plan = item.plan
        threads = _threads(item.config, plan.manner.concurrency) if needs_threads(plan.manner) else None
        caller = prepare_caller(asker, plan.depth, plan.document_id, plan.manner, threads)
        desks[source] = _Desk(caller)


def answer_to(item: QueryItem, source: Source) -> Answer:
    """The answer to an item's query: one that waits, or one asked for now with the block behind it."""
    desk = item.config.stash[_DESKS][source]
    waiting = desk.waiting.pop(item.nodeid, None)
    if waiting is not None:
        return waiting
    block = [item]
    if item.nodeid not in desk.asked:  # or it is run again, and wants an answer of its own
        block += islice(_following(item, desk), desk.caller.block - 1)
    answers = desk.caller.ask([one.query for one in block])
    desk.asked.update(one.nodeid for one in block)
    desk.waiting.update({one.nodeid: answer for one, answer in zip(block[1:], answers[1:], strict=True)})
    return answers[0]


def _following(item: QueryItem, desk: _Desk) -> Iterator[QueryItem]:
    """The items behind this one that ask for the same golden set, and were not asked yet."""
    if desk.caller.block == 1:
        return
    for other in _items_behind(item):
        if (
            isinstance(other, type(item))
            and other.source is item.source
            and other.retrieval_run == item.retrieval_run
            and other.nodeid not in desk.asked
            and not any(mark.name in _PERHAPS_NOT_RUN for mark in other.iter_markers())
        ):
            yield other


def _items_behind(item: pytest.Item) -> list[pytest.Item]:
    if _NEXT in item.config.stash:
        following = item.config.stash[_NEXT]
        return [] if following is None else [following]
    items = item.session.items
    # Another plugin may run items of its own.
    return items[items.index(item) + 1 :] if item in items else []


def _threads(config: pytest.Config, size: int) -> Threads:
    """The threads of this session, as many as may call at a time."""
    kept = config.stash.setdefault(_THREADS, {})
    if size not in kept:
        kept[size] = Threads(size)
        config.add_cleanup(kept[size].close)
    return kept[size]
