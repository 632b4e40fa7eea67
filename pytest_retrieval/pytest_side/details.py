"""What junit and pytest-html show beside a test: the scores of a query, the numbers of a gate."""

from __future__ import annotations

import html
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import pytest

from pytest_retrieval.pytest_side.node_names import node_name
from pytest_retrieval.pytest_side.withholding import is_private

if TYPE_CHECKING:
    from pytest_retrieval.golden.model import Query
    from pytest_retrieval.pytest_side.outcome import Outcome
    from pytest_retrieval.pytest_side.plan import Plan
    from pytest_retrieval.reporting.result import GateRow

Properties = list[tuple[str, object]]
"""Names with builtin values, as pytest keeps them on a report."""

_SHOWN = 5


def add_query_details(
    config: pytest.Config, report: pytest.TestReport, plan: Plan, query: Query, outcome: Outcome | None
) -> None:
    """Put a query's scores on the report that closes it, where somebody reads them.

    Done by the process that writes the files: nothing more has to travel from a worker.
    """
    if outcome is None or not _is_read(config):
        return
    report.user_properties += _of_query(plan, query, outcome)
    if _has_page(config):
        # pytest-html's name for what it shows beside a test
        vars(report)["extras"] = [*getattr(report, "extras", []), _extra(config, plan, query, outcome)]


def gate_properties(gates: Iterable[GateRow]) -> Properties:
    """``retrieval.recall@5.before`` and the like, for all gates of one node.

    The slice stands in the name where it is not a kind's own, and what it is held against where that
    is not the baseline.
    """
    found: Properties = []
    for gate in gates:
        verdict = gate.verdict
        place = () if set(verdict.slice) <= {"kind"} else (node_name(_label(verdict.slice)),)
        against = () if verdict.against == "baseline" else (verdict.against,)
        head = ".".join(("retrieval", *place, *against, verdict.metric))
        low, high = verdict.interval or (None, None)
        numbers = {
            "verdict": verdict.verdict,
            "n": verdict.n,
            "before": verdict.before,
            "after": verdict.after,
            "difference": verdict.difference,
            "interval_low": low,
            "interval_high": high,
            "margin": verdict.margin,
            "floor": verdict.floor,
            "p": verdict.p,
            "p_adjusted": verdict.p_adjusted,
        }
        found += [(f"{head}.{name}", value) for name, value in numbers.items() if value is not None]
    return found


def _label(slice_: Any) -> str:
    if set(slice_) == {"kinds"}:
        return "small_kinds"
    return ",".join(f"{name}={value}" for name, value in slice_.items())


def _is_read(config: pytest.Config) -> bool:
    return bool(config.getoption("xmlpath", None)) or _has_page(config)


def _has_page(config: pytest.Config) -> bool:
    """Whether pytest-html writes a page in this process."""
    return bool(config.getoption("htmlpath", None)) and "pytest_html" in sys.modules


def _of_query(plan: Plan, query: Query, outcome: Outcome) -> Properties:
    found: Properties = [("retrieval.outcome", outcome.outcome), ("retrieval.kind", node_name(query.kind))]
    return [*found, *((f"retrieval.{metric}", score) for metric, score in _scores(plan, query, outcome))]


def _scores(plan: Plan, query: Query, outcome: Outcome) -> list[tuple[str, float]]:
    if outcome.outcome != "scored" or not query.answerable:
        return []
    from pytest_retrieval.scoring.metrics import score_rankings

    scores = score_rankings([outcome.ranked], [query.relevant], plan.metrics)
    return [(metric, float(values[0])) for metric, values in scores.items()]


def _extra(config: pytest.Config, plan: Plan, query: Query, outcome: Outcome) -> object:
    """A few lines of HTML with all foreign text escaped."""
    from pytest_html import extras

    wanted = sorted((-grade, document) for document, grade in query.relevant.items() if grade > 0)
    rows = [
        *([] if is_private(config) else [("query", query.text)]),
        *((metric, f"{score:.3f}") for metric, score in _scores(plan, query, outcome)),
        ("expected", _listed([document for _, document in wanted])),
        ("got", _listed(outcome.ranked)),
    ]
    cells = "".join(
        f"<tr><td>{html.escape(name)}</td><td>{html.escape(text)}</td></tr>" for name, text in rows
    )
    return extras.html(f"<table>{cells}</table>")


def _listed(documents: Sequence[str]) -> str:
    more = len(documents) - _SHOWN
    return (", ".join(documents[:_SHOWN]) + (f" and {more} more" if more > 0 else "")) or "nothing"
