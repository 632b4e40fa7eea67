"""What is to be done with one golden set: header, options and defaults settled into one answer."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from pytest_retrieval.gating.policy import (
    DEFAULT_CONFIDENCE,
    DEFAULT_GATE_METRICS,
    DEFAULT_MARGIN,
    DEFAULT_MIN_QUERIES,
    MAX_T,
    Policy,
    agree,
)
from pytest_retrieval.golden.document_fields import with_document_fields
from pytest_retrieval.golden.errors import GoldenError
from pytest_retrieval.golden.listed import default_name
from pytest_retrieval.golden.local import local_sets
from pytest_retrieval.golden.model import GoldenSet, Listed, Query
from pytest_retrieval.pytest_side.options import Settings
from pytest_retrieval.pytest_side.plan_checks import (
    canonical_musts,
    check_margins,
    check_needs,
    check_slices,
)
from pytest_retrieval.retrieval.manner import DEFAULT_RETRY_ON, DEFAULT_RETRY_WAIT, Manner
from pytest_retrieval.scoring.names import (
    DEFAULT_INDEX_RECALL,
    DEFAULT_METRICS,
    canonical,
    parse_metric,
    required_depth,
)


@dataclass(frozen=True)
class Plan:
    """One golden set with everything settled.

    ``name`` is the golden file relative to the root, with forward slashes: the head of
    its node ids. ``retriever_home`` is the folder of relative paths in ``retriever``, ``manner``
    how it is asked. ``queries`` is the declared population, ``metrics`` all that are reported,
    ``musts`` the hard contracts under canonical metric names. Every query is asked ``repeats`` times;
    up to ``max_errors`` failed queries only warn. ``fail_on`` names further verdicts that are red.
    ``variant`` is the name of the retriever where the header lists several. ``local`` are the sets of
    local questions, which are asked, too, and belong to nothing that is gated or kept.
    """

    name: str
    golden: GoldenSet
    queries: tuple[Query, ...]
    population: Mapping[str, tuple[str, ...]]
    retriever: str
    retriever_home: Path
    depth: int
    manner: Manner
    metrics: tuple[str, ...]
    policy: Policy
    document_id: re.Pattern[str] | None
    baseline: Path
    repeats: int
    max_errors: int
    fail_on: tuple[str, ...]
    musts: Mapping[str, Mapping[str, float]]
    variant: str | None = None
    local: tuple[GoldenSet, ...] = ()

    @property
    def local_queries(self) -> tuple[Query, ...]:
        """The local questions."""
        return tuple(query for one in self.local for query in one.queries)

    @property
    def asked(self) -> tuple[Query, ...]:
        """All questions, those of the population first."""
        return (*self.queries, *self.local_queries)

    @property
    def is_gated(self) -> bool:
        """Whether there is anything to compare with a baseline; not so for contracts alone."""
        return bool(self.policy.metrics)

    @property
    def slices(self) -> tuple[str, ...]:
        """The fields whose values are reported, besides the kinds."""
        return tuple(dict.fromkeys((*self.policy.slices, *self.golden.header.slices)))

    @property
    def node(self) -> str:
        """The head of the set's node ids: the file, and the retriever where there are several."""
        return self.name if self.variant is None else f"{self.name}::{self.variant}"

    @property
    def plain_baseline(self) -> Path:
        """Where the baseline lies when the header lists one retriever."""
        end = ".json" if self.variant is None else f".{self.variant}.json"
        return self.baseline.with_name(self.baseline.name.removesuffix(end) + ".json")

    def baseline_name(self, root: Path) -> str:
        """The baseline's path for people."""
        return shown(self.baseline, root)


def shown(path: Path, root: Path) -> str:
    """A path for people: relative to the root where it lies below."""
    return (path.relative_to(root) if path.is_relative_to(root) else path).as_posix()


def make_plans(name: str, golden: GoldenSet, settings: Settings, root: Path) -> tuple[Plan, ...]:
    """Settle one golden set for each of its retrievers; raises GoldenError where the header is wrong.

    A flag chooses one of the header's list by its name, or puts another in place of the list.
    """
    golden = with_document_fields(golden, _document_id(golden, settings))
    local = local_sets(golden)
    listed = golden.header.listed
    flag = settings.flags.get("retriever")
    if listed and flag is not None:
        listed = tuple(one for one in listed if one.name == flag) or (Listed(default_name(flag), flag),)
    return tuple(make_plan(name, golden, settings, root, one, local) for one in listed or (None,))


def _document_id(golden: GoldenSet, settings: Settings) -> re.Pattern[str] | None:
    pattern = settings.choose("document-id", golden.header.document_id, "")
    return re.compile(pattern) if pattern else None


