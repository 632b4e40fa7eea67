"""One claim that is to be refuted, as a member of a family."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import compress

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class Hypothesis:
    """One claim of a family: "the sum of ``u`` is really 0 or more", and its own p.

    ``u`` (int64, shape [queries], any unit) holds difference plus margin per query, ``ids``
    the queries in the same order, ascending: all that a method needs which flips the signs of a
    query in every hypothesis at once.
    """

    p: float
    u: NDArray[np.int64]
    ids: tuple[str, ...]

    def essence(self) -> tuple[tuple[str, ...], bytes]:
        """The queries with a u other than 0, and u in its largest whole unit: equal for equal claims."""
        moved = self.u != 0
        unit = int(np.gcd.reduce(self.u)) or 1
        return tuple(compress(self.ids, moved)), (self.u[moved] // unit).tobytes()
