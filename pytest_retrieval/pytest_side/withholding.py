"""Private queries: what a failure may say when no report is to hold their texts."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from pytest_retrieval.pytest_side.options import SETTINGS
from pytest_retrieval.pytest_side.values import ID, TEXT


class WithheldError(Exception):
    """Stands in for an exception whose message, frames and arguments may hold a query's text."""


def is_private(config: pytest.Config) -> bool:
    """Whether the texts of queries are to stay out of every report."""
    return bool(config.stash[SETTINGS].value("report-text", TEXT) == ID)


@contextmanager
def withheld(private: bool) -> Iterator[None]:
    """Let nothing but the type of an exception through where the queries are private."""
    try:
        yield
    except Exception as error:
        if not private:
            raise
        # The frames hold the text as an argument, so the new one must not lead back to them.
        raise WithheldError(
            f"{type(error).__name__}; the rest is withheld, as it may hold the query's text "
            "(retrieval_report_text = id)"
        ) from None
