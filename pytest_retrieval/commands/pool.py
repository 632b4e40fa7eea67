"""``pool``: what several rankings return at the top and nobody has judged, without a hint who found it."""

from __future__ import annotations

import argparse
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from pytest_retrieval.commands.arguments import count
from pytest_retrieval.commands.known_documents import documents_of
from pytest_retrieval.commands.pool_files import SUFFIXES, list_text
from pytest_retrieval.commands.ranking_files import RankingFile, read_ranking_files
from pytest_retrieval.commands.writing_files import refuse_existing, write_file
from pytest_retrieval.golden.documents import Document
from pytest_retrieval.golden.errors import InputError
from pytest_retrieval.golden.model import GoldenSet, Pooling
from pytest_retrieval.golden.reader import load_golden
from pytest_retrieval.reporting.advice import quoted
from pytest_retrieval.reporting.printable import clip, harmless, wrap
from pytest_retrieval.scoring.pooling import Hole, find_holes

if TYPE_CHECKING:
    from argparse import _SubParsersAction

DEFAULT_DEPTH = 10
DEFAULT_CHARACTERS = 1_000
_NARROWEST = 80


def add_parser(commands: _SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command's words."""
    parser = commands.add_parser(
        "pool",
        help="list what several searches return at the top and nobody has judged",
        description="List the pairs of query and document in the top of some ranking that have no label, "
        "sorted, so that nothing tells which search found them.",
    )
    parser.add_argument("golden", type=Path, metavar="GOLDEN", help="the golden set")
    parser.add_argument(
        "rankings", type=Path, nargs="+", metavar="FILE", help="baselines, reports and runs, any number"
    )
    add_pool_options(parser)
    parser.add_argument(
        "-o", "--output", type=Path, metavar="LIST", help="write a list to fill in (.csv or .jsonl)"
    )
    parser.add_argument("--force", action="store_true", help="write over a list that is there")
    parser.set_defaults(run=run)


def add_pool_options(parser: argparse.ArgumentParser) -> None:
    """Declare how deep is looked, where the documents are, and how much of them is shown."""
    parser.add_argument(
        "--depth", type=count, default=DEFAULT_DEPTH, metavar="K",
        help=f"how many results of each ranking (default: {DEFAULT_DEPTH})",
    )  # fmt: skip
    parser.add_argument(
        "--characters", type=count, default=DEFAULT_CHARACTERS, metavar="N",
        help=f"how much of a document's text (default: {DEFAULT_CHARACTERS})",
    )  # fmt: skip
    parser.add_argument(
        "--documents", action="append", metavar="GLOB",
        help="the documents, from the golden set's folder (default: those of its header)",
    )  # fmt: skip


def run(options: argparse.Namespace) -> int:
    """Print the pairs, or write them to a list; raises InputError where a file cannot be used."""
    output: Path | None = options.output
    if output is not None:
        if output.suffix.lower() not in SUFFIXES:
            raise InputError(output, None, f"expected a name that ends in {' or '.join(SUFFIXES)}")
        refuse_existing([output], force=options.force)
    golden = load_golden(options.golden, check_documents=False)
    files = read_ranking_files(options.rankings, golden)
    holes = find_holes(golden, [file.rankings for file in files], options.depth)
    documents = documents_of(golden, options.documents)
    name = harmless(options.golden.as_posix())
    queries = len({hole.query for hole in holes})
    print(
        f"{name}: {len(holes)} pairs without a label, of {queries} queries, "
        f"in the top {options.depth} of {len(files)} rankings"
    )
    for warning in shallow(files, options.depth):
        print(f"  warning: {warning}")
    if output is None:
        width = max(_NARROWEST, shutil.get_terminal_size().columns)
        print("\n".join(_lines(golden, holes, documents, width)))
        return 0
    pooling = pooling_of(golden, options.rankings, options.depth)
    write_file(output, list_text(output, golden, holes, documents, pooling, options.characters))
    place = harmless(output.as_posix())
    print(
        f"{place}: written; fill in the grades (2 answers, 1 helps, 0 does not; empty: not judged)\n"
        f"next: pytest-retrieval judge {quoted(str(options.golden))} {quoted(output.as_posix())}"
    )
    return 0


def pooling_of(golden: GoldenSet, rankings: Sequence[Path], depth: int) -> Pooling:
    """The record of a pool; its sources are named as they are seen from the golden set's folder."""
    assert golden.path is not None
    folder = golden.path.parent.absolute()
    names = []
    for path in rankings:
        try:
            names.append(PurePath(os.path.relpath(path.absolute(), folder)).as_posix())
        except ValueError:  # on another drive
            names.append(path.as_posix())
    return Pooling(depth, tuple(dict.fromkeys(names)))


def shallow(files: Sequence[RankingFile], depth: int) -> Iterator[str]:
    """A warning for each ranking that was not asked as deep as the pool is."""
    for file in files:
        if file.depth is not None and file.depth < depth:
            yield f"{harmless(file.path.as_posix())} holds the top {file.depth} only"


def _lines(
    golden: GoldenSet, holes: Sequence[Hole], documents: Mapping[str, Document], width: int
) -> Iterator[str]:
    queries = golden.by_id()
    for name, group in groupby(holes, key=lambda hole: hole.query):
        yield from wrap(f"{harmless(name)}  {harmless(queries[name].text)}", width)
        for hole in group:
            document = documents.get(hole.document)
            yield clip(f"  {harmless(hole.document)}  {_opening(document)}".rstrip(), width)


def _opening(document: Document | None) -> str:
    """A document's title, or the beginning of its text."""
    if document is None:
        return ""
    return harmless(" ".join((document.title or document.text[:200]).split()))
