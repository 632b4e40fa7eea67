"""Random subsets of the queries, the same for every metric, slice and opponent.

Whether a query is in a draw is one bit of SHAKE-256 over a fixed seed, the number of a block of
draws and the query's id. So there is no generator whose stream could change, and no order: a
query is drawn alike whatever else is in the family, in the file or in the session.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

DRAWS = 10_000
"""Draws in a block; at p = 0.05 the standard error of one block is 0.002."""

_SEED = "pytest-retrieval sign flips"
_AT_ONCE = 128  # queries whose bits are held at once: 1.3 MB


def subset_sums(u: NDArray[np.int64], ids: Sequence[str], block: int = 0) -> NDArray[np.int64]:
    """The sums of ``u`` over every subset in a block of draws (int64, shape [hypotheses, DRAWS]).

    ``u`` (int64, shape [queries, hypotheses]) is 0 where a query is in no slice of a hypothesis;
    ``ids`` names its rows. Sums are whole numbers, exact while they stay below 2^63: neither
    the order of the rows nor that of the columns has any influence.
    """
    sums = np.zeros((u.shape[1], DRAWS), np.int64)
    # Queries of the same slices go together, so that a sum concerns few hypotheses.
    slices, members = np.unique(np.packbits(u != 0, axis=1), axis=0, return_inverse=True)
    for number in range(len(slices)):
        rows = np.flatnonzero(members.reshape(-1) == number).tolist()
        # A kind and all queries share their values: summed once, added to both.
        columns: dict[bytes, list[int]] = {}
        for column in np.flatnonzero(u[rows[0]]).tolist():
            columns.setdefault(u[rows, column].tobytes(), []).append(column)
        values = u[np.ix_(rows, [same[0] for same in columns.values()])]
        partial = _sums_over(values, [ids[row] for row in rows], block)
        for same, total in zip(columns.values(), partial.T, strict=True):
            sums[same] += total
    return sums


def _sums_over(values: NDArray[np.int64], ids: Sequence[str], block: int) -> NDArray[np.int64]:
    """The sums of each column of ``values`` (shape [queries, columns]) over every subset.

    Shape [DRAWS, columns].
    """
    sums = np.zeros((DRAWS, values.shape[1]), np.int64)
    looked_up = np.empty_like(sums)
    for start in range(0, len(ids), _AT_ONCE):
        subsets = _subsets(ids[start : start + _AT_ONCE], block)
        for place, subset in enumerate(subsets):
            some = values[start + 8 * place :][:8]
            table = _MEMBERS[:, : len(some)] @ some
            sums += np.take(table, subset, axis=0, out=looked_up, mode="clip")
    return sums


def _subsets(ids: Sequence[str], block: int) -> NDArray[np.intp]:
    """For every eight queries and each draw which of them are in it: bit i for the i-th.

    Shape [eights, DRAWS].
    """
    bits = np.zeros((-(-len(ids) // 8) * 8, DRAWS // 8), np.uint8)
    for row, query in enumerate(ids):
        seed = f"{_SEED}\0{block}\0{query}".encode("utf-8", "surrogatepass")
        bits[row] = np.frombuffer(hashlib.shake_256(seed).digest(DRAWS // 8), np.uint8)
    # Eight bytes, one a query, are a square of eight queries by eight draws: turned over its diagonal.
    square = np.ascontiguousarray(bits.reshape(-1, 8, DRAWS // 8).swapaxes(1, 2)).view("<u8")
    for distance, mask in _SWAPS:
        moved = (square ^ (square >> distance)) & mask
        square = square ^ moved ^ (moved << distance)
    # A digest's first draw is the highest bit of its byte.
    return square.view(np.uint8)[:, :, ::-1].reshape(len(square), DRAWS).astype(np.intp)


# Swaps of single bits, pairs and fours that transpose 8 x 8 bits (Warren, Hacker's Delight, 7-3).
_SWAPS = tuple(
    (np.uint64(distance), np.uint64(mask))
    for distance, mask in ((7, 0x00AA00AA00AA00AA), (14, 0x0000CCCC0000CCCC), (28, 0x00000000F0F0F0F0))
)
# Which of eight queries are in each of the 256 subsets, shape [256, 8].
_MEMBERS = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1, bitorder="little").astype(np.int64)
