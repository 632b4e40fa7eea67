"""Private queries: what a failure may say when no report is to hold their texts."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

import pytest

from pytest_retrieval.pytest_side.options import SETTINGS
from pytest_retrieval.pytest_side.private import log_handlers
from pytest_retrieval.pytest_side.values import ID, TEXT

_WITHHELD = "the rest is withheld, as it may hold the query's text (retrieval_report_text = id)"


_ASKING: ContextVar[bool] = ContextVar("asking private queries", default=False)


class WithheldError(Exception):
    """Stands in for an exception whose message, frames and arguments may hold a query's text."""


def is_private(config: pytest.Config) -> bool:
    """Whether the texts of queries are to stay out of every report."""
    return bool(config.stash[SETTINGS].value("report-text", TEXT) == ID)


@contextmanager
def withheld(private: bool) -> Iterator[None]:
    """Let nothing but the type of an exception through where the queries are private."""
    asking = _ASKING.set(private)
    try:
        yield
    except (KeyboardInterrupt, GeneratorExit):
        raise
    except BaseException as error:
        if not private:
            raise
        # The frames hold the text as an argument, so the new one must not lead back to them.
        if isinstance(error, pytest.exit.Exception):
            raise pytest.exit.Exception(_WITHHELD, error.returncode) from None
        if isinstance(error, (pytest.skip.Exception, pytest.xfail.Exception)):
            raise type(error)(_WITHHELD) from None
        raise WithheldError(f"{type(error).__name__}; {_WITHHELD}") from None
    finally:
        _ASKING.reset(asking)


def keep_logs_out(config: pytest.Config) -> None:
    """Keep what is logged while queries are asked out of pytest's live log and log file."""
    for handler in log_handlers(config):
        handler.addFilter(_is_harmless)  # the same filter is not added twice


def _is_harmless(record: logging.LogRecord) -> bool:
    # A thread may log a query after it was given up, as may a server that the tests started.
    return not _ASKING.get() and record.thread == threading.main_thread().ident
