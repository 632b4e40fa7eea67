"""The queries behind a red slice: what was expected and what came instead."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from pytest_retrieval.gating.verdict import ANCHOR, BASELINE, IMPROVED, Verdict
from pytest_retrieval.reporting import wording
from pytest_retrieval.reporting.line import Line, styled
from pytest_retrieval.reporting.printable import cell_width, clip, harmless, listed
from pytest_retrieval.reporting.result import QueryResult, SetResult

SHOWN_QUERIES = 5
SHOWN_DOCUMENTS = 5


@dataclass(frozen=True, slots=True)
class WorstQuery:
    """A query and the metric on which it did worst; ``before`` is None where none is known.

    ``against`` is what ``before`` is taken from, as in a verdict.
    """

    query: QueryResult
    metric: str
    before: float | None
    after: float
    against: str = BASELINE

    @property
    def change(self) -> str:
        """The score before and after, or today's alone."""
        if self.before is None:
            return wording.score(self.after)
        since = " since the anchor" if self.against == ANCHOR else ""
        return f"{wording.score(self.before)} -> {wording.score(self.after)}{since}"


def worst_queries(result: SetResult, verdicts: Iterable[Verdict]) -> list[WorstQuery]:
    """The queries that did worst in the slices among ``verdicts`` that are red for what they lost.

    Every red slice in turn names its worst, then its second worst, and so on, so that one
    broken kind does not hide another. Queries that fell come first, by the size of the fall; then,
    for floors, those of the lowest score. Each query is there once.
    """
    ranked = []
    for verdict in verdicts:
        if verdict.verdict == IMPROVED or not wording.is_red(verdict, result.fail_on):
            continue
        found = []
        for query in result.queries:
            after = (query.scores or {}).get(verdict.metric)
            if after is None or not _within(query, verdict.slice):
                continue
            scores = query.anchor if verdict.against == ANCHOR else query.baseline
            before = (scores or {}).get(verdict.metric)
            candidate = WorstQuery(query, verdict.metric, before, after, verdict.against)
            if _guilty(candidate, verdict):
                found.append(candidate)
        ranked.append(sorted(found, key=_badness)[:SHOWN_QUERIES])
    worst: dict[str, WorstQuery] = {}
    for turn in zip_longest(*ranked):
        for candidate in filter(None, turn):
            worst.setdefault(candidate.query.id, candidate)
    return list(worst.values())[:SHOWN_QUERIES]


def worst_lines(worst: Sequence[WorstQuery], width: int) -> list[Line]:
    """Three or four lines a query, with a heading; empty for no queries."""
    if not worst:
        return []
    lines = [styled("worst queries", "bold")]
    for entry in worst:
        query = entry.query
        head = f"  {harmless(query.id)}  {harmless(entry.metric)} {entry.change}"
        text = harmless(query.text)
        room = width - cell_width(head) - 4
        if text and room >= min(cell_width(text), 20):
            lines.append(Line(((head, ""), (f'  "{clip(text, room)}"', "faint"))))
        else:
            lines.append(styled(head))
            lines += [styled(f'    "{clip(text, width - 6)}"', "faint")] if text else []
        lines.append(_documents("expected", _expected(query), width))
        lines.append(_documents("got     ", [harmless(name) for name in query.ranked], width))
    return lines


def _within(query: QueryResult, slice_: Mapping[str, object]) -> bool:
    for field, wanted in slice_.items():
        if field == "kind":
            inside = query.kind == wanted
        elif field == "kinds":
            inside = isinstance(wanted, Sequence) and query.kind in wanted
        else:
            inside = str(wanted) in query.fields.get(field, ())
        if not inside:
            return False
    return True


def _guilty(candidate: WorstQuery, verdict: Verdict) -> bool:
    if verdict.floor is not None:
        return candidate.after < verdict.floor
    return candidate.before is not None and candidate.after < candidate.before


def _badness(candidate: WorstQuery) -> tuple[float, float, str]:
    fall = 0.0 if candidate.before is None else min(0.0, candidate.after - candidate.before)
    return fall, candidate.after, candidate.query.id


def _expected(query: QueryResult) -> list[str]:
    rank = {name: place for place, name in enumerate(query.ranked, start=1)}
    best_first = sorted(query.relevant.items(), key=lambda item: (-item[1], item[0]))
    return [
        f"{harmless(name)} (rank {rank[name]})" if name in rank else f"{harmless(name)} (not found)"
        for name, grade in best_first
        if grade > 0
    ]


def _documents(word: str, names: Sequence[str], width: int) -> Line:
    head = f"    {word}  "
    return styled(head + listed(names, width - len(head), SHOWN_DOCUMENTS))
