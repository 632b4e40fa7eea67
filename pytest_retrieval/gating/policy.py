"""What was agreed: which metrics are gated, how much may be lost, which floors hold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from pytest_retrieval.gating.verdict import ANCHOR, BASELINE
from pytest_retrieval.golden.model import GateRules
from pytest_retrieval.scoring.names import canonical, parse_metric

DEFAULT_GATE_METRICS = ("recall@5", "ndcg@10")
DEFAULT_MARGIN = 0.02
DEFAULT_CONFIDENCE = 0.95
DEFAULT_MIN_QUERIES = 10

MAX_T, HOLM = "max-t", "holm"
CORRECTIONS = (MAX_T, HOLM)
"""How the first key is adjusted for the family: step-down max-T over shared sign flips, or Holm."""

Margin = float | Mapping[str, float]
"""one number for every metric, or metric -> number"""


@dataclass(frozen=True, slots=True)
class KindPolicy:
    """What one kind is held to where it differs from the rest."""

    margins: Mapping[str, float] = field(default_factory=dict)
    floors: Mapping[str, float] = field(default_factory=dict)
    anchor_margins: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Policy:
    """The rules of judgement for one golden set.

    ``margins`` holds one accepted drop (metric points, 0 to 1) per gated metric;
    ``confidence`` is 1 minus the error allowed for the whole family (0.5 to 1).
    Kinds of fewer than ``min_queries`` compared queries are judged together.
    ``floors`` are minima of the mean over all queries; ``slices`` names the further
    fields whose values are gated. ``correction`` is one of :data:`CORRECTIONS`.
    ``anchor_margins`` are the drops accepted since the anchor where they differ from the margins.
    """

    metrics: tuple[str, ...]
    margins: Mapping[str, float]
    confidence: float = 0.95
    min_queries: int = 10
    floors: Mapping[str, float] = field(default_factory=dict)
    kinds: Mapping[str, KindPolicy] = field(default_factory=dict)
    slices: tuple[str, ...] = ()
    correction: str = MAX_T
    anchor_margins: Mapping[str, float] = field(default_factory=dict)

    def margin(self, metric: str, kind: str | None = None, against: str = BASELINE) -> float:
        """The accepted drop of ``metric``, for one kind where that kind has its own."""
        own = self.kinds.get(kind, KindPolicy()) if kind is not None else KindPolicy()
        if against == ANCHOR:
            for said in (own.anchor_margins, self.anchor_margins):
                if metric in said:
                    return said[metric]
        return own.margins.get(metric, self.margins[metric])


def agree(
    rules: GateRules,
    *,
    metrics: Iterable[str] = DEFAULT_GATE_METRICS,
    margin: Margin = DEFAULT_MARGIN,
    confidence: float = DEFAULT_CONFIDENCE,
    min_queries: int = DEFAULT_MIN_QUERIES,
    correction: str = MAX_T,
) -> Policy:
    """Settle a golden set's ``gate`` block; the keywords hold where the block says nothing.

    A margin that names some metrics leaves the others to the next source: the block's own, the
    keyword, then 0.02. Metric names may be in any known spelling, the policy's are canonical.
    Raises ValueError for an unknown metric or correction and a number out of its range.
    """
    gated = canonical(metrics if rules.metrics is None else rules.metrics)
    fallback = {**dict.fromkeys(gated, DEFAULT_MARGIN), **_margins(margin, gated)}
    return Policy(
        metrics=gated,
        margins={**fallback, **_margins(rules.margin, gated)},
        confidence=_confidence(confidence if rules.confidence is None else rules.confidence),
        min_queries=_min_queries(min_queries if rules.min_queries is None else rules.min_queries),
        floors=_floors(rules.floors),
        kinds={
            kind: KindPolicy(
                _margins(own.margin, gated), _floors(own.floors), _margins(own.anchor_margin, gated)
            )
            for kind, own in rules.kinds.items()
        },
        slices=tuple(dict.fromkeys(rules.slices)),
        correction=_correction(correction),
        anchor_margins=_margins(rules.anchor_margin, gated),
    )


def _margins(margin: Margin | None, gated: tuple[str, ...]) -> dict[str, float]:
    """The margins that were said, for gated metrics."""
    if margin is None:
        return {}
    if not isinstance(margin, Mapping):
        return dict.fromkeys(gated, _points("margin", margin))
    said = {str(parse_metric(name)): _points(f"margin of {name}", value) for name, value in margin.items()}
    return {metric: said[metric] for metric in gated if metric in said}


def _floors(floors: Mapping[str, float]) -> dict[str, float]:
    return {str(parse_metric(name)): _points(f"floor of {name}", value) for name, value in floors.items()}


def _points(what: str, value: float) -> float:
    if not 0 <= value <= 1:
        raise ValueError(f"{what} is {value!r}, expected a number from 0 to 1")
    return float(value)


def _confidence(value: float) -> float:
    if not 0.5 < value < 1:
        raise ValueError(f"confidence is {value!r}, expected a number between 0.5 and 1, as in 0.95")
    return float(value)


def _correction(value: str) -> str:
    if value not in CORRECTIONS:
        raise ValueError(f"correction is {value!r}, expected {' or '.join(map(repr, CORRECTIONS))}")
    return value


def _min_queries(value: int) -> int:
    if value < 1:
        raise ValueError(f"min_queries is {value!r}, expected a whole number of at least 1")
    return int(value)
