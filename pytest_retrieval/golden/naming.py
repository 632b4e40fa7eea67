"""The file names under which golden sets are found; imports nothing heavy, on purpose."""

from __future__ import annotations

from pathlib import PurePath

SUFFIXES = (".yaml", ".yml", ".jsonl")


def is_golden_name(name: str) -> bool:
    """Whether a file of this name is looked at: ``golden.*``, ``golden_*.*``, ``*.golden.*``.

    The suffix must be one of :data:`SUFFIXES`; ``*.local.*`` and hidden files are passed over.
    """
    file = PurePath(name)
    if file.suffix.lower() not in SUFFIXES or ".local." in file.name or file.name.startswith("."):
        return False
    return file.name.startswith(("golden.", "golden_")) or ".golden." in file.name
