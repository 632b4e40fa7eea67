"""Take the pictures of the HTML report anew: `make screenshots`.

They show this project's own gate after a harm that happens to real projects: the pages were cleaned of
all code before they were indexed, so that names and messages are found no longer.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Page, sync_playwright

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


def write_report(folder: Path) -> Path:
    """The report of the project's own gate over pages without their code."""
    shutil.copy(ROOT / "golden_docs.yaml", folder)
    shutil.copytree(ROOT / "baselines", folder / "baselines")
    (folder / "docs").mkdir()
    for page in DOCS.glob("*.md"):
        (folder / "docs" / page.name).write_text(_without_code(page.read_text("utf-8")), "utf-8")
    (folder / "pytest.ini").write_text("[pytest]\n", "utf-8")
    arguments = ["golden_docs.yaml", "--retrieval-baseline", "--retrieval-report=report.html"]
    done = subprocess.run([sys.executable, "-m", "pytest", "-q", *arguments], cwd=folder, check=False)
    if done.returncode != 1:
        raise SystemExit(f"the gate was to be red, and pytest ended with {done.returncode}")
    return folder / "report.html"


def _without_code(text: str) -> str:
    text = re.sub(r"^(`{3,}).*?^\1\n", "", text, flags=re.DOTALL | re.MULTILINE)
    return re.sub(r"`[^`\n]*`", "", text)


def show_top(_: Page) -> None:
    """The page as it opens."""


def show_query(page: Page) -> None:
    """The questions of the broken kind, one of them opened."""
    page.get_by_label("Metric").select_option("ndcg@5")
    page.get_by_label("Kind", exact=True).select_option("identifier")
    page.locator("[data-sort=id]").click()
    page.get_by_role("button", name="i02", exact=True).click()
    page.locator(".explorer").evaluate("element => element.scrollIntoView({behavior: 'instant'})")


PICTURES = {"html-report-light.png": ("light", show_top), "html-report-dark.png": ("dark", show_query)}
"""Picture -> colours, and what is done before it is taken."""


def take(report: Path) -> None:
    """Write the pictures of a report; SystemExit where one is too large."""
    browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=browser, args=FLAGS)
        for name, (scheme, prepare) in PICTURES.items():
            page = running.new_page(color_scheme=scheme, viewport={"width": 1180, "height": 1040})
            page.goto(report.as_uri())
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
        take(write_report(Path(name)))
