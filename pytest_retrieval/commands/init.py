"""``init``: a first golden set from the headings of documents, a workflow for CI, and the first baseline."""

from __future__ import annotations

import argparse
import glob
import importlib.util
import os
import re
import subprocess
import sys
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from pytest_retrieval.commands.known_items import ENOUGH, known_items
from pytest_retrieval.commands.starter_files import (
    CONFTEST,
    GIT_ATTRIBUTES_LINE,
    golden_text,
    workflow_text,
)
from pytest_retrieval.golden.documents import find_files, read_documents
from pytest_retrieval.golden.errors import InputError
from pytest_retrieval.golden.naming import SUFFIXES

if TYPE_CHECKING:
    from argparse import _SubParsersAction

_MARKDOWN = ("md", "markdown")
_TEXT = ("txt", "rst")
_WORKFLOW = ".github/workflows/retrieval.yml"
_BM25 = 'pip install "pytest-retrieval[bm25]"'


def add_parser(commands: _SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command's words."""
    parser = commands.add_parser(
        "init",
        help="write a first golden set from the headings of documents, a CI workflow and the first baseline",
        description="Write a first golden set whose queries are the headings of documents, a workflow for "
        "GitHub, and the first baseline. A file that is already there is left as it is.",
    )
    parser.add_argument(
        "docs",
        type=Path,
        nargs="?",
        metavar="DOCS",
        help="the folder of Markdown or text files (default: docs where there is one, else the files here)",
    )
    parser.add_argument(
        "--fixture",
        action="store_true",
        help="ask your own search: write a conftest.py to fill in, in place of the built-in bm25",
    )
    parser.add_argument("--no-baseline", action="store_true", help="ask nothing yet")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Write what is not there yet; 1 when the first baseline was wanted and could not be written."""
    here = Path()
    plan = plan_start(here, options.docs)
    retriever = None if options.fixture else "bm25"
    is_new = _write_golden(here, plan, retriever)
    if options.fixture and not _write(here / "conftest.py", CONFTEST):
        print(f"  it needs a session fixture such as:\n\n{textwrap.indent(CONFTEST, '    ')}")
    _write(here / _WORKFLOW, workflow_text(retriever=retriever))
    _say_where_workflows_are_read(here)
    if not _write(here / ".gitattributes", f"{GIT_ATTRIBUTES_LINE}\n"):
        print(f"  see that it holds: {GIT_ATTRIBUTES_LINE}")
    update = f"pytest --update-baseline {plan.golden}"
    if (here / "baselines" / f"{PurePath(plan.golden).stem}.json").exists():
        print("the baseline is there already and was left\nnext: pytest --retrieval-baseline")
        return 0
    if options.fixture:
        print(f"next: call your search in conftest.py, then write the first baseline:\n  {update}")
        return 0
    if options.no_baseline or not is_new:
        print(f"next: write the first baseline:\n  {update}")
        return 0
    return _first_baseline(here, plan.golden, update)


def _first_baseline(here: Path, golden: str, update: str) -> int:
    """Ask the queries for the first time, in a pytest of its own."""
    if importlib.util.find_spec("rank_bm25") is None:
        print(f"next: bm25 needs a package of its own, then write the first baseline:\n  {_BM25}\n  {update}")
        return 1
    # The long flag: a conftest.py of the project may own the short one.
    words = ["-m", "pytest", "-q", "--retrieval-update-baseline", golden]
    print(f"first baseline: python {' '.join(words)}", flush=True)
    if subprocess.run([sys.executable, *words], cwd=here, check=False).returncode:
        print(f"next: no baseline was written, for the reason above; mend it, then:\n  {update}")
        return 1
    print("next: commit these files, and from now on run:\n  pytest --retrieval-baseline")
    return 0


@dataclass(frozen=True, slots=True)
class Start:
    """What is to be asked: the golden set's file name, and the folder and globs of its documents."""

    golden: str
    globs: tuple[str, ...]
    folder: str


def plan_start(here: Path, docs: Path | None) -> Start:
    """Choose documents and a name; InputError where there is no document.

    A folder that is named, or ``docs``, is read with the folders below it. The current folder
    is not, and there text files count only where there is no Markdown, as many are no documents.
    """
    chosen = docs if docs is not None else Path("docs") if _documents_in(here, Path("docs")) else Path()
    if not (here / chosen).is_dir():
        raise InputError(chosen, None, "is no folder of documents; name one: pytest-retrieval init DOCS")
    folder = _relative(here, chosen)
    globs = _documents_in(here, folder)
    if not globs:
        kinds = ", ".join(f"*.{suffix}" for suffix in (*_MARKDOWN, *_TEXT))
        raise InputError(chosen, None, f"holds no {kinds}; name the folder: pytest-retrieval init DOCS")
    if folder == PurePath():
        return Start("golden.yaml", globs, "this folder")
    name = re.sub(r"\W+", "_", folder.name if folder.name != ".." else "").strip("_").lower() or "docs"
    return Start(f"golden_{name}.yaml", globs, folder.as_posix())


def _relative(here: Path, folder: Path) -> PurePath:
    try:
        return PurePath(os.path.relpath(here / folder, here))
    except ValueError:
        raise InputError(folder, None, "is on another drive than this folder") from None


def _documents_in(here: Path, folder: PurePath) -> tuple[str, ...]:
    """The globs that name documents, one for each suffix that is there."""
    if folder == PurePath():
        return _present(here, "", _MARKDOWN) or _present(here, "", _TEXT)
    return _present(here, f"{glob.escape(folder.as_posix())}/**/", (*_MARKDOWN, *_TEXT))


def _present(here: Path, prefix: str, suffixes: Sequence[str]) -> tuple[str, ...]:
    return tuple(pattern for pattern in (f"{prefix}*.{suffix}" for suffix in suffixes) if _any(here, pattern))


def _any(here: Path, pattern: str) -> bool:
    try:
        return bool(find_files(here, [pattern]))
    except InputError:
        return False


def _write_golden(here: Path, plan: Start, retriever: str | None) -> bool:
    """Write the golden set, unless there is one of this name with any suffix; whether it was written."""
    for suffix in SUFFIXES:
        kept = (here / plan.golden).with_suffix(suffix)
        if kept.exists():
            print(f"{_name(kept)}: is there already and was left")
            return False
    documents = read_documents(here, plan.globs)
    items = known_items(documents)
    if not items:
        raise InputError(
            plan.folder,
            None,
            "no heading here names one document only, so no query can be made of them; "
            f"write {plan.golden} by hand",
        )
    _write(here / plan.golden, golden_text(items, plan.globs, retriever=retriever))
    asked = len({item.document for item in items})
    print(
        f"  {len(items)} queries, headings of {asked} of {len(documents)} documents ({', '.join(plan.globs)})"
    )
    if len(items) < ENOUGH:
        print(
            f"  few: a gate needs about {ENOUGH} queries to tell a real drop from chance; "
            "add questions of your own"
        )
    return True


def _write(path: Path, text: str) -> bool:
    """Write a file that is not there yet and say so; False, and nothing done, when it is."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(path, None, f"cannot be written, its folder neither ({error.strerror})") from None
    try:
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except FileExistsError:
        print(f"{_name(path)}: is there already and was left")
        return False
    except OSError as error:
        raise InputError(path, None, f"cannot be written ({error.strerror})") from None
    print(f"{_name(path)}: written")
    return True


def _name(path: Path) -> str:
    return path.as_posix()


def _say_where_workflows_are_read(here: Path) -> None:
    root = here.absolute()
    if (root / ".git").exists():
        return
    if above := next((folder for folder in root.parents if (folder / ".git").exists()), None):
        print(
            f"  GitHub reads workflows in the repository's root only: move it below {above}, "
            f"and give its job working-directory: {root.relative_to(above).as_posix()}"
        )
