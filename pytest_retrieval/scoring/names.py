"""Metric names: one canonical spelling each, and the spellings other tools use for them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches

DEFAULT_METRICS = ("hit_rate@5", "precision@5", "recall@5", "mrr", "ndcg@10")
DEFAULT_DEPTH = 20

_WITH_CUTOFF = ("recall", "precision", "hit_rate", "f1", "mrr", "map", "ndcg", "ndcg_burges", "judged")
_WITHOUT_CUTOFF = ("r_precision", "bpref")
_KNOWN = ", ".join([*(f"{name}[@k]" for name in _WITH_CUTOFF), *_WITHOUT_CUTOFF])

# Lower case; our own names are ranx's, the others are those of ir_measures and trec_eval.
_ALIASES = {
    **{name: name for name in _WITH_CUTOFF + _WITHOUT_CUTOFF},
    **dict.fromkeys(("r", "setr", "set_recall"), "recall"),
    **dict.fromkeys(("p", "setp", "set_p"), "precision"),
    **dict.fromkeys(("hit", "hitrate", "success"), "hit_rate"),
    **dict.fromkeys(("setf", "set_f"), "f1"),
    **dict.fromkeys(("rr", "recip_rank", "reciprocal_rank"), "mrr"),
    **dict.fromkeys(("ap",), "map"),
    **dict.fromkeys(("rprec", "r-precision"), "r_precision"),
}
# trec_eval writes the cut-off behind an underscore (output) or a dot (option -m).
_TREC_EVAL_CUT = {
    "recall": "recall",
    "p": "precision",
    "success": "hit_rate",
    "map_cut": "map",
    "ndcg_cut": "ndcg",
}
_SPELLINGS = sorted({*_ALIASES, *_TREC_EVAL_CUT})


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric and its cut-off.

    ``name`` is a canonical name without cut-off; ``k`` (1 or more) cuts the ranking,
    None takes the whole list.
    """

    name: str
    k: int | None = None

    def __str__(self) -> str:
        return self.name if self.k is None else f"{self.name}@{self.k}"


def parse_metric(text: str) -> Metric:
    """Read a metric in any known spelling, whatever its case.

    Known are the names of ranx (``ndcg@10``, ``hit_rate@5``), ir_measures (``nDCG@10``,
    ``Success@5``) and trec_eval (``ndcg_cut_10``, ``success_5``). Raises ValueError that
    lists the known names for anything else.
    """
    spelling = text.strip().lower()
    cut = re.fullmatch(r"([a-z_]+)[_.]([0-9]+)", spelling)
    if cut and cut[1] in _TREC_EVAL_CUT:
        return Metric(_TREC_EVAL_CUT[cut[1]], _cutoff(cut[2], text))
    base, at, cutoff = spelling.partition("@")
    name = _ALIASES.get(base)
    if name is None:
        raise ValueError(f"unknown metric {text!r}{_suggestion(spelling)}; known are {_KNOWN}")
    if not at:
        return Metric(name)
    if name in _WITHOUT_CUTOFF:
        raise ValueError(f"{text!r}: {name} takes no cut-off; write {name}")
    return Metric(name, _cutoff(cutoff, text))


def canonical(names: Iterable[str]) -> tuple[str, ...]:
    """The canonical spellings, each once, in order of first appearance; ValueError for an unknown one."""
    if isinstance(names, str):
        raise ValueError(f"expected a list of metric names, found the text {names!r}")
    return tuple(dict.fromkeys(str(parse_metric(name)) for name in names))


def required_depth(metrics: Iterable[str]) -> int:
    """How many results a query needs: the largest cut-off, at least :data:`DEFAULT_DEPTH`."""
    return max([DEFAULT_DEPTH, *(parse_metric(metric).k or 0 for metric in metrics)])


def is_whole_list(metric: str) -> bool:
    """Whether the value depends on how long the ranking is beyond any cut-off.

    ``r_precision`` looks as deep as a query has relevant documents, so it counts as one.
    """
    return parse_metric(metric).k is None


def _cutoff(digits: str, text: str) -> int:
    if not re.fullmatch(r"[1-9][0-9]{0,8}", digits):
        raise ValueError(f"{text!r}: the cut-off must be a whole number of at least 1, as in recall@5")
    return int(digits)


def _suggestion(spelling: str) -> str:
    parts = re.fullmatch(r"(.*?)[@_.\-]?([0-9]*)", spelling)
    base, digits = (parts[1], parts[2]) if parts else (spelling, "")
    close = get_close_matches(base, _SPELLINGS, n=1)
    if not close:
        return ""
    name = _ALIASES.get(close[0]) or _TREC_EVAL_CUT[close[0]]
    return f", did you mean {name}@{digits}" if digits and name in _WITH_CUTOFF else f", did you mean {name}"
