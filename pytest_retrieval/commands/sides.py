"""The files that ``compare`` takes, each read as one side: a baseline, a report or a run."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from pytest_retrieval.commands.report_file import WRITE_ONE
from pytest_retrieval.gating.baseline import Baseline, BaselineRow, labels_fingerprint
from pytest_retrieval.gating.baseline_file import FORMAT as BASELINE_FORMAT
from pytest_retrieval.gating.baseline_file import parse_baseline
from pytest_retrieval.golden.errors import InputError
from pytest_retrieval.golden.model import Query
from pytest_retrieval.reporting.json_report import FORMAT as REPORT_FORMAT
from pytest_retrieval.retrieval.ranking import Hit, rank_documents
from pytest_retrieval.retrieval.runs import read_run
from pytest_retrieval.scoring.names import required_depth

BASELINE, REPORT, RUN = "baseline", "report", "run"


@dataclass(frozen=True, slots=True)
class Side:
    """The rankings of one golden set as a file holds them.

    ``name`` is the file as it was typed, ``source`` one of :data:`BASELINE`, :data:`REPORT` and
    :data:`RUN`. ``golden`` is the golden set's file as a report names it, ``variant`` the one of its
    retrievers where there are several. ``held`` has the rankings;
    those of a run know neither text nor labels. ``fingerprints`` tells which question each id
    was, for all that were to be asked; a run knows none. ``queries`` are a report's, with labels.
    ``errors`` maps the id of a failed query to what went wrong. ``metrics`` are those a report gates.
    """

    name: str
    path: Path
    source: str
    held: Baseline
    golden: str | None = None
    variant: str | None = None
    fingerprints: Mapping[str, str] = field(default_factory=dict)
    queries: tuple[Query, ...] = ()
    errors: Mapping[str, str] = field(default_factory=dict)
    population: Mapping[str, object] = field(default_factory=dict)
    metrics: tuple[str, ...] = ()

    @property
    def is_private(self) -> bool:
        """Whether a report was written without the texts of its queries."""
        return bool(self.queries) and not any(query.text for query in self.queries)


def read_sides(path: Path) -> list[Side]:
    """The sides of one file: a report has one per golden set. Raises InputError."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InputError(path, None, f"cannot be read ({error.strerror})") from None
    data = _json(content)
    found = data.get("format") if isinstance(data, dict) else None
    if found == BASELINE_FORMAT:
        held = parse_baseline(content, str(path))
        return [Side(str(path), path, BASELINE, held, fingerprints={row.id: row.text for row in held.rows})]
    if found == REPORT_FORMAT:
        return _of_report(path, data)
    if isinstance(data, dict) and not {"ranked", "id", "qid", "query_id"} & set(data):
        raise InputError(
            path,
            None,
            f"is no baseline, report or run: its format is {found!r}, expected {BASELINE_FORMAT!r} or "
            f"{REPORT_FORMAT!r}",
        )
    return [_of_run(path)]


def _json(content: bytes) -> Any:
    if not content.lstrip().startswith(b"{"):
        return None
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        return None  # JSON lines, perhaps; whoever reads it as a run tells what is wrong


def _of_run(path: Path) -> Side:
    rows = tuple(BaselineRow(query, "", "", "", ranked) for query, ranked in read_run(path).items())
    longest = max(len(row.ranked) for row in rows)
    return Side(str(path), path, RUN, Baseline(f"run:{path}", longest, None, {}, "", {}, rows))


def settle_runs(sides: Sequence[Side], metrics: Sequence[str], document_id: str | None) -> list[Side]:
    """The sides with their runs as if they had been asked like the others.

    Hits become documents by ``document_id``, a regular expression whose first group is the
    document. A file tells not how deep it was asked: it is cut at the smallest depth that the
    other sides tell, and else as deep as its longest ranking and as the metrics look, at least.
    """
    known = [side.held.depth for side in sides if side.source != RUN]
    least = required_depth(metrics)
    return [
        _settled(side, min(known, default=0), least, document_id) if side.source == RUN else side
        for side in sides
    ]


def _settled(side: Side, cut: int, least: int, document_id: str | None) -> Side:
    pattern = re.compile(document_id) if document_id else None
    depth = cut or max(side.held.depth, least)
    rows = tuple(
        replace(row, ranked=rank_documents(map(Hit, row.ranked[:depth]), pattern).documents)
        for row in side.held.rows
    )
    return replace(side, held=replace(side.held, depth=depth, rows=rows, document_id=document_id))


def _of_report(path: Path, data: Mapping[str, Any]) -> list[Side]:
    try:
        sides = [_of_set(path, one) for one in data["sets"]]
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise InputError(path, None, f"is damaged ({type(error).__name__}: {error}); {WRITE_ONE}") from None
    if not sides:
        raise InputError(path, None, f"holds no golden set; {WRITE_ONE}")
    return sides


def _of_set(path: Path, data: Mapping[str, Any]) -> Side:
    queries = tuple(map(_query, data["queries"]))
    asked = {str(one["id"]): one for one in data["queries"]}
    rows = tuple(_row(query, asked[query.id]) for query in queries if asked[query.id]["outcome"] == "scored")
    depth = data["depth"]
    if not isinstance(depth, int) or depth < 1:
        raise ValueError(f"depth is {depth!r}")
    held = Baseline(str(data["retriever"]), depth, data["document_id"], dict(data["describe"]), "", {}, rows)
    return Side(
        str(path),
        path,
        REPORT,
        held,
        golden=str(data["golden"]),
        variant=data.get("variant"),
        fingerprints={query: str(one["fingerprint"]) for query, one in asked.items()},
        queries=queries,
        errors={query: str(one["error"]) for query, one in asked.items() if one["outcome"] == "error"},
        population=dict(data["population"]),
        metrics=tuple(map(str, data["gate_metrics"])),
    )


def _query(data: Mapping[str, Any]) -> Query:
    relevant = {str(document): int(grade) for document, grade in data["relevant"].items()}
    return Query(
        str(data["id"]),
        str(data.get("text") or ""),
        relevant,
        kind=str(data["kind"]),
        # a golden set takes no empty labels from a query that has an answer
        answerable=bool(relevant),
        line=int(data["line"]),
    )


def _row(query: Query, data: Mapping[str, Any]) -> BaselineRow:
    ranked, *repeats = _rankings(data)
    return BaselineRow(
        id=query.id,
        text=str(data["fingerprint"]),
        labels=labels_fingerprint([query]),
        kind=query.kind,
        ranked=ranked,
        answerable=query.answerable,
        repeats=tuple(repeats),
    )


def _rankings(data: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    for ranked in (data["ranked"], *data.get("repeats", [])):
        if not isinstance(ranked, list) or not all(isinstance(document, str) for document in ranked):
            raise TypeError("ranked is no list of texts")
        if len(set(ranked)) < len(ranked):
            raise ValueError(f"the ranking of query {data['id']!r} holds a document twice")
        yield tuple(ranked)
