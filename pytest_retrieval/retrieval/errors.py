"""What can be wrong with a retriever and with what it returned."""

from __future__ import annotations


class BadRetriever(Exception):  # noqa: N818 - a verdict on the user's object
    """The thing given as a retriever cannot be found, built or asked."""


class BadAnswer(Exception):  # noqa: N818 - a verdict on the user's value
    """A retriever returned something that cannot be read as a ranking."""
