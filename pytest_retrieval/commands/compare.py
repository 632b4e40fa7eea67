"""``compare``: baselines, reports and runs held against each other with the gate's own engine."""

from __future__ import annotations

import argparse
import json
import re
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_retrieval.commands.answer_key import AnswerKey, choose_key, golden_name
from pytest_retrieval.commands.arguments import count, share
from pytest_retrieval.commands.comparing import compare_sides, evaluate_side
from pytest_retrieval.commands.ranx_tests import ranx_block, ranx_lines, ranx_tests
from pytest_retrieval.commands.sides import RUN, Side, read_sides, settle_runs
from pytest_retrieval.commands.writing_files import write_file
from pytest_retrieval.gating.policy import (
    DEFAULT_CONFIDENCE,
    DEFAULT_GATE_METRICS,
    DEFAULT_MARGIN,
    DEFAULT_MIN_QUERIES,
    Policy,
    agree,
)
from pytest_retrieval.golden.errors import GoldenError, InputError
from pytest_retrieval.reporting.comparison import (
    compared_queries,
    comparison_lines,
    interval_legend,
    overview_lines,
)
from pytest_retrieval.reporting.fitting import fitted
from pytest_retrieval.reporting.json_report import report_data
from pytest_retrieval.reporting.markdown_report import LIMIT, only, report_blocks
from pytest_retrieval.reporting.markdown_text import code
from pytest_retrieval.reporting.mean_rows import mean_rows
from pytest_retrieval.reporting.movers import came_and_went, deepest_cut
from pytest_retrieval.reporting.overwriting import keeps_report_out
from pytest_retrieval.reporting.result import MeanRow, RunResult, SetResult
from pytest_retrieval.reporting.status import run_status

if TYPE_CHECKING:
    from argparse import _SubParsersAction

FORMAT = "pytest-retrieval-comparison/1"


