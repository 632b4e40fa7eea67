"""How a retriever is asked: how many calls at a time, for how long, and how often again."""

from __future__ import annotations

from dataclasses import dataclass

TOGETHER = 64
"""How many texts go into one call of ``search_batch``."""
ROUNDS = 4
"""How many calls per thread are asked in advance."""

DEFAULT_RETRY_ON = ("ConnectionError", "TimeoutError")
DEFAULT_RETRY_WAIT = 0.5


@dataclass(frozen=True, slots=True)
class Manner:
    """The agreement on calls.

    ``concurrency`` is the largest number of calls at a time (1 or more), ``timeout`` the seconds
    that one of them may take, None for no limit. A call that raises one of the exceptions named in
    ``retry_on`` (dotted names, or those of builtins) is repeated up to ``retries`` times, first
    after about ``retry_wait`` seconds, then after twice as many, and so on.
    """

    concurrency: int = 1
    timeout: float | None = None
    retries: int = 0
    retry_on: tuple[str, ...] = DEFAULT_RETRY_ON
    retry_wait: float = DEFAULT_RETRY_WAIT
