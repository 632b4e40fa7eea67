"""Take the pictures of the reports anew: `make screenshots`.

The HTML report, the Markdown as a pull request shows it, and the tables of narrow and wide terminals.
They show this project's own gate after a harm that happens to real projects: the pages were cleaned of
all code before they were indexed, so that names and messages are found no longer.
"""

from __future__ import annotations

import io
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from markdown_it import MarkdownIt
from playwright.sync_api import Page, sync_playwright
from rich.console import Console
from rich.text import Text

DOCS = Path(__file__).resolve().parent
ROOT = DOCS.parent
LARGEST = 200_000  # bytes of a picture: pages are read on trains
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def write_reports(folder: Path) -> None:
    """The reports of the project's own gate over pages without their code."""
    shutil.copy(ROOT / "golden_docs.yaml", folder)
    shutil.copytree(ROOT / "baselines", folder / "baselines")
    (folder / "docs").mkdir()
    for page in DOCS.glob("*.md"):
        (folder / "docs" / page.name).write_text(_without_code(page.read_text("utf-8")), "utf-8")
    (folder / "pytest.ini").write_text("[pytest]\n", "utf-8")
    reports = ["--retrieval-report=report.html", "--retrieval-report=report.md"]
    for name, (width, colour) in TERMINALS.items():
        command = [sys.executable, "-m", "pytest", "-q", "golden_docs.yaml", "--retrieval-baseline", *reports]
        done = subprocess.run(
            [*command, "--tb=no", f"--color={colour}"],
            cwd=folder,
            env={**os.environ, "COLUMNS": str(width)},
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
        )
        if done.returncode != 1:
            raise SystemExit(f"the gate was to be red: {done.returncode}\n{done.stdout}{done.stderr}")
        (folder / name).write_text(_terminal(done.stdout, width), "utf-8")
    rendered = MarkdownIt("gfm-like", {"html": True, "linkify": False}).render(
        (folder / "report.md").read_text("utf-8")
    )
    (folder / "markdown.html").write_text(f"<!doctype html><style>{_STYLE}</style>{rendered}", "utf-8")


def _terminal(printed: str, width: int) -> str:
    """The closing table as a page that looks like a terminal of so many columns."""
    table = printed[printed.index("= retrieval =") :].split("\n", 1)[1]
    console = Console(
        record=True, width=width, file=io.StringIO(), force_terminal=True, color_system="truecolor"
    )
    for line in table.splitlines()[:TERMINAL_LINES]:
        console.print(Text.from_ansi(line), soft_wrap=True)
    look = "body{margin:16px;background:#fff}pre{font:13px/1.35 DejaVu Sans Mono,monospace;margin:0}"
    return console.export_html(inline_styles=True).replace("<head>", f"<head><style>{look}</style>")


def _without_code(text: str) -> str:
    text = re.sub(r"^(`{3,}).*?^\1\n", "", text, flags=re.DOTALL | re.MULTILINE)
    return re.sub(r"`[^`\n]*`", "", text)


TERMINAL_LINES = 46
TERMINALS = {
    "terminal-80.html": (80, "yes"),
    "terminal-160.html": (160, "yes"),
    "terminal-80-plain.html": (80, "no"),
}
"""Page -> columns, and whether in colour."""

_STYLE = (
    "body{max-width:840px;margin:24px auto;padding:0 24px;font:16px/1.5 sans-serif;color:#1f2328}"
    "table{border-collapse:collapse;font-size:14px}td,th{border:1px solid #d1d9e0;padding:6px 10px}"
    "code{font:85% DejaVu Sans Mono,monospace;background:#818b981f;padding:.1em .3em;border-radius:6px}"
    "summary{cursor:pointer}"
)


def show_top(_: Page) -> None:
    """The page as it opens."""


def show_query(page: Page) -> None:
    """The questions of the broken kind, one of them opened."""
    page.get_by_label("Metric").select_option("ndcg@5")
    page.get_by_label("Kind", exact=True).select_option("identifier")
    page.locator("[data-sort=id]").click()
    page.get_by_role("button", name="i02", exact=True).click()
    page.locator(".explorer").evaluate("element => element.scrollIntoView({behavior: 'instant'})")


PICTURES = {
    "html-report-light.png": ("report.html", 1180, "light", show_top),
    "html-report-dark.png": ("report.html", 1180, "dark", show_query),
    "markdown-report.png": ("markdown.html", 900, "light", show_top),
    "terminal-80.png": ("terminal-80.html", 690, "light", show_top),
    "terminal-80-plain.png": ("terminal-80-plain.html", 690, "light", show_top),
    "terminal-160.png": ("terminal-160.html", 1320, "light", show_top),
}
"""Picture -> page, its width, colours, and what is done before it is taken."""


def take(folder: Path) -> None:
    """Write the pictures of the reports in a folder; SystemExit where one is too large."""
    browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=browser, args=FLAGS)
        for name, (source, width, scheme, prepare) in PICTURES.items():
            page = running.new_page(color_scheme=scheme, viewport={"width": width, "height": 1040})
            page.goto((folder / source).as_uri())
            if source == "report.html":
                page.locator(".query").first.wait_for()
            prepare(page)
            path = DOCS / "pictures" / name
            page.screenshot(path=path)
            if path.stat().st_size > LARGEST:
                raise SystemExit(f"docs/pictures/{name} has {path.stat().st_size} bytes")
            print(f"docs/pictures/{name}")
        running.close()


if __name__ == "__main__":
    with TemporaryDirectory() as name:
        write_reports(Path(name))
        take(Path(name))
