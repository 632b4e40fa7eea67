"""Keep search quality from getting worse unnoticed.

The names below are the engine behind the pytest plugin, usable from a script or
a notebook. They load on first use, so that importing the package costs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pytest_retrieval.gating.comparing import compare
    from pytest_retrieval.gating.verdict import Verdict
    from pytest_retrieval.golden.model import GoldenSet, Query
    from pytest_retrieval.golden.reader import load_golden
    from pytest_retrieval.retrieval.adapters.http import http_search
    from pytest_retrieval.retrieval.adapters.sql import sql_search
    from pytest_retrieval.retrieval.composition import hybrid, rerank
    from pytest_retrieval.retrieval.ranking import Ranking
    from pytest_retrieval.scoring.evaluation import Evaluation
    from pytest_retrieval.scoring.measuring import evaluate
    from pytest_retrieval.scoring.slicing import by_slice

__version__ = "0.1.0"

__all__ = [
    "Evaluation",
    "GoldenSet",
    "Query",
    "Ranking",
    "Verdict",
    "by_slice",
    "compare",
    "evaluate",
    "http_search",
    "hybrid",
    "load_golden",
    "rerank",
    "sql_search",
]

_HOMES = {
    "Evaluation": "scoring.evaluation",
    "GoldenSet": "golden.model",
    "Query": "golden.model",
    "Ranking": "retrieval.ranking",
    "Verdict": "gating.verdict",
    "by_slice": "scoring.slicing",
    "compare": "gating.comparing",
    "evaluate": "scoring.measuring",
    "http_search": "retrieval.adapters.http",
    "hybrid": "retrieval.composition",
    "load_golden": "golden.reader",
    "rerank": "retrieval.composition",
    "sql_search": "retrieval.adapters.sql",
}


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f"{__name__}.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
