"""``diagnose``: where a report's queries lost their evidence, at any context up to its depth."""

from __future__ import annotations

import argparse
import re
import shutil
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_retrieval.commands.report_file import WRITE_ONE, ReportError, read_report
from pytest_retrieval.gating.baseline import labels_fingerprint
from pytest_retrieval.golden.documents import find_files, ids_in_files
from pytest_retrieval.golden.model import GoldenSet
from pytest_retrieval.golden.reader import load_golden
from pytest_retrieval.reporting.diagnosis_table import diagnosis_lines
from pytest_retrieval.reporting.printable import clip, harmless, wrap
from pytest_retrieval.retrieval.ranking import Ranking, document_of
from pytest_retrieval.scoring.diagnosis import BUCKETS, OK, Diagnosis, DocumentDiagnosis, diagnose, sum_up

if TYPE_CHECKING:
    from argparse import _SubParsersAction

_NARROWEST = 80


def add_parser(commands: _SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command's words."""
    parser = commands.add_parser(
        "diagnose",
        help="tell where a report's queries lost their evidence",
        description="Tell for each query of a report whether its evidence was not in the corpus, not "
        "retrieved, ranked below what goes into a prompt, or in the prompt and not cited. Asks nothing anew.",
    )
    parser.add_argument("report", type=Path, metavar="REPORT.json", help="written by --retrieval-report")
    parser.add_argument(
        "--context", type=int, metavar="N", help="hits in a prompt (default: the golden set's context)"
    )
    parser.add_argument("--root", type=Path, default=Path(), help="the project's root (default: this folder)")
    parser.add_argument(
        "--documents", action="append", metavar="GLOB",
        help="the corpus, from the golden set's folder (default: that of its header, where it is found)",
    )  # fmt: skip
    parser.add_argument("--queries", action="store_true", help="list each query that lost its evidence")
    parser.add_argument("--query", action="append", metavar="ID", default=[], help="show this query")
    parser.set_defaults(run=run)


@dataclass(frozen=True)
class _Asked:
    """One query of a report with its diagnosis, None where there is nothing to diagnose."""

    id: str
    text: str
    kind: str
    answerable: bool
    diagnosis: Diagnosis | None


def run(options: argparse.Namespace) -> int:
    """Print the diagnosis of each set; raises InputError where that cannot be done."""
    width = max(_NARROWEST, shutil.get_terminal_size().columns)
    known: set[str] = set()
    for data in _sets(options.report):
        context = _context(options, data)
        golden = _golden(options, data)
        asked = _diagnosed(options, data, context, golden)
        known |= {one.id for one in asked}
        variant = data.get("variant")
        print(harmless(f"{data['golden']}" if variant is None else f"{data['golden']}::{variant}"))
        if golden is not None and data.get("labels") not in (None, labels_fingerprint(golden.queries)):
            note = f"note: {data['golden']} has other labels now; these are the report's"
            print("\n".join(wrap(harmless(note), width)))
        if options.query:
            chosen = [one for one in asked if one.id in options.query]
            for one in chosen:
                _refuse_empty(options.report, one)
            lines = [line for one in chosen for line in _query_lines(one, width)]
        else:
            summary = sum_up(
                [(one.kind, one.diagnosis) for one in asked if one.diagnosis is not None],
                context,
                data["depth"],
                unanswerable=sum(not one.answerable for one in asked),
                unknown=sum(one.answerable and one.diagnosis is None for one in asked),
            )
            lines = [line.text for line in diagnosis_lines(summary, width)]
            lines += _lost(asked, width) if options.queries else ()
        print("\n".join(lines))
    absent = [query for query in options.query if query not in known]
    if absent:
        raise ReportError(options.report, None, f"has no query {absent[0]!r}")
    return 0


def _sets(path: Path) -> Sequence[Mapping[str, Any]]:
    sets: Sequence[Mapping[str, Any]] = read_report(path)["sets"]
    for one in sets:
        if not isinstance(one, dict) or not {"golden", "depth", "queries"} <= one.keys():
            raise ReportError(path, None, f"is damaged: a set without golden, depth or queries; {WRITE_ONE}")
    return sets


def _context(options: argparse.Namespace, data: Mapping[str, Any]) -> int:
    context = data.get("context") if options.context is None else options.context
    if context is None:
        raise ReportError(
            options.report,
            None,
            f"{data['golden']} says no context: give --context N, or write context: N into its header",
        )
    if not 1 <= context <= data["depth"]:
        raise ReportError(
            options.report,
            None,
            f"a context of {context} hits is not within the {data['depth']} that were asked for",
        )
    return int(context)


def _golden(options: argparse.Namespace, data: Mapping[str, Any]) -> GoldenSet | None:
    """The golden set as it is today, where it is found."""
    path = options.root / str(data["golden"])
    return load_golden(path, check_documents=False) if path.is_file() else None


def _diagnosed(
    options: argparse.Namespace, data: Mapping[str, Any], context: int, golden: GoldenSet | None
) -> list[_Asked]:
    corpus = _corpus(options, data, golden)
    try:
        return [_asked(query, context, corpus) for query in data["queries"]]
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        what = f"is damaged ({type(error).__name__}: {error}); {WRITE_ONE}"
        raise ReportError(options.report, None, what) from None


def _asked(query: Mapping[str, Any], context: int, corpus: Collection[str] | None) -> _Asked:
    relevant = {str(document): int(grade) for document, grade in query["relevant"].items()}
    answerable = query.get("answerable", True)
    diagnosis = None
    if query["outcome"] == "scored" and any(grade > 0 for grade in relevant.values()):
        ranking = Ranking(tuple(query["ranked"]), tuple(query.get("places") or ()))
        diagnosis = diagnose(relevant, ranking, context, corpus=corpus, cited=query.get("cited"))
    return _Asked(str(query["id"]), str(query["text"]), str(query["kind"]), answerable, diagnosis)


def _corpus(
    options: argparse.Namespace, data: Mapping[str, Any], golden: GoldenSet | None
) -> frozenset[str] | None:
    """The ids of today's documents; None where neither the golden set nor a glob tells them."""
    path = options.root / str(data["golden"])
    patterns = options.documents or (golden.header.documents if golden else ())
    if not patterns:
        return None
    pattern = data.get("document_id")
    document_id = re.compile(pattern) if pattern else None
    ids = ids_in_files(path.parent, find_files(path.parent, patterns))
    return frozenset(document_of(one, document_id) for one in ids)


def _refuse_empty(report: Path, one: _Asked) -> None:
    if not one.answerable:
        why = "no document answers it (answerable: false), so no evidence can be lost"
    else:
        why = "it has no ranking or no labels"
    if one.diagnosis is None:
        raise ReportError(report, None, f"query {one.id!r} is not diagnosed: {why}")


def _lost(asked: Sequence[_Asked], width: int) -> Iterator[str]:
    """The queries that lost their evidence, bucket by bucket."""
    for bucket in BUCKETS:
        for one in asked:
            if bucket != OK and one.diagnosis is not None and one.diagnosis.bucket == bucket:
                yield from _query_lines(one, width)


def _query_lines(one: _Asked, width: int) -> Iterator[str]:
    assert one.diagnosis is not None
    yield f"{harmless(one.id)}  {one.diagnosis.bucket}  " + clip(harmless(one.text), width // 2)
    for row in one.diagnosis.documents:
        yield f"  {harmless(row.document)}  grade {row.grade}: {_came(row)}"


def _came(row: DocumentDiagnosis) -> str:
    if row.rank is None:
        return row.bucket
    hits = "" if row.place == row.rank else f", hit {row.place}"
    return f"{row.bucket}, rank {row.rank}{hits}"
