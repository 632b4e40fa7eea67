"""``accept``: make the rankings of a complete report the baselines, without asking anything again."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from pytest_retrieval.commands.report_file import WRITE_ONE, ReportError, read_report
from pytest_retrieval.gating.anchor import against_anchor, anchor_path, moved_anchor, next_anchor
from pytest_retrieval.gating.baseline import Baseline, fingerprint, refusal, take_baseline
from pytest_retrieval.gating.baseline_file import (
    BaselineError,
    dump_baseline,
    parse_baseline,
    read_baseline,
    write_baseline,
)
from pytest_retrieval.gating.policy import DEFAULT_CONFIDENCE, DEFAULT_MARGIN, Policy, agree
from pytest_retrieval.gating.verdict import ANCHOR, BASELINE
from pytest_retrieval.golden.model import GoldenSet
from pytest_retrieval.golden.reader import load_golden
from pytest_retrieval.reporting.advice import anchor_refusal
from pytest_retrieval.retrieval.ranking import Ranking
from pytest_retrieval.scoring.evaluation import average, mark

if TYPE_CHECKING:
    from argparse import _SubParsersAction


def add_parser(commands: _SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command's words."""
    parser = commands.add_parser(
        "accept",
        help="write the baselines from a complete report",
        description="Write the baselines from a complete report, so that what CI measured need not be "
        "asked again. The golden sets are read where they are; nothing is written when one set is refused.",
    )
    parser.add_argument("report", type=Path, metavar="REPORT.json", help="written by --retrieval-report")
    parser.add_argument("--root", type=Path, default=Path(), help="the project's root (default: this folder)")
    parser.add_argument(
        "--update-anchor", metavar="REASON", help="move the anchors, too, and keep the reason"
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Write every set's baseline, or none; raises ReportError with the reason."""
    reason = " ".join((options.update_anchor or "").split())
    if options.update_anchor is not None and not reason:
        raise ReportError(options.report, None, "--update-anchor: expected the reason for the move")
    accepted = accept(options.report, options.root, reason)
    for one in accepted:
        try:
            if one.anchor is not None:
                write_baseline(anchor_path(one.path), one.anchor)
            write_baseline(one.path, one.baseline)
        except OSError as error:
            raise ReportError(one.name, None, f"cannot be written ({error.strerror})") from None
        print(f"{one.golden}: {len(one.baseline.rows)} rankings accepted, baseline written to {one.name}")
    return 0


@dataclass(frozen=True)
class Accepted:
    """A baseline that is ready to be written."""

    golden: str
    name: str
    path: Path
    baseline: Baseline
    anchor: Baseline | None


def accept(report: Path, root: Path, reason: str = "") -> list[Accepted]:
    """The baselines that a report holds; raises ReportError or GoldenError, writes nothing.

    With a ``reason`` the anchors are moved; without one a report that fails against them is refused.
    """
    data = read_report(report)
    try:
        # A set without gated metrics holds contracts alone: there is nothing to accept.
        accepted = [_accept_set(report, one, root, reason) for one in data["sets"] if one["gate_metrics"]]
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise ReportError(
            report, None, f"is damaged ({type(error).__name__}: {error}); {WRITE_ONE}"
        ) from None
    if data.get("left_out"):
        names = ", ".join(map(str, data["left_out"]))
        raise ReportError(
            report, None, f"is of an incomplete run: {names} was left out; run all, and accept that"
        )
    return accepted


def _accept_set(report: Path, data: Mapping[str, Any], root: Path, reason: str) -> Accepted:
    name = str(data["golden"])
    path, baseline_path = (_below(report, root, str(data[key])) for key in ("golden", "baseline"))
    variant = data.get("variant")
    suffix = ".json" if variant is None else f".{variant}.json"
    if not baseline_path.as_posix().endswith(PurePosixPath(name).with_suffix(suffix).as_posix()):
        raise ReportError(report, None, f"names {data['baseline']!r} as the baseline of {name}")
    if not path.exists():
        raise ReportError(
            report, None, f"{name} is not below {root.absolute()}: run in the project's root, or give --root"
        )
    golden = load_golden(path)
    _refuse_if(report, name, _mismatch(golden, data))
    failed = {
        query["id"]: str(query["error"] or query["must_failed"][0])
        for query in data["queries"]
        if query["outcome"] == "error" or query["must_failed"]
    }
    scored = [query for query in data["queries"] if query["outcome"] == "scored"]
    runs = [{query["id"]: _ranking(query, run) for query in scored} for run in range(data.get("repeats", 1))]
    exact = {
        query["id"]: Ranking(_documents(query["exact"])) for query in scored if query.get("exact") is not None
    }
    evaluation = average([mark(golden, run, data["metrics"], data["depth"], exact=exact) for run in runs])
    _refuse_if(report, name, refusal(evaluation, failed))
    baseline = take_baseline(
        evaluation,
        retriever=data["retriever"],
        document_id=data["document_id"],
        describe=data["describe"],
    )
    parse_baseline(dump_baseline(baseline), f"{report}: the baseline of {name}")
    command = f'pytest-retrieval accept {shlex.quote(str(report))} --update-anchor "reason"'
    place = baseline_path
    try:
        place = _place(baseline_path, data, root)
        old, anchor = _read_old(place, root), _read_old(anchor_path(place), root)
    except BaselineError as error:
        # With nothing to hold the report against, it would be accepted whatever was lost.
        _refuse_if(report, name, None if reason else f"{error}, or accept it with the reason: {command}")
        old = anchor = None
    if reason and (place.exists() or anchor is not None):
        anchor = moved_anchor(anchor, baseline, reason)
    else:
        since = ANCHOR if anchor else BASELINE
        anchor = next_anchor(old, anchor, baseline, evaluation)
        fail_on = data.get("fail_on", ())
        lost = against_anchor(evaluation, anchor, _policy(golden, data), fail_on) if anchor else ()
        _refuse_if(report, name, anchor_refusal(lost, command, since) if lost else None)
    return Accepted(name, str(data["baseline"]), baseline_path, baseline, anchor)


def _place(baseline: Path, data: Mapping[str, Any], root: Path) -> Path:
    """Where the accepted rankings are: the plain file, too, as long as it holds this retriever's."""
    plain = baseline.with_name(baseline.name.removesuffix(f".{data.get('variant')}.json") + ".json")
    if data.get("variant") is None or baseline.exists():
        return baseline
    old = _read_old(plain, root)
    return plain if old is not None and old.retriever == data["retriever"] else baseline


def _read_old(path: Path, root: Path) -> Baseline | None:
    """What is replaced, None where there is nothing; raises BaselineError."""
    return read_baseline(path, str(path.relative_to(root))) if path.exists() else None


def _policy(golden: GoldenSet, data: Mapping[str, Any]) -> Policy:
    """What was agreed, as far as the golden set and the report tell it."""
    rules = replace(golden.header.gate, metrics=tuple(data["gate_metrics"]))
    said = {
        row["metric"]: row["margin"]
        for row in data.get("gates", ())
        if row["slice"] == {} and row["against"] == BASELINE and row["margin"] is not None
    }
    return agree(rules, margin=said or DEFAULT_MARGIN, confidence=data.get("confidence", DEFAULT_CONFIDENCE))


def _below(report: Path, root: Path, name: str) -> Path:
    """A path that the report names; one from elsewhere must not lead out of the project."""
    path = root / name
    if not path.resolve().is_relative_to(root.resolve()):
        raise ReportError(report, None, f"names {name!r}, which lies outside {root.absolute()}")
    return path


def _ranking(query: Mapping[str, Any], run: int) -> Ranking:
    return Ranking(_documents(query["repeats"][run - 1] if run else query["ranked"]))


def _documents(ranked: object) -> tuple[str, ...]:
    if not isinstance(ranked, list) or not all(isinstance(document, str) for document in ranked):
        raise TypeError("ranked is no list of texts")
    return tuple(ranked)


def _refuse_if(report: Path, golden: str, why: str | None) -> None:
    if why is not None:
        raise ReportError(report, None, f"{golden}: not accepted, {why}; no baseline was written")


def _mismatch(golden: GoldenSet, data: Mapping[str, Any]) -> str | None:
    """Why the report does not speak of today's golden set as a whole, None when it does."""
    if data["population"]:
        return f"the report covers only {data['population']}: a baseline is one whole run"
    measured = {query["id"]: query["fingerprint"] for query in data["queries"]}
    today = {query.id: fingerprint(query) for query in golden.queries}
    if gone := sorted(set(measured) - set(today)):
        return f"{len(gone)} queries are no longer in the golden set, {gone[0]!r} first"
    if new := sorted(set(today) - set(measured)):
        return f"{len(new)} queries of the golden set are not in the report, {new[0]!r} first"
    if changed := sorted(one for one in today if today[one] != measured[one]):
        return f"{len(changed)} queries have another text now, {changed[0]!r} first"
    return None
