"""Reading a JSON report for a command."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pytest_retrieval.golden.errors import InputError
from pytest_retrieval.reporting.json_report import FORMAT

WRITE_ONE = "write one with: pytest --retrieval-report=FILE.json"
"""What to do about a report that cannot be used."""


class ReportError(InputError):
    """A report that cannot be used as asked."""


def read_report(path: Path) -> Mapping[str, Any]:
    """A report that holds one set or more; ReportError for what is none."""
    try:
        data = json.loads(path.read_text("utf-8"))
    except OSError as error:
        raise ReportError(path, None, f"cannot be read ({error.strerror}); {WRITE_ONE}") from None
    except ValueError as error:
        raise ReportError(path, None, f"is no JSON ({error}); {WRITE_ONE}") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT or not isinstance(data.get("sets"), list):
        raise ReportError(path, None, f"is no report of format {FORMAT!r}; {WRITE_ONE}")
    if not data["sets"]:
        raise ReportError(path, None, f"holds no golden set; {WRITE_ONE}")
    return data
