"""The machine-readable report: strict JSON whose field names are a promise."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict, is_dataclass
from numbers import Integral, Real
from pathlib import Path
from typing import Any

from pytest_retrieval.golden.whole_file import write_whole
from pytest_retrieval.reporting.result import GateRow, MeanRow, QueryResult, RunResult, SetResult

FORMAT = "pytest-retrieval-report/1"
DIGITS = 12
_ROWS = ("sets", "means", "gates", "queries", "local_queries")


def report_data(run: RunResult) -> dict[str, Any]:
    """The run as builtin types only, keys in a fixed order.

    Numbers are rounded to 12 digits; one that is not finite becomes None.
    """
    data = {
        "format": FORMAT,
        "status": run.status,
        "complete": run.complete,
        "left_out": run.left_out,
        "sets": [_set_data(result) for result in run.sets],
    }
    plain: dict[str, Any] = _plain(data)
    return plain


def write_report(path: Path, run: RunResult) -> None:
    """Write the report as strict JSON, UTF-8 with ``\\n``, in one step.

    Missing folders are created. Raises OSError when the file system refuses.
    """
    write_whole(path, _layout(report_data(run)) + "\n")


def _set_data(result: SetResult) -> dict[str, object]:
    return {
        "golden": result.golden,
        "retriever": result.retriever,
        "variant": result.variant,
        "baseline": result.baseline,
        "baseline_ref": result.target,
        "gated": result.gated,
        "labels": result.labels,
        "version": result.version,
        "population": result.population,
        "depth": result.depth,
        "document_id": result.document_id,
        "describe": result.describe,
        "metrics": result.metrics,
        "gate_metrics": result.gate_metrics,
        "confidence": result.confidence,
        "repeats": result.repeats,
        "max_errors": result.max_errors,
        "fail_on": result.fail_on,
        "noise": None if result.noise is None else asdict(result.noise),
        "queries_total": len(result.queries),
        "scored": result.count("scored"),
        "errors": result.count("error"),
        "not_run": result.count("not run"),
        "added": result.added,
        "removed": result.removed,
        "changed": result.changed,
        "relabelled": result.relabelled,
        "notes": result.notes,
        "latency": result.latency,
        "cost": result.cost,
        "means": [_mean_data(row) for row in result.means],
        "gates": [_gate_data(row) for row in result.gates],
        "compared": [asdict(row) for row in result.compared],
        "unanswerable": result.unanswerable,
        "context": result.context,
        "diagnosis": result.diagnosis,
        "local": {
            "files": list(dict.fromkeys(query.local for query in result.local)),
            "queries_total": len(result.local),
            **{
                name: sum(query.outcome == word for query in result.local)
                for name, word in (("scored", "scored"), ("errors", "error"), ("not_run", "not run"))
            },
            "metrics": result.local_means,
        },
        "queries": [_query_data(query) for query in result.queries],
        "local_queries": [_query_data(query) for query in result.local],
    }


def _mean_data(row: MeanRow) -> dict[str, object]:
    return {
        "slice": row.slice,
        "n": row.n,
        "metrics": row.metrics,
        "intervals": row.intervals,
        "hits": row.hits,
    }


def _gate_data(row: GateRow) -> dict[str, object]:
    verdict = row.verdict
    return {
        "node": row.node,
        "slice": verdict.slice,
        "metric": verdict.metric,
        "against": verdict.against,
        "n": verdict.n,
        "better": verdict.better,
        "worse": verdict.worse,
        "equal": verdict.equal,
        "before": verdict.before,
        "after": verdict.after,
        "difference": verdict.difference,
        "interval": verdict.interval,
        "margin": verdict.margin,
        "floor": verdict.floor,
        "p": verdict.p,
        "p_adjusted": verdict.p_adjusted,
        "detectable_drop": verdict.detectable_drop,
        "fewest_falls": verdict.fewest_falls,
        "judged_before": verdict.judged_before,
        "judged_after": verdict.judged_after,
        "verdict": verdict.verdict,
        "reason": verdict.reason,
    }


def _query_data(query: QueryResult) -> dict[str, object]:
    return {
        "id": query.id,
        "text": query.text,
        "kind": query.kind,
        "line": query.line,
        "local": query.local,
        "fingerprint": query.fingerprint,
        "outcome": query.outcome,
        "error": query.error,
        "answerable": query.answerable,
        "relevant": query.relevant,
        "ranked": query.ranked,
        "repeats": query.repeats,
        "baseline_ranked": query.baseline_ranked,
        "scores": query.scores,
        "baseline": query.baseline,
        "anchor": query.anchor,
        "must_failed": query.must_failed,
        "contract": query.contract,
        "missing": query.missing,
        "unjudged": query.unjudged,
        "seconds": query.seconds,
        "cost": query.cost,
        "exact": query.exact,
        "fields": query.fields,
        "places": query.places,
        "cited": query.cited,
        "top_score": query.top_score,
        "diagnosis": query.diagnosis,
    }


def _plain(value: object) -> Any:
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, Integral):
        return int(value)
    if isinstance(value, Real):
        # adding 0.0 turns -0.0 into 0.0
        return round(float(value), DIGITS) + 0.0 if math.isfinite(value) else None
    if is_dataclass(value) and not isinstance(value, type):
        value = asdict(value)
    if isinstance(value, Mapping):
        return {_text(key): _plain(item) for key, item in value.items()}
    if isinstance(value, Iterable) and not isinstance(value, (str, bytes)):
        items = [_plain(item) for item in value]
        return sorted(items, key=str) if isinstance(value, (set, frozenset)) else items
    return _text(value)


def _text(value: object) -> str:
    # a lone surrogate has no UTF-8 form; its escape keeps two ids apart
    return str(value).encode("utf-8", "backslashreplace").decode("utf-8")


def _layout(data: Mapping[str, Any], indent: str = "") -> str:
    """JSON text with one mean, gate or query a line, so that two reports can be compared by eye."""
    deeper = indent + " "
    lines = []
    for key, value in data.items():
        if key in _ROWS and value:
            write = _layout if key == "sets" else _row
            rows = ",\n".join(f"{deeper} {write(item, deeper + ' ')}" for item in value)
            lines.append(f'{deeper}"{key}": [\n{rows}\n{deeper}]')
        else:
            lines.append(f'{deeper}"{key}": {_row(value)}')
    return "{\n" + ",\n".join(lines) + f"\n{indent}}}"


def _row(value: Any, _indent: str = "") -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
