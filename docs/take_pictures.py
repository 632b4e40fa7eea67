"""Take the pictures of the pages anew: `make pictures`.

A picture is what a page shows below its last command, in the colours of a terminal.
"""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.console import Console
from rich.text import Text

DOCS = Path(__file__).resolve().parent
sys.path.insert(0, str(DOCS.parent / "tests" / "docs"))

from page_markdown import blocks  # noqa: E402
from page_runner import Command, commands, run, shows, write  # noqa: E402

PICTURES = {"red-gate.svg": "getting-started.md"}
"""Picture -> page."""


def take(page: Path) -> str:
    """The picture of a page as SVG; ValueError for a page without a command."""
    last: tuple[Command, str] | None = None
    with TemporaryDirectory() as name:
        for block in blocks(page):
            write(block, Path(name))
            for command in commands(page, block):
                last = command, run(f"{command.text} --color=yes", Path(name))[1]
    if last is None:
        raise ValueError(f"{page.name} runs nothing")
    console = Console(
        record=True, width=82, file=io.StringIO(), force_terminal=True, color_system="truecolor"
    )
    console.print(Text(f"$ {last[0].text}", style="bold"))
    for line in _shown(*last):
        console.print(line, soft_wrap=True)
    svg = console.export_svg(title="pytest-retrieval", unique_id="picture")
    # GitHub loads nothing from elsewhere into a picture: the reader's own monospaced font is used.
    svg = re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)
    return svg.replace(
        "Fira Code, monospace", "Menlo, Consolas, Liberation Mono, DejaVu Sans Mono, monospace"
    )


def _shown(command: Command, output: str) -> Iterator[Text]:
    """The lines of the output that the page shows, with their colours."""
    printed = iter(Text.from_ansi(line) for line in output.splitlines())
    for line in command.expected:
        if line == "...":
            yield Text("...")
        else:
            found = next(text for text in printed if shows(line, text.plain))
            if len(found) > len(line) and line.endswith("..."):
                # With colours pytest cuts its summary later, beyond the picture's edge.
                found = found[: len(line) - 3] + Text("...")
            seconds = re.search(r"\d+\.\d+s", found.plain)
            # The page's seconds, so that the same commit makes the same picture.
            yield _with_seconds(found, seconds, line) if seconds else found


def _with_seconds(text: Text, seconds: re.Match[str], line: str) -> Text:
    before, after = text[: seconds.start()], text[seconds.end() :]
    as_written = re.search(r"\d+\.\d+s", line)
    return before + Text(as_written[0] if as_written else "", style=text.spans[-1].style) + after


if __name__ == "__main__":
    for name, page in PICTURES.items():
        (DOCS / "pictures" / name).write_text(take(DOCS / page), "utf-8", newline="\n")
        print(f"docs/pictures/{name}")
