"""What is asked of golden sets in vain: selections of nothing, gates that cannot fail."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from pytest_retrieval.pytest_side.options import Settings

if TYPE_CHECKING:
    from pytest_retrieval.pytest_side.plan import Plan

_SHOWN = 10
_FIELDS = {"kind": "kind", "tag": "tags", "split": "split"}


def without_a_query(config: pytest.Config, settings: Settings, plans: Collection[Plan]) -> str:
    """What this command line asked where no query was selected; an ini file asks for none.

    ``plans`` are those of all golden sets: where the declared filters fit none of their queries, that
    is told, whoever declared them.
    """
    if plans and settings.population and not any(plan.asked for plan in plans):
        every = [replace(plan, queries=plan.golden.queries) for plan in plans]
        return _first_idle(every, settings) or f"not evaluated: {_filters(settings)} select no query together"
    if settings.update:
        return "no baseline was written: no query of a golden set was selected"
    flags = ["--retrieval-baseline"] if config.getoption("retrieval_baseline") else []
    flags += ["--retrieval-baseline-ref"] if "baseline-ref" in settings.flags else []
    flags += [f"--retrieval-{name}" for name in settings.population if name in settings.flags]
    if not flags:
        return ""
    given = f"{' and '.join(flags)} {'were' if len(flags) > 1 else 'was'} given"
    return f"not evaluated: {given}, and no query of a golden set was selected"


def refuse_idle_filters(plans: Collection[Plan], settings: Settings, *, whole: bool) -> None:
    """Each value of a declared filter selects a query, or it is mistyped; raises UsageError.

    ``whole`` tells that the command line chose no files: only then an ini file's values must all occur.
    """
    fields = [field for field in settings.population if field in settings.flags or whole]
    if told := _first_idle(plans, settings, fields):
        raise pytest.UsageError(told)


def _first_idle(plans: Collection[Plan], settings: Settings, fields: Collection[str] = tuple(_FIELDS)) -> str:
    for field in fields:
        for value in settings.population.get(field, ()):
            if not any(value in query.values(_FIELDS[field]) for plan in plans for query in plan.asked):
                return _no_such(field, value, plans, settings)
    return ""


def _filters(settings: Settings) -> str:
    return " and ".join(
        f"--retrieval-{field}={','.join(values)}" for field, values in settings.population.items()
    )


def never_fails(plan: Plan) -> Iterator[str]:
    """One line where no comparison of the set can end in a regression."""
    from pytest_retrieval.gating.power import can_never_fail
    from pytest_retrieval.reporting.advice import never_fails

    queries = sum(query.answerable for query in plan.queries)
    if plan.is_gated and can_never_fail(queries, plan.policy):
        yield f"{plan.name}: {never_fails(queries, plan.policy)}"


def _no_such(field: str, value: str, plans: Collection[Plan], settings: Settings) -> str:
    from pytest_retrieval.reporting.printable import harmless

    place = f"--retrieval-{field}" if field in settings.flags else f"retrieval_{field}"
    files = ", ".join(dict.fromkeys(plan.name for plan in plans))
    queries = [query for plan in plans for query in plan.golden.queries]
    known = list(dict.fromkeys(there for query in queries for there in query.values(_FIELDS[field])))
    more = f" and {len(known) - _SHOWN} more" if len(known) > _SHOWN else ""
    together = " together with the other filters" if value in known else ""
    return harmless(
        f"{place}: {value!r} selects no query of {files}{together}; nothing was asked. "
        f"{field.capitalize()}s there: {', '.join(known[:_SHOWN]) or 'none'}{more}"
    )
