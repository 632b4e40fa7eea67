"""The page that people open: one file with all it needs, which asks nothing of any network.

The parts lie in ``page/``: a template, styles, scripts, and uPlot, which draws the charts. The report
itself is in the page as one block of JSON. Its texts reach the page escaped, or through scripts as
text; the page's policy runs no script but these, by their hashes, and fetches nothing.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

from pytest_retrieval.golden.whole_file import write_whole
from pytest_retrieval.reporting import headline, wording
from pytest_retrieval.reporting.advice import advice
from pytest_retrieval.reporting.from_json import run_result
from pytest_retrieval.reporting.json_report import report_data
from pytest_retrieval.reporting.missing_library import MissingLibraryError
from pytest_retrieval.reporting.printable import harmless
from pytest_retrieval.reporting.result import RunResult

PARTS = "page"
STYLES = ("uPlot.min.css", "page.css")
SCRIPTS = ("text.js", "model.js", "plot.js", "charts.js", "rankings.js", "explorer.js", "page.js")
"""In the order in which they need each other."""

SYMBOLS = {
    "regression": "✖",
    "below floor": "▼",
    "suspected": "!",
    "not evaluated": "?",
    "too few queries": "…",
    "improved": "▲",
    "pass": "✓",
    "unchanged": "=",
    "incomplete": "?",
    "failed": "✖",
    "measured": "=",
}
"""Verdict or status -> a sign, so that no meaning hangs on a colour alone."""

_ESCAPES = {ord(sign): f"\\u{ord(sign):04x}" for sign in "<>&\u2028\u2029"}


def write_html_report(path: Path, run: RunResult) -> None:
    """Write the page of a run in one step.

    Raises OSError when the file system refuses, MissingLibraryError where Jinja2 is not installed.
    """
    write_whole(path, html_page(report_data(run)))


def html_page(data: Mapping[str, Any]) -> str:
    """The page of a JSON report: ``report_data`` of a run, or what a report file holds.

    Raises ValueError for what is no report, MissingLibraryError where Jinja2 is not installed.
    """
    try:
        from jinja2 import Environment, PackageLoader, StrictUndefined
        from markupsafe import Markup
    except ModuleNotFoundError:
        raise MissingLibraryError(
            "an HTML report needs Jinja2; run: pip install 'pytest-retrieval[html]'"
        ) from None

    def safe(value: object) -> object:
        return harmless(value) if isinstance(value, str) and not isinstance(value, Markup) else value

    environment = Environment(
        loader=PackageLoader(__package__, PARTS),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=safe,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    style, script = _joined(STYLES), f'"use strict";(() => {{\n{_joined(SCRIPTS)}\n}})();\n'
    # Its licence wants to be in every copy.
    library = f"/*\n{_joined(('uPlot.LICENSE.txt',))}\n*/\n{_joined(('uPlot.iife.min.js',))}"
    run = run_result(data)
    return environment.get_template("page.html.jinja").render(
        run=run,
        headline=headline,
        wording=wording,
        symbols=SYMBOLS,
        steps=[advice(result, [row.verdict for row in result.gates]) for result in run.sets],
        policy=_policy(style, library, script),
        style=Markup(style),
        library=Markup(library),
        script=Markup(script),
        data=Markup(embedded(data)),
    )


def embedded(data: Mapping[str, Any]) -> str:
    r"""JSON that may stand in a ``script`` element: no sign in it can end the element or begin a comment.

    ASCII only: a lone surrogate of a damaged report stays an escape.
    """
    text = json.dumps(data, allow_nan=False, separators=(",", ":"))
    return text.translate(_ESCAPES)


def _policy(style: str, *scripts: str) -> str:
    """What the page may do, as a Content-Security-Policy."""
    return (
        f"default-src 'none'; script-src {' '.join(map(_hash, scripts))}; style-src {_hash(style)}; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


def _hash(part: str) -> str:
    digest = hashlib.sha256(part.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"


def _joined(names: tuple[str, ...]) -> str:
    folder = files(__package__).joinpath(PARTS)
    return "\n".join(folder.joinpath(name).read_text("utf-8").strip() for name in names)
