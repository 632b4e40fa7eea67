"""A report in a format whose library is not installed."""

from __future__ import annotations


class MissingLibraryError(Exception):
    """A report needs a library that is not installed; the text says how to install it."""
