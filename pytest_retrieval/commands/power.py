"""``power``: what a golden set can resolve, and how many queries a drop needs."""

from __future__ import annotations

import argparse
import re
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_retrieval.commands.arguments import share
from pytest_retrieval.gating.baseline import fingerprint
from pytest_retrieval.gating.baseline_file import read_baseline
from pytest_retrieval.gating.pairing import Scores, incomparable_metrics
from pytest_retrieval.gating.planning import Outlook, family_size, look_ahead
from pytest_retrieval.gating.policy import (
    DEFAULT_CONFIDENCE,
    DEFAULT_MARGIN,
    DEFAULT_MIN_QUERIES,
    Policy,
    agree,
)
from pytest_retrieval.gating.power import can_never_fail
from pytest_retrieval.golden.document_fields import with_document_fields
from pytest_retrieval.golden.errors import GoldenError
from pytest_retrieval.golden.model import GoldenSet, Query
from pytest_retrieval.golden.reader import load_golden
from pytest_retrieval.reporting import wording
from pytest_retrieval.reporting.advice import never_fails
from pytest_retrieval.reporting.notes import CONTRACTS_ALONE
from pytest_retrieval.reporting.printable import harmless, wrap
from pytest_retrieval.reporting.table import Row, table
from pytest_retrieval.retrieval.ranking import Ranking
from pytest_retrieval.scoring.evaluation import mark

if TYPE_CHECKING:
    from argparse import _SubParsersAction

DEFAULT_DROP = 0.05
DEFAULT_CHANGED = 0.1
"""A nudge of one parameter changes ndcg@10 on 2 to 40 % of the queries of a real collection, recall@10
on 0 to 8 %; another component changes a third to nearly all."""

_NARROWEST = 80
_FEW = 30  # up to so many queries the number that must fall is told


def add_parser(commands: _SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command's words."""
    parser = commands.add_parser(
        "power",
        help="what a golden set can resolve",
        description="Tell for each slice the smallest drop that its gate sees in four of five cases, how "
        "many queries must fall for a regression, and how many queries it takes to see a given drop. "
        "Margins and the like are those of the golden set's header, then those given here.",
    )
    parser.add_argument("golden", type=Path, metavar="GOLDEN", help="the golden set")
    parser.add_argument(
        "--baseline", type=Path, metavar="FILE", help="take the spread of the scores from this baseline "
        "(default: baselines/GOLDEN.json where it exists; else every change counts as a full point)",
    )  # fmt: skip
    parser.add_argument(
        "--drop", type=share, default=DEFAULT_DROP, metavar="X", help="the drop to see (default: 0.05)"
    )
    parser.add_argument(
        "--changed",
        type=share,
        default=DEFAULT_CHANGED,
        metavar="X",
        help="the share of queries whose score changes for no reason (default: 0.1)",
    )
    parser.add_argument("--metrics", metavar="LIST", help="the gated metrics (default: recall@5,ndcg@10)")
    parser.add_argument("--margin", type=share, default=DEFAULT_MARGIN, metavar="X")
    parser.add_argument("--confidence", type=float, default=DEFAULT_CONFIDENCE, metavar="X")
    parser.add_argument("--min-queries", type=int, default=DEFAULT_MIN_QUERIES, metavar="N")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print the table; raises GoldenError or BaselineError where a file cannot be used."""
    golden = load_golden(options.golden, check_documents=False)
    if not golden.answerable:
        raise GoldenError(options.golden, None, f"{CONTRACTS_ALONE}: every query is answerable: false")
    pattern = golden.header.document_id
    golden = with_document_fields(golden, re.compile(pattern) if pattern else None)
    policy = _policy(golden, options)
    queries = tuple(query for query in golden.queries if query.answerable)
    place = options.baseline or _usual_place(options.golden)
    known = _known_scores(queries, policy, place) if place else {}
    outlooks = look_ahead(queries, known, policy, options.drop, options.changed)
    width = max(_NARROWEST, shutil.get_terminal_size().columns)
    gates = family_size(queries, policy)
    shared = "1 gate with" if gates == 1 else f"{gates} gates share"
    title = f"{harmless(str(options.golden))}: {len(queries)} queries, {shared} an error of "
    lines = [*wrap(f"{title}{(1 - policy.confidence) * 100:.6g} %", width)]
    if can_never_fail(len(queries), policy):
        lines += wrap(never_fails(len(queries), policy), width)
    for metric in policy.metrics:
        lines += _table(
            metric, [one for one in outlooks if one.metric == metric], policy, options.drop, width
        )
        lines += wrap(_basis(metric, known, place, options.changed), width, "  ")
    legend = (
        "can see: the smallest true drop that is noticed in four of five runs; must fall: so many queries"
    )
    print(
        "\n".join([*lines, *wrap(f"{legend} must lose all they have before it can be a regression", width)])
    )
    return 0


def _policy(golden: GoldenSet, options: argparse.Namespace) -> Policy:
    gate = golden.header.gate
    metrics = [name for name in (options.metrics or "").split(",") if name.strip()]
    try:
        return agree(
            replace(gate, metrics=tuple(metrics)) if metrics else gate,
            margin=options.margin,
            confidence=options.confidence,
            min_queries=options.min_queries,
        )
    except ValueError as error:
        raise GoldenError(options.golden, golden.header.lines.get("gate"), f"gate: {error}") from None


def _usual_place(golden: Path) -> Path | None:
    """Where the plugin keeps the baseline, seen from the project's root; None where there is none."""
    if golden.is_absolute() or ".." in golden.parts:
        return None
    place = Path("baselines") / golden.with_suffix(".json")
    return place if place.exists() else None


def _known_scores(queries: Sequence[Query], policy: Policy, place: Path) -> Scores:
    """The baseline's scores under today's labels, for queries with today's text."""
    baseline = read_baseline(place, str(place))
    rows = baseline.by_id()
    held = [query for query in queries if query.id in rows and rows[query.id].text == fingerprint(query)]
    too_deep = incomparable_metrics(policy.metrics, baseline.depth, baseline.depth)
    return mark(
        GoldenSet(tuple(held)),
        {query.id: Ranking(rows[query.id].ranked) for query in held},
        metrics=[metric for metric in policy.metrics if metric not in too_deep],
        depth=baseline.depth,
    ).scores


def _table(
    metric: str, outlooks: Sequence[Outlook], policy: Policy, drop: float, width: int
) -> Iterator[str]:
    margins = sorted({policy.margin(metric, one.slice.kind) for one in outlooks})
    yield f"{harmless(metric)}, margin {' or '.join(map(wording.agreed, margins))}"
    rows = []
    for one in outlooks:
        n = len(one.slice.queries)
        falls = f"{one.falls} of {n}" if one.falls is not None and n <= _FEW else wording.NONE
        sees = "small kind" if one.slice.small else "nothing" if one.sees is None else f"{one.sees:.2f}"
        needed = wording.NONE if one.needed is None else str(one.needed)
        cells = (wording.slice_label(one.slice.label), str(n), sees, falls, needed)
        rows.append(Row(tuple((cell, "") for cell in cells)))
    titles = ["", "n", "can see", "must fall", f"queries to see {drop:.6g}"]
    yield from (line.text for line in table(titles, rows, width))


def _basis(metric: str, known: Scores, place: Path | None, changed: float) -> str:
    """What the spread rests on."""
    if known.get(metric):
        sizes = f"a change is as large as the scores in {harmless(str(place))} differ"
    else:
        sizes = "a change is taken for a full point, as in hit_rate; a baseline tells more"
    return f"assumed: {changed * 100:.6g} % of the queries change by chance; {sizes}"
