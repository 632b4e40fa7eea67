"""How Sphinx builds these pages into a site: `make docs`."""

from __future__ import annotations

import re

from pygments.lexers.data import JsonLexer
from sphinx.application import Sphinx
from sphinx.highlighting import lexers

project = "pytest-retrieval"
author = "The pytest-retrieval authors"
project_copyright = author
extensions = ["myst_parser"]
exclude_patterns = ["_*"]
html_theme = "furo"
html_title = "pytest-retrieval"
# Headings are named as GitHub names them, so that the same links lead there on both.
myst_heading_anchors = 4
nitpicky = True

lexers["jsonl"] = JsonLexer()

_PART = re.compile(r"^## (?P<caption>.+)$", re.MULTILINE)
_PAGE = re.compile(r"^- \[[^\]]+\]\((?P<page>[\w-]+)\.md\)", re.MULTILINE)


def _add_toctrees(app: Sphinx, docname: str, source: list[str]) -> None:
    """The lists of the index are the site's navigation: written once, plain Markdown on GitHub."""
    if docname != "index":
        return
    _, *parts = _PART.split(source[0])
    for caption, listed in zip(parts[::2], parts[1::2], strict=True):
        pages = "\n".join(_PAGE.findall(listed))
        source[0] += f"\n```{{toctree}}\n:hidden:\n:caption: {caption}\n\n{pages}\n```\n"


def setup(app: Sphinx) -> None:
    """Sphinx calls this."""
    app.connect("source-read", _add_toctrees)
