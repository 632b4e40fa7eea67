"""The baseline as a file that is committed and reviewed like code.

The bytes depend on the run alone: keys are sorted, every query has its own line, means are
rounded, and neither time nor machine is in it. The digest in the head covers the rows, so
that a merge of two runs that looks clean is noticed.
"""

from __future__ import annotations

import hashlib
import json
import shlex
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from pytest_retrieval.gating.baseline import Baseline, BaselineRow
from pytest_retrieval.golden.errors import InputError
from pytest_retrieval.golden.whole_file import write_whole

FORMAT = "pytest-retrieval-baseline/1"


class BaselineError(InputError):
    """A baseline that cannot be used; the run stops before any retriever is asked."""


def dump_baseline(baseline: Baseline) -> bytes:
    """The file's bytes: the same run gives the same bytes."""
    lines = sorted(f"{_json(row.id)}: {_json(_row_data(row))}" for row in baseline.rows)
    head: dict[str, str] = {
        "depth": _json(baseline.depth),
        "describe": _json(baseline.describe),
        "digest": _json(_digest(lines)),
        "document_id": _json(baseline.document_id),
        "format": _json(FORMAT),
        "labels": _json(baseline.labels),
        "means": _block(f"{_json(name)}: {_json(means)}" for name, means in sorted(baseline.means.items())),
        "queries": _block(lines),
        "retriever": _json(baseline.retriever),
    }
    if baseline.reasons:
        head["reasons"] = _json(list(baseline.reasons))
    if baseline.version is not None:
        head["version"] = _json(baseline.version)
    body = ",\n".join(f'"{key}": {value}' for key, value in sorted(head.items()))
    return f"{{\n{body}\n}}\n".encode()


def write_baseline(path: Path, baseline: Baseline) -> None:
    """Write the file as a whole or not at all."""
    write_whole(path, dump_baseline(baseline))


def read_baseline(path: Path, name: str) -> Baseline:
    """Read a baseline; ``name`` is the path for messages. Raises BaselineError when it is damaged."""
    restore = f"restore it: git checkout HEAD -- {shlex.quote(name)}"
    try:
        return parse_baseline(path.read_bytes(), name)
    except OSError as error:
        raise BaselineError(name, None, f"cannot be read ({error.strerror}); {restore}") from None
    except BaselineError as error:
        raise BaselineError(name, error.line, f"{error.message}; {restore}") from None


def parse_baseline(content: bytes, name: str) -> Baseline:
    """The baseline in a file's bytes; raises BaselineError when they are damaged."""
    try:
        data = json.loads(content.decode("utf-8-sig"), parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        conflict = " (it holds a merge conflict)" if "<<<<<<<" in error.doc else ""
        raise BaselineError(name, error.lineno, f"is no JSON{conflict}: {error.msg}") from None
    except (UnicodeDecodeError, ValueError, RecursionError) as error:
        raise BaselineError(name, None, f"is no JSON: {error}") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        found = data.get("format") if isinstance(data, dict) else type(data).__name__
        raise BaselineError(name, None, f"is no baseline: format is {found!r}, expected {FORMAT!r}")
    try:
        baseline = Baseline(
            retriever=_text(data["retriever"]),
            depth=_count(data["depth"]),
            document_id=None if data["document_id"] is None else _text(data["document_id"]),
            describe=dict(data["describe"]),
            labels=_text(data["labels"]),
            means={_text(name): _means(means) for name, means in data["means"].items()},
            rows=tuple(_row(query_id, row) for query_id, row in data["queries"].items()),
            reasons=_texts(data.get("reasons", [])),
            version=None if data.get("version") is None else _text(data["version"]),
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise BaselineError(name, None, f"is damaged ({type(error).__name__}: {error})") from None
    lines = sorted(f"{_json(row.id)}: {_json(_row_data(row))}" for row in baseline.rows)
    if _digest(lines) != data.get("digest"):
        raise BaselineError(
            name,
            None,
            "its rows do not match the digest in its head: it was edited, or two runs were merged",
        )
    return baseline


def _row_data(row: BaselineRow) -> dict[str, Any]:
    data: dict[str, Any] = {
        "kind": row.kind,
        "labels": row.labels,
        "ranked": list(row.ranked),
        "text": row.text,
    }
    if row.tags:
        data["tags"] = list(row.tags)
    if row.split is not None:
        data["split"] = row.split
    if not row.answerable:
        data["answerable"] = False
    if row.repeats:
        data["repeats"] = [list(ranked) for ranked in row.repeats]
    if row.fields:
        data["fields"] = {name: list(values) for name, values in row.fields.items()}
    return data


def _row(query_id: str, data: Mapping[str, Any]) -> BaselineRow:
    return BaselineRow(
        id=_text(query_id),
        text=_text(data["text"]),
        labels=_text(data["labels"]),
        kind=_text(data["kind"]),
        ranked=_texts(data["ranked"]),
        tags=_texts(data.get("tags", [])),
        split=None if data.get("split") is None else _text(data["split"]),
        answerable=data.get("answerable", True) is True,
        repeats=tuple(_texts(ranked) for ranked in data.get("repeats", [])),
        fields={_text(name): _texts(values) for name, values in data.get("fields", {}).items()},
    )


def _means(value: Mapping[str, Any]) -> dict[str, float]:
    return {_text(metric): float(mean) for metric, mean in value.items()}


def _texts(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise TypeError(f"expected a list, found {type(value).__name__}")
    return tuple(_text(one) for one in value)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"expected a text, found {type(value).__name__}")
    return value


def _count(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise ValueError(f"expected a whole number of at least 1, found {value!r}")
    return value


def _no_constant(token: str) -> Any:
    raise ValueError(f"{token} is no JSON")


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, allow_nan=False)


def _block(lines: Iterable[str]) -> str:
    body = ",\n".join(lines)
    return f"{{\n{body}\n}}" if body else "{}"


def _digest(lines: Iterable[str]) -> str:
    return "sha256:" + hashlib.sha256("\n".join(lines).encode()).hexdigest()
