"""How fast the queries of a long run are answered, and how long the rest will take."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Collection
from typing import Any

import pytest

FIRST, EVERY = 5.0, 15.0
"""Seconds until the first line and between two; a short run says nothing."""

_SOON = 2.0  # seconds for which nobody needs a forecast


class Progress:
    """Counts answers and tells the rate from time to time. ``clock`` gives seconds.

    The time until the first answer, in which an index may be built, is no part of the rate.
    """

    def __init__(self, total: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.total, self._clock = total, clock
        self._done = 0
        self._start = self._due = 0.0

    def count(self) -> str:
        """Count one answer; the line to show now, empty for none."""
        now = self._clock()
        self._done += 1
        if self._done == 1:
            self._start, self._due = now, now + FIRST
        if now < self._due or self._done == 1:
            return ""
        self._due = now + EVERY
        rate = (self._done - 1) / max(now - self._start, 1e-9)
        left = (self.total - self._done) / rate
        if left < _SOON:
            return ""
        return f"{self._done} of {self.total} queries, {_rate(rate)}, about {_duration(left)} left"


def _rate(per_second: float) -> str:
    if per_second >= 1:
        return f"{per_second:.{0 if per_second >= 10 else 1}f} queries per second"
    return f"{1 / per_second:.1f} seconds per query"


def _duration(seconds: float) -> str:
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    minutes = whole // 60
    return f"{minutes} min {whole % 60} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"


def tell_progress(config: pytest.Config, nodes: Collection[str]) -> None:
    """Show the progress of the queries at these nodes, where somebody watches.

    A terminal must be attached, which a build server's log is not.
    """
    reporter: Any = config.pluginmanager.get_plugin("terminalreporter")
    watched = reporter is not None and reporter.isatty and reporter.verbosity >= 0
    if watched and not any(os.environ.get(name) for name in ("CI", "BUILD_NUMBER")):
        config.pluginmanager.register(_Lines(reporter, frozenset(nodes)), "retrieval-progress")


class _Lines:
    """Puts a line between the dots from time to time."""

    def __init__(self, reporter: Any, nodes: frozenset[str]) -> None:
        self._reporter, self._nodes = reporter, nodes
        self._progress = Progress(len(nodes))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Count a query when it is closed."""
        if report.when != "teardown" or report.nodeid not in self._nodes:
            return
        text = self._progress.count()
        if text:
            # Not the reporter's own way, which would forget the file whose dots go on below.
            writer = self._reporter._tw
            if writer.width_of_current_line:
                writer.line()
            writer.line(f"  {text}", cyan=True)
