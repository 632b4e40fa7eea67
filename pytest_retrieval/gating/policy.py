"""What was agreed: which metrics are gated, how much may be lost, which floors hold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class KindPolicy:
    """What one kind is held to where it differs from the rest."""

    margins: Mapping[str, float] = field(default_factory=dict)
    floors: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Policy:
    """The rules of judgement for one golden set.

    ``margins`` holds one accepted drop (metric points, 0 to 1) per gated metric;
    ``confidence`` is 1 minus the error allowed for the whole family (0.5 to 1).
    Kinds of fewer than ``min_queries`` compared queries are judged together.
    ``floors`` are minima of the mean over all queries; ``slices`` names the further
    fields whose values are gated.
    """

    metrics: tuple[str, ...]
    margins: Mapping[str, float]
    confidence: float = 0.95
    min_queries: int = 10
    floors: Mapping[str, float] = field(default_factory=dict)
    kinds: Mapping[str, KindPolicy] = field(default_factory=dict)
    slices: tuple[str, ...] = ()

    def margin(self, metric: str, kind: str | None = None) -> float:
        """The accepted drop of ``metric``, for one kind where that kind has its own."""
        own = self.kinds.get(kind, KindPolicy()).margins if kind is not None else {}
        return own.get(metric, self.margins[metric])
