"""The rankings of this session as files that other tools score."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath

import pytest

from pytest_retrieval.golden.errors import InputError
from pytest_retrieval.pytest_side.gate_reports import NodeOutcome
from pytest_retrieval.pytest_side.node_names import node_name
from pytest_retrieval.pytest_side.plan import Plan
from pytest_retrieval.reporting.line import Line, styled
from pytest_retrieval.reporting.overwriting import keeps_run_out
from pytest_retrieval.reporting.printable import harmless
from pytest_retrieval.reporting.result import SCORED, SetResult
from pytest_retrieval.retrieval.resolving import Composition, RunFile, Spec, parse_retriever
from pytest_retrieval.retrieval.saving_runs import JSONL, write_run


def save_runs(path: Path, results: Sequence[SetResult]) -> tuple[list[Line], list[NodeOutcome]]:
    """Write each set's rankings; several sets get files of their own beside ``path``.

    A file that cannot be written is a failure of its set: what was asked for was not done.
    """
    lines: list[Line] = []
    failed: list[NodeOutcome] = []
    written: dict[Path, str] = {}
    for result in results:
        file = path if len(results) == 1 else _own_file(path, result.golden, result.variant)
        rankings = {query.id: query.ranked for query in result.queries if query.outcome == SCORED}
        try:
            if why := keeps_run_out(file):
                raise InputError(file, None, why)
            if file in written:
                raise InputError(file, None, f"it holds the rankings of {written[file]}; rename one of them")
            written[file] = result.node
            write_run(file, rankings, result.variant or result.retriever)
        except (InputError, OSError) as error:
            why = error.strerror or str(error) if isinstance(error, OSError) else error.message
            message = f"{file}: the run was not written: {why}"
            lines.append(styled(f"{harmless(result.node)}: {harmless(message)}", "red"))
            failed.append(NodeOutcome(result.node, "failed", harmless(message)))
            continue
        text = f"{harmless(result.node)}: {len(rankings)} rankings written to {harmless(str(file))}"
        empty = sum(not ranked for ranked in rankings.values())
        if empty and file.suffix.lower() not in JSONL:
            text += f"; {empty} empty answers have no line in it: score it with trec_eval -c"
        lines.append(styled(text))
    return lines, failed


def refuse_own_source(path: Path, plans: Sequence[Plan]) -> None:
    """UsageError where the run that answers would be replaced by what it answered."""
    outputs = {path.resolve(), *(_own_file(path, plan.name, plan.variant).resolve() for plan in plans)}
    for plan in plans:
        if not outputs.isdisjoint(_sources(plan)):
            raise pytest.UsageError(
                f"--retrieval-save-run={path}: {plan.name} is answered from this file; "
                "nothing was asked or written: choose another name"
            )


def _sources(plan: Plan) -> Iterator[Path]:
    """The runs that a golden set is answered from, also those of retrievers that are not asked now."""
    header, home = plan.golden.header, (plan.golden.path or Path()).parent
    named = [(plan.retriever, plan.retriever_home), *((one.retriever, home) for one in header.listed)]
    named += [(header.exact, home)] if header.exact else []
    for retriever, folder in named:
        for spec in _run_files(parse_retriever(retriever)):
            yield (folder / spec.path).resolve()


def _run_files(spec: Spec) -> Iterator[RunFile]:
    if isinstance(spec, RunFile):
        yield spec
    elif isinstance(spec, Composition):
        for part in spec.parts:
            yield from _run_files(part)


def _own_file(path: Path, golden: str, variant: str | None) -> Path:
    """``run.trec`` -> ``run.docs_golden.bm25.trec`` for ``docs/golden.yaml`` and its retriever ``bm25``."""
    name = node_name("_".join(PurePosixPath(golden).with_suffix("").parts))
    end = "" if variant is None else f".{variant}"
    return path.with_name(f"{path.stem}.{name}{end}{path.suffix}")
