"""``convert``: an answer key of another shape becomes a golden set, or goes back to BEIR and TREC."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_retrieval.commands.writing_files import refuse_existing, write_file
from pytest_retrieval.golden.errors import GoldenError, InputError
from pytest_retrieval.golden.exporting import beir_files, lost_fields, trec_files
from pytest_retrieval.golden.model import Query
from pytest_retrieval.golden.naming import SUFFIXES, is_golden_name
from pytest_retrieval.golden.reader import check_labels, parse_golden
from pytest_retrieval.golden.sources.detect import read_source
from pytest_retrieval.golden.sources.imported import Imported, Wishes
from pytest_retrieval.golden.sources.roles import ROLES
from pytest_retrieval.golden.writing import golden_text
from pytest_retrieval.reporting.printable import harmless

if TYPE_CHECKING:
    from argparse import _SubParsersAction


def add_parser(commands: _SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command's words."""
    parser = commands.add_parser(
        "convert",
        help="make a golden set of labels in another shape, or BEIR and TREC files of a golden set",
        description="Read a BEIR folder, TREC topics and qrels, a table (CSV, Quepid's exports), "
        "an Elasticsearch _rank_eval request, a LlamaIndex question-answer set, JSON, JSON lines or a golden "
        "set, and write it as a golden set, a BEIR folder or TREC files. What was guessed is printed.",
    )
    parser.add_argument(
        "sources", type=Path, nargs="+", metavar="SOURCE", help="a file or folder, or questions and labels"
    )
    parser.add_argument(
        "-o", "--output", type=Path, required=True, metavar="OUT",
        help="golden.yaml, golden.jsonl, or a folder with --to",
    )  # fmt: skip
    parser.add_argument(
        "--to", choices=("beir", "trec"), help="write files of this format into the folder OUT"
    )
    parser.add_argument(
        "--map", action="append", nargs="+", default=[], metavar="ROLE=PATH",
        help=f"where a role stands, as a dotted path; the roles are {', '.join(ROLES)}",
    )  # fmt: skip
    parser.add_argument(
        "--document", metavar="RULE",
        help="the id of a label's document, as in '{file}#{page}', '{file}#{pages:pages}' (3-5 is 3, 4, 5) "
        "or '{file}#{span:chunks=500}'",
    )  # fmt: skip
    parser.add_argument(
        "--separator", metavar="S", help="between the columns of a table (default: found out)"
    )
    parser.add_argument("--list-separator", metavar="S", help="between several ids in one cell")
    parser.add_argument("--split", metavar="NAME", help="which of BEIR's files of labels (default: test)")
    parser.add_argument("--documents", metavar="GLOB", help="the corpus, for the header of the golden set")
    parser.add_argument("--force", action="store_true", help="write over what is there")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Read, tell, write; raises InputError where the source or the place is refused."""
    wishes = Wishes(
        roles=_roles(options.map),
        document=options.document,
        separator=_unescaped(options.separator),
        list_separator=_unescaped(options.list_separator),
        split=options.split,
    )
    imported = read_source(options.sources, wishes)
    _tell(options.sources, imported)
    if options.to:
        return _export(options, imported.queries)
    return _write_golden(options, imported.queries)


def _roles(given: Sequence[Sequence[str]]) -> dict[str, str]:
    roles: dict[str, str] = {}
    words = [word.strip() for group in given for text in group for word in text.split(",")]
    for word in filter(None, words):
        role, equals, path = word.partition("=")
        if not equals or not path:
            raise InputError("--map", None, f"found {word!r}, expected ROLE=PATH such as text=question.body")
        if role not in ROLES:
            raise InputError("--map", None, f"there is no role {role!r}; the roles are {', '.join(ROLES)}")
        if role in roles:
            raise InputError("--map", None, f"the role {role!r} is given twice")
        roles[role] = path
    return roles


def _unescaped(separator: str | None) -> str | None:
    # A shell does not type a tab easily.
    return "\t" if separator in ("\\t", "tab") else separator


def _tell(sources: Sequence[Path], imported: Imported) -> None:
    names = " and ".join(harmless(path.as_posix()) for path in sources)
    print(f"{names}: read as {harmless(imported.shape)}")
    for guess in imported.guesses:
        print(f"  guessed {harmless(guess)}")
    for warning in imported.warnings:
        print(f"  warning: {harmless(warning)}")


def _export(options: argparse.Namespace, queries: Sequence[Query]) -> int:
    if options.output.suffix.lower() in SUFFIXES:
        raise InputError(options.output, None, f"is no folder; --to {options.to} writes several files")
    try:
        files = trec_files(queries) if options.to == "trec" else beir_files(queries, options.split or "test")
    except ValueError as error:
        raise InputError(options.output, None, f"was not written: {error}") from None
    paths = {options.output / name: text for name, text in files.items()}
    refuse_existing(paths, force=options.force)
    for path, text in paths.items():
        write_file(path, text)
        print(f"{harmless(path.as_posix())}: written")
    if lost := lost_fields(queries):
        print(f"  warning: {options.to} files cannot hold {harmless(', '.join(lost))}; left out")
    return 0


def _write_golden(options: argparse.Namespace, queries: Sequence[Query]) -> int:
    output: Path = options.output
    if output.suffix.lower() not in SUFFIXES:
        raise InputError(
            output,
            None,
            f"expected a golden set ({', '.join(SUFFIXES)}), or --to beir or --to trec for a folder",
        )
    refuse_existing([output], force=options.force)
    header = {"documents": options.documents} if options.documents else {}
    text = golden_text(output, queries, header)
    golden = parse_golden(output, text)
    write_file(output, text)
    labels = sum(len(query.relevant) for query in queries)
    print(f"{harmless(output.as_posix())}: {len(queries)} queries with {labels} labels written")
    try:
        check_labels(golden, None)
    except GoldenError as error:
        print(f"  warning: {harmless(error.message)}")
    if not is_golden_name(output.name):
        print("  pytest finds it by itself only as golden.*, golden_*.* or *.golden.*")
    return 0