def add_parser(commands: _SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command's words."""
    parser = commands.add_parser(
        "compare",
        help="hold baselines, reports or runs against each other",
        description="Hold baselines, JSON reports or TREC and JSONL runs against the first of them, query by "
        "query, with the gate's own engine. No retriever is asked. The exit code does not tell the verdicts.",
    )
    parser.add_argument(
        "files",
        type=Path,
        nargs="+",
        metavar="FILE",
        help="two or more; the first is what others are held against",
    )
    parser.add_argument(
        "--golden", type=Path, metavar="FILE",
        help="score all under the labels of this golden set (default: the one they belong to)",
    )  # fmt: skip
    parser.add_argument(
        "--metric", action="append", metavar="LIST", help="what to compare (default: the gated metrics)"
    )
    parser.add_argument(
        "--format", choices=tuple(FORMATS), help="(default: by the suffix of --output, else terminal)"
    )
    parser.add_argument(
        "-o", "--output", type=Path, metavar="FILE", help="write it there (default: print it)"
    )
    parser.add_argument(
        "--force", action="store_true", help="also over a file that is no report of pytest-retrieval"
    )
    parser.add_argument(
        "--movers",
        type=count,
        default=5,
        metavar="N",
        help="losses and gains to show with their rankings (default: 5)",
    )
    parser.add_argument("--margin", type=share, metavar="X", help="the drop of a mean that is accepted")
    parser.add_argument("--confidence", type=float, metavar="X")
    parser.add_argument("--min-queries", type=count, metavar="N")
    parser.add_argument(
        "--document-id", metavar="REGEX", help="the first group is the document of a run's hit"
    )
    parser.add_argument(
        "--report-text",
        choices=("text", "id"),
        help="id: keep the queries' texts out (default: as the reports that are given were written)",
    )
    parser.add_argument("--ranx", action="store_true", help="show the tests of ranx.compare beside ours")
    parser.set_defaults(run=run)


@dataclass(frozen=True, slots=True)
class Compared:
    """One golden set's sides: every later one against the first, and the means of all."""

    results: tuple[SetResult, ...]
    means: Mapping[str, tuple[MeanRow, ...]]
    metrics: tuple[str, ...]


def run(options: argparse.Namespace) -> int:
    """Compare and tell; raises InputError where a file cannot be used."""
    if len(options.files) < 2:
        raise InputError(options.files[0], None, "is alone: name another file to compare it with")
    if options.output is not None and not options.force and (why := keeps_report_out(options.output)):
        raise InputError(options.output, None, f"{why}, or write over it with --force")
    read = [read_sides(path) for path in options.files]
    compared = [_compare(sides, options) for sides in groups(read, options.golden)]
    suffix = options.output.suffix.lower() if options.output else ""
    text = FORMATS[options.format or _SUFFIXES.get(suffix, "terminal")](compared, options)
    if options.output is None:
        # what a pipe's encoding lacks must not end the command
        sys.stdout.buffer.write(text.encode(sys.stdout.encoding or "utf-8", "backslashreplace"))
        sys.stdout.flush()
        return 0
    write_file(options.output, text.encode("utf-8", "backslashreplace"))
    return 0


def groups(read: Sequence[Sequence[Side]], given: Path | None) -> list[list[Side]]:
    """The sides that belong together, golden set by golden set; a file may hold several.

    Raises InputError where the files have no golden set in common, or a run could be of any.
    """
    if all(len(sides) == 1 for sides in read):
        return [[sides[0] for sides in read]]
    told = [[name for side in sides if (name := golden_name(side))] for sides in read]
    if given is not None:
        told = [
            [name for name in names if Path(name.partition("::")[0]).name == given.name] for names in told
        ]
    named = [
        (sides[0].name, names) for sides, names in zip(read, told, strict=True) if sides[0].source != RUN
    ]
    common = [name for name in named[0][1] if all(name in names for _, names in named)]
    if not common:
        held = "; ".join(f"{file} has {', '.join(names) or 'none'}" for file, names in named)
        raise InputError(named[0][0], None, f"no golden set is common to the files: {held}")
    if len(common) > 1 and len(named) < len(read):
        raise InputError(
            named[0][0], None, f"holds {', '.join(common)}: name the one of the run with --golden {common[0]}"
        )
    return [
        [next(side for side in sides if golden_name(side) in (name, None)) for sides in read]
        for name in common
    ]


def _compare(sides: Sequence[Side], options: argparse.Namespace) -> Compared:
    key = choose_key(sides, options.golden)
    policy = _policy(key, sides, options)
    sides = settle_runs(sides, policy.metrics, _document_id(key, sides, options))
    first, *others = _distinct(sides)
    means = {
        side.name: mean_rows(key.golden.queries, evaluate_side(side, key.golden.queries, key, policy), policy)
        for side in (first, *others)
    }
    results = tuple(compare_sides(first, other, key, policy) for other in others)
    private = any(side.is_private for side in sides) if options.report_text is None else False
    if private or options.report_text == "id":
        results = tuple(result.without_texts() for result in results)
    return Compared(results, means, policy.metrics)


def _distinct(sides: Sequence[Side]) -> list[Side]:
    """The sides under names that tell them apart, also where one file was given twice."""
    seen: dict[str, int] = {}
    distinct = []
    for side in sides:
        seen[side.name] = number = seen.get(side.name, 0) + 1
        distinct.append(replace(side, name=f"{side.name} ({number})") if number > 1 else side)
    return distinct


def _document_id(key: AnswerKey, sides: Sequence[Side], options: argparse.Namespace) -> str | None:
    """How hits become documents: as said, else as the golden set says, else as the other files were made."""
    if options.document_id:
        return _pattern(options.document_id)
    known = [side.held.document_id for side in sides if side.source != RUN]
    return key.golden.header.document_id or next(filter(None, known), None)


def _pattern(text: str) -> str:
    try:
        groups = re.compile(text).groups
    except re.error as error:
        raise InputError("--document-id", None, f"expected a regular expression ({error})") from None
    if not groups:
        raise InputError("--document-id", None, "expected a group that holds the document, such as '^(.*)#'")
    return text


def _policy(key: AnswerKey, sides: Sequence[Side], options: argparse.Namespace) -> Policy:
    """What was agreed: the golden set's rules, and for this once what the command line says."""
    gate = key.golden.header.gate
    named = tuple(name for given in options.metric or () for name in given.split(",") if name.strip())
    said = replace(
        gate,
        metrics=named or sides[-1].metrics or gate.metrics,
        margin=gate.margin if options.margin is None else options.margin,
        confidence=options.confidence or gate.confidence,
        min_queries=options.min_queries or gate.min_queries,
    )
    try:
        return agree(
            said,
            metrics=DEFAULT_GATE_METRICS,
            margin=DEFAULT_MARGIN,
            confidence=DEFAULT_CONFIDENCE,
            min_queries=DEFAULT_MIN_QUERIES,
        )
    except ValueError as error:
        if named or options.confidence:
            raise InputError("--metric" if named else "--confidence", None, str(error)) from None
        raise GoldenError(key.name, key.golden.header.lines.get("gate"), f"gate: {error}") from None


def _terminal(compared: Sequence[Compared], options: argparse.Namespace) -> str:
    width = shutil.get_terminal_size().columns
    lines = []
    for one in compared:
        if len(one.means) > 2:
            lines += overview_lines(one.means, one.metrics, width)
        for result in one.results:
            lines += comparison_lines(result, width, options.movers)
            if options.ranx:
                lines += ranx_lines(ranx_tests(result), width)
    return "".join(f"{line.text}\n" for line in lines)


def _json(compared: Sequence[Compared], options: argparse.Namespace) -> str:
    run = _run_of(compared)
    data = report_data(run)
    for result, row in zip(run.sets, data["sets"], strict=True):
        for query, asked in zip(result.queries, row["queries"], strict=True):
            came, went = (
                came_and_went(query, deepest_cut(result.gate_metrics)) if query.baseline else ((), ())
            )
            asked["new"], asked["lost"] = list(came), list(went)
        if options.ranx:
            row["ranx"] = [asdict(test) for test in ranx_tests(result)]
    return (
        json.dumps({**data, "format": FORMAT, "intervals": "two-sided"}, ensure_ascii=False, indent=1) + "\n"
    )


def _run_of(compared: Sequence[Compared]) -> RunResult:
    results = tuple(result for one in compared for result in one.results)
    return RunResult(results, run_status(results), complete=True)


def _held_against(result: SetResult) -> str:
    sides = f"{code(result.retriever)} against {code(result.baseline)}"
    count = f"{compared_queries(result)} of {len(result.queries)} queries compared"
    return f"**{code(result.node)}**: {sides}{only(result)}, {count}."


def _markdown(compared: Sequence[Compared], options: argparse.Namespace) -> str:
    run = _run_of(compared)
    interval = interval_legend(run.sets[0])
    blocks = list(report_blocks(run, {}, interval, _held_against))
    if options.ranx:
        blocks += [ranx_block(ranx_tests(result), result) for result in run.sets]
    return fitted(blocks, LIMIT)


def _html(compared: Sequence[Compared], options: argparse.Namespace) -> str:
    from pytest_retrieval.reporting.html_report import html_page
    from pytest_retrieval.reporting.missing_library import MissingLibraryError

    try:
        return html_page(report_data(_run_of(compared)))
    except MissingLibraryError as error:
        raise InputError("--format html", None, str(error)) from None


FORMATS: dict[str, Callable[[Sequence[Compared], argparse.Namespace], str]] = {
    "terminal": _terminal,
    "markdown": _markdown,
    "json": _json,
    "html": _html,
}
"""How the outcome can be told: format -> who writes it."""
_SUFFIXES = {".md": "markdown", ".json": "json", ".html": "html"}
