"""Which search library an object comes from, told by the names of its classes: nothing is imported."""

from __future__ import annotations


def origins(kind: type) -> frozenset[tuple[str, str]]:
    """``(library, class)`` for a class and its bases, such as ``("langchain_core", "Document")``.

    The library is the first part of the module's name, so that a class may move within it.
    """
    return frozenset((base.__module__.partition(".")[0], base.__name__) for base in kind.__mro__)
