"""The baseline: one run's accepted rankings, which later runs are compared with."""

from __future__ import annotations

import hashlib
import json
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from pytest_retrieval.golden.model import Query
from pytest_retrieval.scoring.evaluation import Evaluation


@dataclass(frozen=True, slots=True)
class BaselineRow:
    """One query as it was accepted: its text and labels as hashes, its ranking in full.

    ``repeats`` are the rankings of the second and later runs where it was asked repeatedly.
    """

    id: str
    text: str
    labels: str
    kind: str
    ranked: tuple[str, ...]
    tags: tuple[str, ...] = ()
    split: str | None = None
    fields: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    answerable: bool = True
    repeats: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Baseline:
    """The accepted rankings of one golden set and retriever.

    ``means`` maps ``all`` and each kind to the means at the time (6 decimals); they are
    for the reader of a diff, every comparison scores the rankings again. ``reasons`` are those for
    which an anchor was moved, oldest first; a baseline has none. ``labels`` is the hash of the label
    set, ``version`` what its header called it.
    """

    retriever: str
    depth: int
    document_id: str | None
    describe: Mapping[str, object]
    labels: str
    means: Mapping[str, Mapping[str, float]]
    rows: tuple[BaselineRow, ...]
    reasons: tuple[str, ...] = ()
    version: str | None = None

    def by_id(self) -> dict[str, BaselineRow]:
        """The rows under their query ids."""
        return {row.id: row for row in self.rows}


def fingerprint(query: Query) -> str:
    """Which question this is: a hash of its text and its retriever arguments, never the text."""
    params = json.dumps(query.params, sort_keys=True, ensure_ascii=True) if query.params else ""
    return _hash(unicodedata.normalize("NFC", query.text), params)


def labels_fingerprint(queries: Iterable[Query]) -> str:
    """A hash of the labels of some queries, whatever their order."""
    labels = {query.id: [dict(sorted(query.relevant.items())), query.answerable] for query in queries}
    return _hash(json.dumps(labels, sort_keys=True, ensure_ascii=True))


def means_by_slice(evaluation: Evaluation) -> dict[str, dict[str, float]]:
    """``all`` and each kind -> its means; slices without one are left out."""
    names: dict[str, str | None] = {"all": None}
    for kind in evaluation.golden.kinds():
        names["kind all" if kind == "all" else kind] = kind
    return {
        name: {
            metric: mean
            for metric in evaluation.metrics
            if (mean := evaluation.mean(metric, kind)) is not None
        }
        for name, kind in names.items()
    }


def rounded_means(evaluation: Evaluation) -> dict[str, dict[str, float]]:
    """The means as they stand in a baseline: ``all`` and each kind, to 6 decimals."""
    return {
        name: {m: round(v, 6) for m, v in values.items()}
        for name, values in means_by_slice(evaluation).items()
    }


def take_baseline(
    evaluation: Evaluation,
    *,
    retriever: str,
    document_id: str | None,
    describe: Mapping[str, object] | None = None,
) -> Baseline:
    """The baseline of a whole run that :func:`refusal` has nothing against.

    ``describe`` says what was measured; None stands for what the golden set says today.
    """
    golden = evaluation.golden
    # A query that leaves the golden set is still counted where it belonged.
    fields = golden.header.gate.slices
    rows = tuple(
        BaselineRow(
            id=query.id,
            text=fingerprint(query),
            labels=labels_fingerprint([query]),
            kind=query.kind,
            ranked=evaluation.rankings[query.id].documents,
            repeats=tuple(again.rankings[query.id].documents for again in evaluation.runs[1:]),
            tags=query.tags,
            split=query.split,
            answerable=query.answerable,
            fields={name: values for name in fields if (values := query.values(name))},
        )
        for query in golden.queries
    )
    return Baseline(
        retriever=retriever,
        depth=evaluation.depth,
        document_id=document_id,
        describe=golden.header.describe if describe is None else describe,
        labels=labels_fingerprint(golden.queries),
        means=rounded_means(evaluation),
        rows=rows,
        version=golden.header.version,
    )


def refusal(evaluation: Evaluation, failed: Mapping[str, str]) -> str | None:
    """Why a run must not become the baseline, None when it may.

    A baseline is one whole run: every query asked, none ``failed`` (query id -> why), not all
    answered with nothing. ``evaluation.golden`` is the whole golden set.
    """
    queries, rankings = evaluation.golden.queries, evaluation.rankings
    if failed:
        first, why = next(iter(failed.items()))
        return f"{len(failed)} of {len(queries)} queries failed, {first!r} first ({why})"
    absent = [query.id for query in queries if query.id not in rankings]
    if absent:
        return f"{len(absent)} of {len(queries)} queries were not run, {absent[0]!r} first"
    if not any(rankings[query.id].documents for query in queries):
        return "every query was answered with nothing"
    return None


def _hash(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:16]
