"""Which labels two sides are scored under: one golden set for both, or none at all."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pytest_retrieval.commands.sides import BASELINE, REPORT, Side
from pytest_retrieval.gating.anchor import SUFFIX
from pytest_retrieval.gating.baseline import fingerprint
from pytest_retrieval.golden.errors import InputError
from pytest_retrieval.golden.model import GoldenSet
from pytest_retrieval.golden.naming import SUFFIXES
from pytest_retrieval.golden.reader import load_golden


@dataclass(frozen=True, slots=True)
class AnswerKey:
    """The labels that every side is scored under.

    ``name`` says where they come from; ``fingerprints`` which question each id is.
    """

    name: str
    golden: GoldenSet
    fingerprints: Mapping[str, str]


def choose_key(sides: Sequence[Side], given: Path | None) -> AnswerKey:
    """The golden set that was given, else the one that the sides belong to, else a report's own labels.

    Later sides are asked first. Raises InputError where there are no labels, and where reports
    without their golden set disagree about them.
    """
    if given is not None:
        return _from_file(given)
    for side in reversed(sides):
        found = next(_places(side), None)
        if found is not None:
            return _from_file(found)
    reports = [side for side in sides if side.source == REPORT]
    if not reports:
        raise InputError(
            sides[-1].name,
            None,
            "holds no labels, and its golden set was not found: name it with --golden golden.yaml",
        )
    return _from_reports(reports)


def golden_name(side: Side) -> str | None:
    """The golden set, and retriever, that a side belongs to, as far as it tells; None for a run."""
    if side.source == REPORT:
        return "::".join(filter(None, [side.golden, side.variant]))
    found = next(_places(side), None)
    if found is None:
        return None
    # golden.bm25.json is the baseline of the retriever bm25 of golden.yaml
    variant = _stem(side.path).removeprefix(found.stem).removeprefix(".")
    return "::".join(filter(None, [found.as_posix(), variant]))


def _from_file(path: Path) -> AnswerKey:
    golden = load_golden(path, check_documents=False)
    return AnswerKey(path.as_posix(), golden, {query.id: fingerprint(query) for query in golden.queries})


def _from_reports(reports: Sequence[Side]) -> AnswerKey:
    last = reports[-1]
    labels = {query.id: (dict(query.relevant), query.kind) for query in last.queries}
    for other in reports[:-1]:
        differing = [
            query.id
            for query in other.queries
            if query.id in labels and labels[query.id] != (dict(query.relevant), query.kind)
        ]
        if differing:
            raise InputError(
                other.name,
                None,
                f"{len(differing)} queries have other labels or kinds than in {last.name}, {differing[0]!r} "
                f"first: name the golden set that both are to be scored under: --golden {last.golden}",
            )
    return AnswerKey(str(last.golden), GoldenSet(last.queries), last.fingerprints)


def _places(side: Side) -> Iterator[Path]:
    """Where the golden set of a side may lie, existing files only."""
    if side.source == REPORT:
        assert side.golden is not None
        if Path(side.golden).is_file():
            yield Path(side.golden)
    elif side.source == BASELINE:
        yield from _of_baseline(side.path)


def _of_baseline(path: Path) -> Iterator[Path]:
    """``baselines/docs/golden.json`` belongs to ``docs/golden.yaml``; the folder may have any name and depth.

    A retriever's own baseline has its name before the suffix, an anchor ``.anchor``.
    """
    plain = path.absolute()
    stem = _stem(plain)
    stems = dict.fromkeys((stem, stem.rpartition(".")[0] or stem))
    for root in plain.parents:
        below = plain.parent.relative_to(root).parts
        for dropped in range(1, len(below) + 1):
            folder = root.joinpath(*below[dropped:])
            for name in stems:
                for suffix in SUFFIXES:
                    place = folder / f"{name}{suffix}"
                    if place.is_file():
                        yield _short(place)


def _stem(baseline: Path) -> str:
    return baseline.name.removesuffix(SUFFIX).removesuffix(".json")


def _short(path: Path) -> Path:
    """A path as short as somebody here would type it."""
    try:
        short = Path(os.path.relpath(path))
    except ValueError:  # another drive
        return path
    return path if ".." in short.parts else short
