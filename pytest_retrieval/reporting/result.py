"""The one model of a run's result; every writer reads it, none computes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from pytest_retrieval.gating.verdict import Verdict
from pytest_retrieval.scoring.diagnosis import Diagnosis, SetDiagnosis
from pytest_retrieval.scoring.repeats import Noise

SCORED, ERROR, NOT_RUN = "scored", "error", "not run"


@dataclass(frozen=True, slots=True)
class QueryResult:
    """One query's outcome; ``scores`` is None unless it was scored.

    ``missing`` are relevant documents that are absent from the ranking, ``unjudged`` the returned ones
    that carry no label. ``baseline`` holds the old scores under today's labels, None where there is no
    comparable one; ``anchor`` those of the anchor. ``fields`` holds the query's values of the further
    fields that are sliced on, as text. ``repeats`` are the rankings of the second and later runs where
    every query was asked repeatedly. ``seconds`` and ``cost`` are those of the call, where they are
    known; ``exact`` is the ranking of the exact index, where there is one. ``places`` are those of the
    hits behind ``ranked``, empty where every hit is a document of its own; ``cited`` the documents that
    the answer's text refers to, ``top_score`` the largest score of a hit, where they are known.
    ``diagnosis`` is None where no context is agreed on, and where there is nothing to diagnose;
    ``answerable`` is False where no document answers the query. ``local`` is the file of a local
    question, None for one of the set itself. ``contract`` tells whether the query has a contract of its
    own (``must``, ``forbidden``), which only an answer can keep.
    """

    id: str
    text: str
    kind: str
    line: int
    fingerprint: str
    outcome: str
    error: str | None = None
    ranked: tuple[str, ...] = ()
    relevant: Mapping[str, int] = field(default_factory=dict)
    scores: Mapping[str, float] | None = None
    baseline: Mapping[str, float] | None = None
    baseline_ranked: tuple[str, ...] | None = None
    must_failed: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    unjudged: tuple[str, ...] = ()
    fields: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    repeats: tuple[tuple[str, ...], ...] = ()
    seconds: float | None = None
    cost: float | None = None
    exact: tuple[str, ...] | None = None
    places: tuple[int, ...] = ()
    cited: tuple[str, ...] | None = None
    top_score: float | None = None
    diagnosis: Diagnosis | None = None
    answerable: bool = True
    local: str | None = None
    contract: bool = False
    anchor: Mapping[str, float] | None = None


@dataclass(frozen=True, slots=True)
class MeanRow:
    """Means over one slice; ``n`` counts the scored queries, ``metrics`` is empty for none.

    ``intervals`` are those of the means by themselves, two-sided at the set's confidence;
    ``hits`` counts the queries with a hit, for metrics that are a share of the queries.
    """

    slice: Mapping[str, object]
    n: int
    metrics: Mapping[str, float]
    intervals: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    hits: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class GateRow:
    """A verdict under the node id that a user can paste."""

    node: str
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class ComparedRow:
    """One retriever held against another of the same run, over one slice and metric.

    ``other`` is the name of the one before. Numbers are None, and ``reason`` says why, where the
    slice was not answered in full by both; ``interval`` also for a single query.
    """

    other: str
    slice: Mapping[str, object]
    metric: str
    n: int
    better: int | None = None
    worse: int | None = None
    equal: int | None = None
    before: float | None = None
    after: float | None = None
    difference: float | None = None
    interval: tuple[float, float] | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Unanswerable:
    """What came of the queries that no document answers, counted apart from those that are scored.

    Of ``n`` queries ``asked`` were answered, ``empty`` of them with nothing; ``must`` have a contract
    that they be refused, and ``broken`` of these did not hold. ``top_scores`` are the least and the
    greatest of the best scores of their answers, None where no hit has one.
    """

    n: int
    asked: int
    empty: int
    must: int
    broken: int
    top_scores: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class SetResult:
    """All there is to say about one golden set and one retriever.

    ``golden`` and ``baseline`` are paths relative to the root, with forward slashes;
    ``gated`` tells whether the comparison with ``baseline`` was asked for.
    ``notes`` are finished sentences for people (labels changed, description differs ...).
    ``confidence`` is 1 minus the error that was allowed (0.5 to 1). Every query was asked
    ``repeats`` times; up to ``max_errors`` failed queries were let pass. ``fail_on`` names further
    verdicts that make the build red. ``noise`` is None where queries were asked once.
    ``variant`` is the name of the retriever where the header lists several, and ``compared`` holds
    it against others of them. ``target`` is the branch whose copy of the baseline was compared
    with, None for this one's.
    ``latency`` holds percentiles of the seconds per query (``p50``, ``p95``), ``cost`` the sum of what
    the answers cost; each is empty where nothing is known. ``labels`` is the hash of
    all labels of the golden set, as a baseline has it, ``version`` what the header calls them. ``local``
    are the local questions, which are among no others and have means of their own. ``unanswerable`` counts
    the queries that no document answers, None where there are none. ``context`` is how many hits go into
    a prompt; where that is agreed on, ``diagnosis`` tells where evidence is lost.
    """

    golden: str
    retriever: str
    baseline: str
    gated: bool
    population: Mapping[str, object]
    depth: int
    document_id: str | None
    describe: Mapping[str, object]
    metrics: tuple[str, ...]
    gate_metrics: tuple[str, ...]
    queries: tuple[QueryResult, ...]
    means: tuple[MeanRow, ...]
    gates: tuple[GateRow, ...] = ()
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    relabelled: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    confidence: float = 0.95
    repeats: int = 1
    max_errors: int = 0
    fail_on: tuple[str, ...] = ()
    noise: Noise | None = None
    target: str | None = None
    latency: Mapping[str, float] = field(default_factory=dict)
    cost: float | None = None
    variant: str | None = None
    compared: tuple[ComparedRow, ...] = ()
    context: int | None = None
    diagnosis: SetDiagnosis | None = None
    unanswerable: Unanswerable | None = None
    local: tuple[QueryResult, ...] = ()
    local_means: Mapping[str, float] = field(default_factory=dict)
    labels: str | None = None
    version: str | None = None

    @property
    def node(self) -> str:
        """The node id of the set: the file, and the retriever where the header lists several."""
        return self.golden if self.variant is None else f"{self.golden}::{self.variant}"

    def without_texts(self) -> SetResult:
        """The same with empty texts, for reports that must not hold them."""
        queries, local = (
            tuple(replace(query, text="") for query in some) for some in (self.queries, self.local)
        )
        return replace(self, queries=queries, local=local)

    @property
    def tolerable(self) -> bool:
        """Whether the queries that failed are let pass: never all of them, nor one with a contract."""
        failed = [query for query in self.queries if query.outcome == ERROR]
        if len(failed) > self.max_errors or any(query.contract for query in failed):
            return False
        return not failed or self.count(SCORED) > 0

    def count(self, outcome: str) -> int:
        """How many queries had this outcome."""
        return sum(query.outcome == outcome for query in self.queries)


@dataclass(frozen=True, slots=True)
class RunResult:
    """The sets of one session and the status that sums them up (DESIGN of the report).

    ``folder`` leads from the checkout to the root, with forward slashes, as in ``packages/search``;
    empty where the root is the checkout, or nobody says what is checked out. ``left_out`` are the nodes
    of the golden sets of which the selection left nothing.
    """

    sets: tuple[SetResult, ...]
    status: str
    complete: bool
    folder: str = ""
    left_out: tuple[str, ...] = ()

    def in_checkout(self, name: str) -> str:
        """A path relative to the root as a path relative to the checkout."""
        return f"{self.folder}/{name}" if self.folder else name
