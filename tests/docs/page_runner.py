"""Running a page: its files are written, its commands run, their output is held against the page."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from page_markdown import Block, blocks

PROGRAMS = {
    "pytest": ["-m", "pytest"],
    "pytest-retrieval": ["-m", "pytest_retrieval.cli"],
    "python": [],
}
"""What a page may run, as arguments of this Python; besides these ``cat FILE`` shows a file."""

_EXIT = re.compile(r"\s+# exit (\d+)$")


@dataclass(frozen=True)
class Command:
    """One ``$`` line of a console block, the exit code it ends with, and what it prints."""

    place: str
    text: str
    code: int
    expected: list[str] = field(default_factory=list)


def run_page(page: Path, folder: Path) -> int:
    """Run a page in ``folder``; returns the number of its commands, AssertionError where it is wrong."""
    count = 0
    for block in blocks(page):
        write(block, folder)
        for command in commands(page, block):
            check(command, folder)
            count += 1
    return count


def write_files(page: Path, folder: Path) -> None:
    """Write the files of a page without running it."""
    for block in blocks(page):
        write(block, folder)


def write(block: Block, folder: Path) -> None:
    """Write the file that a block is titled with, if any."""
    if block.name == "title" and block.value:
        file = folder / block.value
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(block.text, "utf-8", newline="\n")


def commands(page: Path, block: Block) -> Iterator[Command]:
    """The commands of a console block with the output that is shown below each; none of other blocks."""
    if block.language != "console":
        return
    command: Command | None = None
    for number, line in enumerate(block.lines, block.line + 1):
        if line.startswith("$ "):
            if command:
                yield command
            code = _EXIT.search(line)
            text = _EXIT.sub("", line)[2:]
            command = Command(f"{page.name}:{number}", text, int(code[1]) if code else 0)
        elif line.strip():
            assert command, f"{page.name}:{number}: a console block starts with a command"
            command.expected.append(line)
    if command:
        yield command


def check(command: Command, folder: Path) -> None:
    """Run one command in ``folder``; AssertionError when it ends or prints otherwise than shown."""
    code, output = run(command.text, folder)
    told = f"{command.place}: $ {command.text}\n{output}"
    assert code == command.code, f"exit {code}, the page says {command.code}: {told}"
    missing = first_missing(command.expected, output)
    assert missing is None, f"the page shows a line that was not printed (in this order): {missing!r}\n{told}"


def run(text: str, folder: Path) -> tuple[int, str]:
    """Exit code and output of one command, as if it were typed in ``folder``."""
    program, *arguments = shlex.split(text)
    if program == "cat":
        return 0, (folder / arguments[0]).read_text("utf-8")
    assert program in PROGRAMS, f"a page runs {', '.join(PROGRAMS)} and cat only, found: {text}"
    done = subprocess.run(
        [sys.executable, *PROGRAMS[program], *arguments],
        cwd=folder,
        env=_environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        timeout=60,
        check=False,
    )
    return done.returncode, done.stdout


def _environment() -> dict[str, str]:
    # What surrounds these tests (xdist's workers, CI, a user's own options) must not show in the output.
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("PYTEST_", "COV_", "GITHUB_"))}
    kept = {k: v for k, v in kept.items() if k not in ("CI", "BUILD_NUMBER", "PYTHONWARNINGS", "FORCE_COLOR")}
    return {
        **kept,
        # Nor other plugins that happen to be installed; that the entry point works is tested elsewhere.
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        "PYTEST_ADDOPTS": "-p xdist.plugin -p pytest_retrieval.plugin",
        # `python -m pytest` puts the folder on the path, and `pytest`, which the pages say, does not.
        "PYTHONSAFEPATH": "1",
        "PYTHONUTF8": "1",
        "COLUMNS": "80",
        "NO_COLOR": "1",
    }


def first_missing(expected: Sequence[str], output: str) -> str | None:
    """The first line of ``expected`` that ``output`` lacks below the ones before it, None for none.

    ``...`` stands for anything; the width of blanks and rules and the seconds are not compared.
    """
    rest = iter(output.splitlines())
    return next((line for line in expected if not any(shows(line, printed) for printed in rest)), None)


def shows(line: str, printed: str) -> bool:
    """Whether a line of a page stands for a printed one."""
    parts = [re.escape(part) for part in _plain(line).strip().split("...")]
    return re.fullmatch(".*".join(parts), _plain(printed).strip()) is not None


def _plain(text: str) -> str:
    text = re.sub(r"([=_-])\1{2,}", r"\1\1\1", text)
    return re.sub(r"\b\d+\.\d+s\b", "0.00s", re.sub(r"[ \t]+", " ", text))
