"""Random subsets of the queries, the same for every metric, slice and opponent.

Whether a query is in a draw is one bit of SHAKE-256 over a fixed seed, the number of a block of
draws and the query's id. So there is no generator whose stream could change, and no order: a
query is drawn alike whatever else is in the family, in the file or in the session.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

DRAWS = 10_000
"""Draws in a block; at p = 0.05 the standard error of one block is 0.002."""

_SEED = "pytest-retrieval sign flips"
_TOGETHER = 8  # queries looked up at once: one byte tells which of them are in a draw


def subset_sums(u: NDArray[np.int64], ids: Sequence[str], block: int = 0) -> NDArray[np.int64]:
    """The sums of ``u`` over every subset in a block of draws (int64, shape [hypotheses, DRAWS]).

    ``u`` (int64, shape [queries, hypotheses]) is 0 where a query is in no slice of a hypothesis;
    ``ids`` names its rows. Sums are whole numbers, exact while they stay below 2^63: neither
    the order of the rows nor that of the columns has any influence.
    """
    rows = np.flatnonzero(u.any(axis=1))
    # Queries of the same slices stand together, so that a lookup concerns few hypotheses.
    rows = rows[np.lexsort((u[rows] != 0).T)]
    eights = [rows[start : start + _TOGETHER] for start in range(0, len(rows), _TOGETHER)]
    sums = np.zeros((u.shape[1], DRAWS), np.int64)
    for concerned, group in groupby(eights, lambda some: tuple(np.flatnonzero(u[some].any(axis=0)))):
        together = np.zeros((DRAWS, len(concerned)), np.int64)
        looked_up = np.empty_like(together)
        for some in group:
            table = np.zeros((1, len(concerned)), np.int64)
            for values in u[np.ix_(some, concerned)]:
                table = np.concatenate([table, table + values])
            subset = _subsets([ids[row] for row in some], block)
            together += np.take(table, subset, axis=0, out=looked_up, mode="clip")
        sums[list(concerned)] += together.T
    return sums


def _subsets(ids: Sequence[str], block: int) -> NDArray[np.intp]:
    """For each draw which of up to eight queries are in it: bit i for the i-th."""
    subset = np.zeros(DRAWS, np.uint8)
    for place, query in enumerate(ids):
        seed = f"{_SEED}\0{block}\0{query}".encode("utf-8", "surrogatepass")
        bits = np.frombuffer(hashlib.shake_256(seed).digest(DRAWS // 8), np.uint8)
        subset |= np.unpackbits(bits) << np.uint8(place)
    return subset.astype(np.intp)