def make_plan(
    name: str,
    golden: GoldenSet,
    settings: Settings,
    root: Path,
    listed: Listed | None = None,
    local: tuple[GoldenSet, ...] = (),
) -> Plan:
    """Settle one golden set, with its local questions, for one retriever, by default the only one."""
    header = golden.header
    gate = header.gate
    place = golden.path or Path(name)

    def names(key: str, chosen: tuple[str, ...]) -> tuple[str, ...]:
        try:
            return canonical(chosen)
        except ValueError as error:
            raise GoldenError(place, header.lines.get(key), f"{key}: {error}") from None

    labelled = any(query.relevant for query in golden.queries)
    if golden.answerable:
        usual = DEFAULT_GATE_METRICS if labelled else (DEFAULT_INDEX_RECALL,)
        gated: tuple[str, ...] = settings.choose("gate", gate.metrics, usual)
        reported = settings.choose("metrics", header.metrics, _default_metrics(labelled, header.exact))
    else:  # contracts alone: what an ini file wants scored is for other sets
        gated, reported = gate.metrics or (), header.metrics or ()
    gate_metrics = names("gate.metrics", gated)
    for key, floors in (
        ("gate.floors", gate.floors),
        *((f"gate.kinds.{k}", r.floors) for k, r in gate.kinds.items()),
    ):
        names(key, tuple(floors))
    for kind in gate.kinds:
        if not any(query.kind == kind and query.answerable for query in golden.queries):
            known = ", ".join(golden.kinds())
            line = header.lines.get(f"gate.kinds.{kind}") or header.lines.get("gate.kinds")
            raise GoldenError(
                place,
                line,
                f"gate.kinds names {kind!r}, but no query of that kind has an answer; kinds: {known}",
            )
    check_slices(place, golden)
    flags = settings.flags
    said = replace(
        gate,
        metrics=gate_metrics,
        margin=flags.get("margin", gate.margin),
        confidence=flags.get("confidence", gate.confidence),
        min_queries=flags.get("min-queries", gate.min_queries),
    )
    try:
        policy = agree(
            said,
            margin=settings.ini.get("margin", DEFAULT_MARGIN),
            confidence=settings.ini.get("confidence", DEFAULT_CONFIDENCE),
            min_queries=settings.ini.get("min-queries", DEFAULT_MIN_QUERIES),
            correction=settings.value("correction", MAX_T),
        )
    except ValueError as error:
        raise GoldenError(place, header.lines.get("gate"), f"gate: {error}") from None
    if "gate" not in flags:  # which may gate less for once
        check_margins(place, golden, policy)
    shown = names("metrics", reported)
    floored = (*policy.floors, *(metric for kind in policy.kinds.values() for metric in kind.floors))
    metrics = tuple(dict.fromkeys((*shown, *policy.metrics, *floored)))
    check_needs(place, golden, metrics, labelled)
    musts = {
        query.id: canonical_musts(one.path or place, query)
        for one in (golden, *local)
        for query in one.queries
        if query.must
    }
    every = (*metrics, *(metric for must in musts.values() for metric in must))
    needed = required_depth(every)
    depth = settings.choose("depth", header.depth, max(needed, header.context or 0))
    deepest = max(every, key=lambda metric: parse_metric(metric).k or 0, default=None)
    if deepest and depth < (parse_metric(deepest).k or 0):
        line = header.lines.get("depth")
        raise GoldenError(
            place, line, f"depth {depth} is not enough for {deepest}: ask for more, or cut earlier"
        )
    if depth < (header.context or 0):
        raise GoldenError(
            place,
            header.lines.get("context"),
            f"depth {depth} is not enough for a context of {header.context} hits: ask for more",
        )
    return Plan(
        name=name,
        golden=golden,
        queries=tuple(query for query in golden.queries if _belongs(query, settings.population)),
        population=settings.population,
        retriever=listed.retriever if listed else settings.choose("retriever", header.retriever, "retriever"),
        retriever_home=_retriever_home(place, golden, listed, settings, root),
        depth=depth,
        manner=_manner(golden, settings),
        metrics=metrics,
        policy=policy,
        document_id=_document_id(golden, settings),
        baseline=baseline_path(name or place.name, settings, root, listed.name if listed else None),
        repeats=max(settings.choose("repeats", header.repeats, 1), 2 if settings.noise else 1),
        max_errors=settings.choose("max-errors", header.max_errors, 0),
        fail_on=settings.value("fail-on", ()),
        musts=musts,
        variant=listed.name if listed else None,
        local=tuple(
            replace(one, queries=tuple(q for q in one.queries if _belongs(q, settings.population)))
            for one in local
        ),
    )


def _retriever_home(
    place: Path, golden: GoldenSet, listed: Listed | None, settings: Settings, root: Path
) -> Path:
    """Where relative paths start: whoever named the retriever, named it from there."""
    if listed in golden.header.listed:
        return place.parent
    if "retriever" in settings.flags:
        return settings.typed_in
    return place.parent if golden.header.retriever else root


def _manner(golden: GoldenSet, settings: Settings) -> Manner:
    said = golden.header.ask
    return Manner(
        concurrency=settings.choose("concurrency", said.concurrency, 1),
        timeout=settings.choose("timeout", said.timeout, None),
        retries=settings.choose("retries", said.retries, 0),
        retry_on=settings.choose("retry-on", said.retry_on, DEFAULT_RETRY_ON),
        retry_wait=settings.choose("retry-wait", said.retry_wait, DEFAULT_RETRY_WAIT),
    )


def _default_metrics(labelled: bool, exact: str | None) -> tuple[str, ...]:
    """What is reported where nobody says it."""
    return (*(DEFAULT_METRICS if labelled else ()), *((DEFAULT_INDEX_RECALL,) if exact else ()))


def _belongs(query: Query, population: Mapping[str, tuple[str, ...]]) -> bool:
    """Whether a query passes every declared filter; a tag filter accepts any of its tags."""
    return (
        ("kind" not in population or query.kind in population["kind"])
        and ("split" not in population or query.split in population["split"])
        and ("tag" not in population or not set(query.tags).isdisjoint(population["tag"]))
    )


def baseline_path(name: str, settings: Settings, root: Path, variant: str | None = None) -> Path:
    """Where the baseline of a golden file lives; ``name`` is the file relative to the root.

    ``variant`` is the name of the retriever where the header lists several.
    """
    path = settings.baseline_folder(root) / _baseline_file(name)
    return path if variant is None else path.with_name(f"{path.stem}.{variant}.json")


def _baseline_file(name: str) -> PurePosixPath:
    # A golden set outside the root keeps its name; its folders would lead out of the baselines.
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts:
        path = PurePosixPath(path.name)
    return path.with_suffix(".json")
