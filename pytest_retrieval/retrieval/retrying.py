"""Further tries after a declared exception, with growing waits between them; tenacity does the counting."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from importlib import import_module
from typing import TypeVar

from pytest_retrieval.retrieval.calling import BadRetriever
from pytest_retrieval.retrieval.manner import Manner

T = TypeVar("T")

LONGEST_WAIT = 60.0

Again = Callable[[Callable[[], T]], T]
"""Repeats a call that never raises until its result holds no declared exception."""


def prepare_retries(
    manner: Manner,
    error_in: Callable[[T], BaseException | None],
    sleep: Callable[[float], None] | None = None,
) -> Again[T] | None:
    """A function that repeats calls, None where nothing is to be repeated.

    ``error_in`` finds the exception in the result of a call.

    Raises:
        BadRetriever: tenacity is not installed, or ``retry_on`` names what is no exception.
    """
    if not manner.retries:
        return None
    try:
        import tenacity
    except ModuleNotFoundError:
        raise BadRetriever(
            'retries need the package tenacity; run: pip install "pytest-retrieval[retries]"'
        ) from None
    kinds = tuple(_exception(name) for name in manner.retry_on)
    # Errors are looked for in results: tenacity's own frames stay out of the tracebacks.
    tries = tenacity.Retrying(
        sleep=sleep or tenacity.nap.sleep,
        stop=tenacity.stop_after_attempt(manner.retries + 1),
        wait=tenacity.wait_exponential(multiplier=manner.retry_wait, max=LONGEST_WAIT)
        + tenacity.wait_random(0, manner.retry_wait),
        retry=tenacity.retry_if_result(lambda result: isinstance(error_in(result), kinds)),
        retry_error_callback=lambda state: state.outcome.result() if state.outcome else None,
    )

    def again(call: Callable[[], T]) -> T:
        last: T = tries(call)
        return last

    return again


def _exception(name: str) -> type[BaseException]:
    module, _, attribute = name.rpartition(".")
    try:
        found = getattr(import_module(module) if module else builtins, attribute)
    except (ImportError, AttributeError, ValueError) as error:
        raise BadRetriever(
            f"retry_on names {name!r}, which cannot be imported ({error}); "
            "expected a builtin such as ConnectionError, or package.module.Exception"
        ) from None
    if not isinstance(found, type) or not issubclass(found, Exception):
        raise BadRetriever(f"retry_on names {name!r}, which is no exception")
    return found
