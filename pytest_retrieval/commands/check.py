"""``check``: what is wrong or weak in a golden set, before it misleads anybody."""

from __future__ import annotations

import argparse
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_retrieval.commands.known_documents import documents_of
from pytest_retrieval.commands.ranking_files import read_ranking_files
from pytest_retrieval.gating.policy import DEFAULT_GATE_METRICS, DEFAULT_MIN_QUERIES
from pytest_retrieval.golden.checks import documents as document_checks
from pytest_retrieval.golden.checks import labels as label_checks
from pytest_retrieval.golden.checks.finding import CHECKS, Finding
from pytest_retrieval.golden.documents import Document
from pytest_retrieval.golden.errors import GoldenError, InputError
from pytest_retrieval.golden.model import GoldenSet
from pytest_retrieval.golden.reader import load_golden
from pytest_retrieval.reporting.printable import harmless, wrap
from pytest_retrieval.scoring.checks import ceilings, direction
from pytest_retrieval.scoring.checks import rankings as ranking_checks
from pytest_retrieval.scoring.names import DEFAULT_METRICS, canonical
from pytest_retrieval.scoring.pooling import Rankings

if TYPE_CHECKING:
    from argparse import _SubParsersAction

_NARROWEST = 80


def add_parser(commands: _SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command's words."""
    parser = commands.add_parser(
        "check",
        help="find what is wrong or weak in a golden set",
        description="Check a golden set against its documents and, where there are any, against rankings. "
        "A problem makes scores wrong and ends with exit code 1; a note is worth knowing.",
    )
    parser.add_argument("golden", type=Path, metavar="GOLDEN", help="the golden set")
    parser.add_argument(
        "--baseline", type=Path, action="append", metavar="FILE",
        help="a baseline, report or run (repeatable; default: baselines/GOLDEN.json, if there)",
    )  # fmt: skip
    parser.add_argument(
        "--documents", action="append", metavar="GLOB",
        help="the documents, from the golden set's folder (default: those of its header)",
    )  # fmt: skip
    parser.add_argument("--metrics", metavar="LIST", help="the metrics (default: those of the header)")
    parser.add_argument(
        "--allow", action="append", choices=CHECKS, default=[], metavar="CHECK",
        help=f"tell this as a note, not as a problem; one of {', '.join(CHECKS)}",
    )  # fmt: skip
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print the findings; 1 where one is a problem. Raises InputError where a file cannot be used."""
    golden = load_golden(options.golden, check_documents=False)
    documents = documents_of(golden, options.documents)
    metrics = _metrics(golden, options.metrics)
    paths = options.baseline or _usual_place(options.golden)
    rankings = [file.rankings for file in read_ranking_files(paths, golden)]
    found = [
        replace(finding, problem=finding.problem and finding.check not in options.allow)
        for finding in _findings(golden, documents, rankings, metrics)
    ]
    found.sort(key=lambda finding: (not finding.problem, CHECKS.index(finding.check)))
    labels = sum(len(query.relevant) for query in golden.queries)
    width = max(_NARROWEST, shutil.get_terminal_size().columns)
    name = harmless(options.golden.as_posix())
    corpus = f"{len(documents)} documents" if documents else "documents not known"
    against = f"{len(rankings)} rankings" if rankings else "no rankings"
    print(f"{name}: {len(golden)} queries, {labels} labels, {corpus}, {against}")
    for note in golden.notes:
        print("\n".join(wrap(harmless(note), width, f"  {'note':9}", " " * 11)))
    for finding in found:
        place = f" ({name}:{finding.line})" if finding.line else ""
        word = "problem" if finding.problem else "note"
        text = f"{finding.check}: {harmless(finding.message)}{place}"
        print("\n".join(wrap(text, width, f"  {word:9}", " " * 11)))
    problems = sum(finding.problem for finding in found)
    print(f"{problems} problems, {len(found) + len(golden.notes) - problems} notes")
    return int(problems > 0)


def _findings(
    golden: GoldenSet, documents: Mapping[str, Document], rankings: Sequence[Rankings], metrics: Sequence[str]
) -> Iterator[Finding]:
    yield from label_checks.repeated_questions(golden)
    yield from label_checks.small_kinds(golden, golden.header.gate.min_queries or DEFAULT_MIN_QUERIES)
    yield from ceilings.ceilings(golden, metrics)
    yield from direction.grade_direction(golden, documents, rankings)
    if documents:
        yield from document_checks.dangling(golden, documents)
        yield from document_checks.empty_documents(golden, documents)
        yield from document_checks.same_documents(golden, documents)
        yield from document_checks.older_labels(golden, documents)
        yield from document_checks.copied_words(golden, documents)
    if rankings:
        yield from ranking_checks.never_returned(golden, rankings)
    yield from ranking_checks.pool_depth(golden, metrics)
    yield from _outside_pool(golden)


def _outside_pool(golden: GoldenSet) -> Iterator[Finding]:
    """The pools of the header, as far as their rankings are still there."""
    assert golden.path is not None
    folder = golden.path.parent
    names = [name for pooling in golden.header.pooled for name in pooling.sources]
    gone = [name for name in dict.fromkeys(names) if not (folder / name).is_file()]
    if gone:
        yield Finding(
            "outside-pool",
            False,
            f"{len(gone)} pooled rankings are not here ({gone[0]}), so labels are not held against the pool",
            golden.header.lines.get("pooled"),
        )
    elif names:
        pools = [
            (
                [
                    file.rankings
                    for file in read_ranking_files([folder / name for name in one.sources], golden)
                ],
                one.depth,
            )
            for one in golden.header.pooled
        ]
        yield from ranking_checks.outside_pool(golden, pools)


def _metrics(golden: GoldenSet, given: str | None) -> tuple[str, ...]:
    """What is reported and gated, in canonical spelling."""
    header = golden.header
    named = [name for name in (given or "").split(",") if name.strip()]
    try:
        return canonical(
            named or [*(header.metrics or DEFAULT_METRICS), *(header.gate.metrics or DEFAULT_GATE_METRICS)]
        )
    except ValueError as error:
        if named:
            raise InputError("--metrics", None, str(error)) from None
        raise GoldenError(golden.path or "golden set", header.lines.get("metrics"), str(error)) from None


def _usual_place(golden: Path) -> list[Path]:
    """Where the plugin keeps the baseline, seen from the project's root; nothing where there is none."""
    if golden.is_absolute() or ".." in golden.parts:
        return []
    place = Path("baselines") / golden.with_suffix(".json")
    return [place] if place.exists() else []
