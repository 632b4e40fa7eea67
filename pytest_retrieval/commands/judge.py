"""``judge``: grades for unjudged pairs, asked one by one or from lists, into the golden set."""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_retrieval.commands.applying_lists import apply_lists, compare_lists
from pytest_retrieval.commands.judging_loop import PROMPT, judge_pairs
from pytest_retrieval.commands.keeping_labels import judgement_of, record_pool
from pytest_retrieval.commands.keys import read_keys
from pytest_retrieval.commands.known_documents import documents_of
from pytest_retrieval.commands.pool import add_pool_options, pooling_of, shallow
from pytest_retrieval.commands.pool_files import is_list, read_list
from pytest_retrieval.commands.ranking_files import read_ranking_files
from pytest_retrieval.commands.writing_files import write_file
from pytest_retrieval.golden.documents import Document
from pytest_retrieval.golden.errors import InputError
from pytest_retrieval.golden.label_editing import with_judgements
from pytest_retrieval.golden.model import GoldenSet
from pytest_retrieval.golden.reader import load_golden
from pytest_retrieval.reporting.printable import harmless, wrap
from pytest_retrieval.scoring.pooling import Hole, find_holes

if TYPE_CHECKING:
    from argparse import _SubParsersAction

_WIDEST = 100


def add_parser(commands: _SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command's words."""
    parser = commands.add_parser(
        "judge",
        help="grade what nobody has judged, in the terminal or from a list",
        description="Given baselines, reports and runs: show the pairs in their top that have no label, and "
        "write each grade into the golden set as it is given. Given lists of `pool -o`: write the grades "
        "that were filled in. Nothing else in the golden set changes.",
    )
    parser.add_argument("golden", type=Path, metavar="GOLDEN", help="the golden set")
    parser.add_argument(
        "files", type=Path, nargs="+", metavar="FILE", help="rankings to judge, or lists with grades"
    )
    add_pool_options(parser)
    parser.add_argument("--owner", metavar="NAME", help="who answers for these labels; kept with each")
    parser.add_argument(
        "--agreement", action="store_true", help="compare the lists of two judges, and write nothing"
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Judge, apply or compare; raises InputError where a file cannot be used."""
    golden = load_golden(options.golden, check_documents=False)
    lists = [path for path in options.files if is_list(path)]
    if options.agreement:
        if len(lists) != 2 or len(options.files) != 2:
            raise InputError("--agreement", None, "compares two lists with grades; name exactly two")
        return compare_lists(golden, *(read_list(path) for path in lists))
    if lists and len(lists) < len(options.files):
        other = next(path for path in options.files if path not in lists)
        raise InputError(other, None, f"is no list, but {lists[0]} is one; name lists or rankings")
    if lists:
        documents = documents_of(golden, options.documents)
        return apply_lists(golden, [read_list(path) for path in lists], documents, options.owner)
    return _ask(golden, options)


def _ask(golden: GoldenSet, options: argparse.Namespace) -> int:
    """The loop in the terminal."""
    files = read_ranking_files(options.files, golden)
    documents = documents_of(golden, options.documents)
    holes = find_holes(golden, [file.rankings for file in files], options.depth)
    name = harmless(options.golden.as_posix())
    print(f"{name}: {len(holes)} pairs without a label in the top {options.depth} of {len(files)} rankings")
    for warning in shallow(files, options.depth):
        print(f"  warning: {warning}")
    width = min(_WIDEST, shutil.get_terminal_size().columns)
    queries = golden.by_id()

    def show(place: int, hole: Hole) -> None:
        print(f"\n[{place + 1}/{len(holes)}] {harmless(hole.query)}  {harmless(queries[hole.query].text)}")
        print("\n".join(_shown(hole, documents.get(hole.document), options.characters, width)))
        print(PROMPT, end="", flush=True)

    def write(hole: Hole, grade: int) -> Callable[[], None]:
        judgement = judgement_of(grade, documents.get(hole.document), options.owner)
        current = load_golden(options.golden, check_documents=False)
        edit = with_judgements(current, {hole.query: {hole.document: judgement}})
        before = edit.path.read_bytes()
        write_file(edit.path, edit.content)

        def take_back() -> None:
            if edit.path.read_bytes() != edit.content:
                raise InputError(edit.path, None, "was changed meanwhile; take the last label back by hand")
            write_file(edit.path, before)

        return take_back

    outcome = judge_pairs(holes, read_keys(sys.stdin), show, print, write)
    left = len(holes) - outcome.graded
    print(f"\n{name}: {outcome.graded} labels added, {left} pairs left")
    if left:
        print("  run the same command again to go on")
    if outcome.graded or not left:
        record_pool(options.golden, pooling_of(golden, options.files, options.depth), left)
    return 0


def _shown(hole: Hole, document: Document | None, characters: int, width: int) -> Iterator[str]:
    if document is None:
        yield f"  {harmless(hole.document)}"
        return
    yield f"  {harmless(hole.document)}  {harmless(document.title)}".rstrip()
    text = document.text.strip()
    for line in text[:characters].splitlines():
        yield from wrap(harmless(line), width, "    ", "    ")
    if len(text) > characters:
        yield f"    ... ({len(text) - characters:,} more characters)"
