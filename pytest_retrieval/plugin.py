"""The pytest entry point: hooks of a few lines, each forwarding to the room that does the work.

Nothing here imports numpy or yaml: a session without a golden set pays for reading the options only.
"""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pytest_retrieval.pytest_side import options

if TYPE_CHECKING:
    from pytest_retrieval.retrieval.caching import RetrievalCache


@pytest.hookimpl(wrapper=True)
def pytest_load_initial_conftests(
    early_config: pytest.Config, parser: pytest.Parser
) -> Generator[None, None, None]:
    """Offer the short update flag where nobody else does."""
    yield
    options.add_short_update_flag(early_config, parser)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Register the flags and ini keys."""
    options.add_options(parser)


def pytest_configure(config: pytest.Config) -> None:
    """Read the options; put a controller into the process that owns the exit status."""
    config.addinivalue_line(
        "markers", "retrieval: a query of a golden set (set by pytest-retrieval on its own items)"
    )
    config.stash[options.SETTINGS] = options.read_settings(config)
    if not hasattr(config, "workerinput"):
        from pytest_retrieval.pytest_side.controller import Controller

        config.pluginmanager.register(Controller(config), "retrieval-controller")


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Take the files that are golden sets."""
    from pytest_retrieval.pytest_side.discovery import OFFERED, role_of

    role = role_of(file_path, parent.config)
    if role is None:
        return None
    from pytest_retrieval.pytest_side.collection import GoldenFile

    file = GoldenFile.from_parent(parent, path=file_path, role=role)
    parent.config.stash.setdefault(OFFERED, []).append(file.nodeid)
    return file


# trylast: whoever shuffles has done so.
@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Ask every query once before any is asked again: what a whole run shares shows between runs."""
    if any(getattr(item, "retrieval_run", 0) for item in items):
        items.sort(key=lambda item: getattr(item, "retrieval_run", 0))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Let a query's outcome ride on its report."""
    report = yield
    # By name, since the class of our items is not imported before there are some.
    complete = getattr(item, "complete_retrieval_report", None)
    if complete is not None:
        complete(call, report)
    return report


def pytest_sessionfinish(session: pytest.Session) -> None:
    """A worker of pytest-xdist says which golden sets it saw."""
    if hasattr(session.config, "workeroutput"):
        from pytest_retrieval.pytest_side.discovery import send_offered

        send_offered(session.config)


@pytest.fixture(scope="session")
def retrieval_cache(pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory) -> RetrievalCache:
    """Build an index once for all workers, and keep it: retrieval_cache.build(name, key, build, load)."""
    from pytest_retrieval.pytest_side.cache_folder import cache_folder
    from pytest_retrieval.retrieval.caching import RetrievalCache

    return RetrievalCache(cache_folder(pytestconfig, tmp_path_factory))
