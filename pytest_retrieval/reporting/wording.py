"""How slices, numbers and verdicts are written, the same in every text for people."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from pytest_retrieval.gating.verdict import (
    BASELINE,
    BELOW_FLOOR,
    IMPROVED,
    NOT_EVALUATED,
    REGRESSION,
    SUSPECTED,
    Verdict,
)
from pytest_retrieval.reporting.printable import harmless
from pytest_retrieval.reporting.result import MeanRow

NONE = "-"
STALE = "stale"
"""The word in ``fail_on`` for a baseline that was improved on."""

STYLES = {
    REGRESSION: "red",
    BELOW_FLOOR: "red",
    SUSPECTED: "yellow",
    NOT_EVALUATED: "yellow",
    IMPROVED: "green",
}
"""verdict -> style; the others are plain"""


def slice_label(slice_: Mapping[str, object]) -> str:
    """``all``, the kind's name, ``a + b (small kinds together)`` or ``field: value``."""
    if not slice_:
        return "all"
    if set(slice_) == {"kind"} and slice_["kind"] != "all":
        return harmless(str(slice_["kind"]))
    if set(slice_) == {"kinds"}:
        return f"{values(slice_['kinds'], ' + ')} (small kinds together)"
    return ", ".join(f"{harmless(str(key))}: {values(value)}" for key, value in slice_.items())


def values(value: object, separator: str = ", ") -> str:
    """One value, or several of a list, as text that is safe to print."""
    if isinstance(value, Sequence) and not isinstance(value, str):
        return separator.join(harmless(str(item)) for item in value)
    return harmless(str(value))


def score(value: float | None) -> str:
    """A score or a size of a difference (0 to 1) to three decimals."""
    return NONE if value is None else f"{value:.3f}"


def signed(value: float | None, digits: int = 3) -> str:
    """A difference (-1 to 1) with its sign; what rounds to zero has none."""
    if value is None:
        return NONE
    return f"{value:+.{digits}f}" if round(value, digits) else f"{0:.{digits}f}"


def interval(bounds: tuple[float, float] | None, digits: int = 3) -> str:
    """The interval of a difference: ``[-0.610, -0.380]``."""
    return NONE if bounds is None else f"[{signed(bounds[0], digits)}, {signed(bounds[1], digits)}]"


def range_of_mean(row: MeanRow, metric: str) -> str:
    """The interval of a mean, and the count where it is a share: ``41 of 45, 0.79-0.97``."""
    bounds, hits = row.intervals.get(metric), row.hits.get(metric)
    parts = [] if hits is None else [f"{hits} of {row.n}"]
    parts += [] if bounds is None else [f"{bounds[0]:.2f}-{bounds[1]:.2f}"]
    return ", ".join(parts) or NONE


def probability(value: float | None) -> str:
    """A p value (0 to 1); very small ones as ``<0.001``."""
    if value is None:
        return NONE
    return "<0.001" if value < 0.001 else f"{value:.3f}"


def agreed(value: float) -> str:
    """A margin or a floor as somebody would write it: ``0.02``."""
    return f"{value:.6g}"


def duration(seconds: float) -> str:
    """A time as ``0.42 ms``, ``5.2 ms`` or ``1.35 s``."""
    if seconds >= 1:
        return f"{seconds:.2f} s"
    milliseconds = seconds * 1000
    return f"{milliseconds:.{2 if milliseconds < 1 else 1}f} ms"


def wins(verdict: Verdict) -> str:
    """Queries better, worse and equal: ``+5 -1 =14``."""
    if verdict.better is None or verdict.worse is None or verdict.equal is None:
        return NONE
    return f"+{verdict.better} -{verdict.worse} ={verdict.equal}"


def before_after(verdict: Verdict) -> str:
    """The two means: ``0.900 -> 0.400``."""
    if verdict.before is None and verdict.after is None:
        return NONE
    return f"{score(verdict.before)} -> {score(verdict.after)}"


def is_red(verdict: Verdict, fail_on: Collection[str] = ()) -> bool:
    """Whether the build is red: a proven loss, a suspicion or a stale baseline where ``fail_on`` names it.

    The baseline is stale where this run improved on it; an anchor stays behind by design.
    """
    if verdict.verdict == IMPROVED:
        return STALE in fail_on and verdict.against == BASELINE
    return verdict.verdict in (REGRESSION, BELOW_FLOOR, *fail_on)


def power(verdict: Verdict) -> str:
    """``p 0.004, adjusted 0.020; could have seen a drop of 0.21``, as far as it was computed."""
    chances = [f"p {probability(verdict.p)}"] if verdict.p is not None else []
    if verdict.p_adjusted is not None:
        chances.append(f"adjusted {probability(verdict.p_adjusted)}")
    return "; ".join(filter(None, [", ".join(chances), ability(verdict)]))


def ability(verdict: Verdict) -> str:
    """``could have seen a drop of 0.21; at least 8 of 10 must fall``, as far as it was computed."""
    seen, falls = verdict.detectable_drop, verdict.fewest_falls
    parts = [f"could have seen a drop of {seen:.2f}"] if seen is not None else []
    parts += [f"at least {falls} of {verdict.n} must fall"] if falls is not None else []
    return "; ".join(parts)
