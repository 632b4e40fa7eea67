"""Two runs side by side: which queries can be compared, and which cannot, and why."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from pytest_retrieval.gating.baseline import Baseline, BaselineRow, fingerprint, labels_fingerprint
from pytest_retrieval.golden.model import OTHER_KIND, GoldenSet, Query
from pytest_retrieval.retrieval.ranking import Ranking
from pytest_retrieval.scoring.evaluation import Evaluation, average, mark
from pytest_retrieval.scoring.names import is_whole_list, parse_metric

Scores = Mapping[str, Mapping[str, float]]
"""metric -> query id -> score (0 to 1)"""


Rankings = Mapping[str, Sequence[str]]
"""query id -> document ids, best first"""


@dataclass(frozen=True, slots=True)
class Departed:
    """A query of the baseline that the golden set no longer has."""

    id: str
    kind: str = OTHER_KIND
    fields: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Paired:
    """A candidate and its baseline, by query id.

    ``queries`` is today's population without the queries that no document answers.
    A query is compared when ``before`` and ``after`` both hold it; ``before`` never holds
    a query whose text changed. ``errors`` failed to answer, ``not_run`` were not asked,
    ``failed_before`` failed when the baseline was measured.
    ``incomparable`` maps a metric to the reason why no query can be compared on it.
    ``before_runs`` and ``after_runs`` hold the scores of each run where queries were asked
    repeatedly; ``before`` and ``after`` are then their means. ``one_noisy_run``: neither side
    was, and the retriever is known to answer differently from run to run. The rankings are those
    behind the scores, of the first run where there are several.
    """

    queries: tuple[Query, ...]
    before: Scores
    after: Scores
    errors: frozenset[str] = frozenset()
    not_run: frozenset[str] = frozenset()
    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    relabelled: tuple[str, ...] = ()
    removed: tuple[Departed, ...] = ()
    incomparable: Mapping[str, str] = field(default_factory=dict)
    before_runs: tuple[Scores, ...] = ()
    after_runs: tuple[Scores, ...] = ()
    failed_before: frozenset[str] = frozenset()
    one_noisy_run: bool = False
    before_rankings: Rankings = field(default_factory=dict)
    after_rankings: Rankings = field(default_factory=dict)


def pair(
    evaluation: Evaluation,
    baseline: Baseline,
    *,
    queries: Sequence[Query],
    not_run: Collection[str] = (),
    departed: Sequence[BaselineRow] = (),
) -> Paired:
    """Pair a run with its baseline, whose rankings are scored under today's labels.

    ``queries`` is the population that was asked for; ``departed`` are the baseline's rows of
    that population which the golden set no longer has.
    """
    rows = baseline.by_id()
    comparable = [q for q in queries if q.answerable]
    added = tuple(q.id for q in comparable if q.id not in rows)
    changed = tuple(q.id for q in comparable if q.id in rows and rows[q.id].text != fingerprint(q))
    unchanged = [q for q in comparable if q.id in rows and rows[q.id].text == fingerprint(q)]
    before = average(
        [
            mark(
                GoldenSet(tuple(unchanged)),
                {query_id: Ranking(ranked) for query_id, ranked in run.items()},
                metrics=evaluation.metrics,
                depth=baseline.depth,
            )
            for run in _runs([rows[q.id] for q in unchanged])
        ]
    )
    return Paired(
        queries=tuple(comparable),
        before=before.scores,
        after=evaluation.scores,
        errors=frozenset(evaluation.errors),
        not_run=frozenset(not_run),
        added=added,
        changed=changed,
        relabelled=tuple(q.id for q in unchanged if rows[q.id].labels != labels_fingerprint([q])),
        removed=tuple(Departed(row.id, row.kind, row.fields) for row in departed),
        incomparable=incomparable_metrics(evaluation.metrics, baseline.depth, evaluation.depth),
        before_runs=tuple(run.scores for run in before.runs),
        after_runs=tuple(run.scores for run in evaluation.runs),
        before_rankings={query: ranking.documents for query, ranking in before.rankings.items()},
        after_rankings={query: ranking.documents for query, ranking in evaluation.rankings.items()},
        one_noisy_run=evaluation.golden.header.noisy and not before.runs and not evaluation.runs,
    )


def _runs(rows: Sequence[BaselineRow]) -> list[dict[str, tuple[str, ...]]]:
    """The rankings of each run that a baseline holds, by query id; a row may lack later runs."""
    runs = 1 + min((len(row.repeats) for row in rows), default=0)
    return [{row.id: (row.ranked, *row.repeats)[run] for row in rows} for run in range(runs)]


def incomparable_metrics(metrics: Sequence[str], before: int, after: int) -> dict[str, str]:
    """The metrics that two runs of these depths cannot be compared on, with the reason."""
    again = "write the baseline at this depth: pytest --update-baseline"
    reasons = {}
    for metric in metrics:
        k = parse_metric(metric).k
        if k is not None and k > min(before, after):
            reasons[metric] = f"{metric} needs {k} results per query, the baseline holds {before}: {again}"
        elif is_whole_list(metric) and before != after:
            reasons[metric] = (
                f"{metric} looks at whole lists, of {before} results before and {after} now: {again}"
            )
    return reasons
