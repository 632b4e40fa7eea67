"""A run's result read back from the JSON report, for writers that start from a file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields
from typing import Any, TypeVar

from pytest_retrieval.gating.verdict import Verdict
from pytest_retrieval.reporting.json_report import FORMAT
from pytest_retrieval.reporting.result import ComparedRow, GateRow, MeanRow, QueryResult, RunResult, SetResult
from pytest_retrieval.scoring.repeats import Noise

T = TypeVar("T")


def run_result(data: Mapping[str, Any]) -> RunResult:
    """What :func:`~pytest_retrieval.reporting.json_report.report_data` was made from.

    Fields that an older report lacks take their defaults, and unknown ones are passed over; the
    queries' values of further fields are not in a report. Raises ValueError for what is no report.
    """
    if not isinstance(data, Mapping) or data.get("format") != FORMAT:
        raise ValueError(f"expected a report of the format {FORMAT}")
    try:
        sets = tuple(_set(row) for row in data["sets"])
        left_out = tuple(map(str, data.get("left_out", ())))
        return RunResult(sets, str(data["status"]), complete=bool(data["complete"]), left_out=left_out)
    except (AttributeError, KeyError, TypeError) as error:
        raise ValueError(f"expected the fields of the format {FORMAT} ({error})") from None


def _set(row: Mapping[str, Any]) -> SetResult:
    noise = row.get("noise")
    parts = {
        "queries": tuple(_known(QueryResult, query) for query in row["queries"]),
        "means": tuple(_known(MeanRow, mean) for mean in row["means"]),
        "gates": tuple(GateRow(gate["node"], _known(Verdict, gate)) for gate in row["gates"]),
        "compared": tuple(_known(ComparedRow, one) for one in row.get("compared", ())),
        "noise": _known(Noise, noise) if noise else None,
        "target": row.get("baseline_ref"),
        "local": tuple(_known(QueryResult, query) for query in row.get("local_queries", ())),
        "local_means": row.get("local", {}).get("metrics", {}),
    }
    return _known(SetResult, {**row, **parts})


def _known(kind: type[T], row: Mapping[str, Any]) -> T:
    """A frozen dataclass from those entries that it knows."""
    names = {field.name for field in fields(kind)}  # type: ignore[arg-type]
    return kind(**{name: _frozen(value) for name, value in row.items() if name in names})


def _frozen(value: Any) -> Any:
    """JSON's lists as tuples."""
    if isinstance(value, Mapping):
        return {key: _frozen(item) for key, item in value.items()}
    if isinstance(value, Iterable) and not isinstance(value, str):
        return tuple(_frozen(item) for item in value)
    return value
