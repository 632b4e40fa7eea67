"""Rankings from the files that hold them: baselines, reports and runs."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Any

from pytest_retrieval.gating.baseline_file import FORMAT as BASELINE_FORMAT
from pytest_retrieval.gating.baseline_file import parse_baseline
from pytest_retrieval.golden.errors import InputError
from pytest_retrieval.golden.model import GoldenSet
from pytest_retrieval.golden.trec_rows import file_content
from pytest_retrieval.reporting.json_report import FORMAT as REPORT_FORMAT
from pytest_retrieval.retrieval.ranking import Hit, rank_documents
from pytest_retrieval.retrieval.runs import read_run


@dataclass(frozen=True, slots=True)
class RankingFile:
    """The rankings of one file: document ids by query id, and how deep they were asked, if known."""

    path: Path
    rankings: Mapping[str, Sequence[str]]
    depth: int | None = None


def read_ranking_files(paths: Sequence[Path], golden: GoldenSet) -> list[RankingFile]:
    """The rankings of each file for the queries of a golden set.

    A report may hold several sets; those that name this golden set's file count, or its only
    one. The hits of a run become documents by the header's ``document_id``. InputError for a
    file that cannot be read, and for one that ranks none of the queries.
    """
    known = golden.by_id()
    files = []
    for path in paths:
        for file in _read(path, golden):
            rankings = {query: ranked for query, ranked in file.rankings.items() if query in known}
            if not rankings:
                first = next(iter(file.rankings), None)
                seen = f"its first is {first!r}" if first is not None else "it holds none"
                raise InputError(
                    path, None, f"ranks none of the {len(known)} queries of {golden.path}: {seen}"
                )
            files.append(RankingFile(path, rankings, file.depth))
    return files


def _read(path: Path, golden: GoldenSet) -> list[RankingFile]:
    content = file_content(path)
    if content.lstrip()[:1] == b"{" and path.suffix.lower() != ".jsonl":
        try:
            data = json.loads(content)
        except (ValueError, RecursionError):
            data = None  # JSON lines, perhaps
        found = data.get("format") if isinstance(data, dict) else None
        if found == BASELINE_FORMAT:
            baseline = parse_baseline(content, str(path))
            return [RankingFile(path, {row.id: row.ranked for row in baseline.rows}, baseline.depth)]
        if found == REPORT_FORMAT:
            return _of_report(path, data, golden)
        if data is not None and "\n{" not in content.decode("utf-8", "replace"):
            raise InputError(path, None, f"is no baseline, report or run: its format is {found!r}")
    pattern = golden.header.document_id
    document_id = re.compile(pattern) if pattern else None
    rankings = {
        query: rank_documents(map(Hit, hits), document_id).documents for query, hits in read_run(path).items()
    }
    return [RankingFile(path, rankings)]


def _of_report(path: Path, data: Mapping[str, Any], golden: GoldenSet) -> list[RankingFile]:
    try:
        sets = [
            (
                str(one["golden"]),
                RankingFile(
                    path,
                    {
                        str(query["id"]): [str(document) for document in query["ranked"]]
                        for query in one["queries"]
                        if query["outcome"] == "scored"
                    },
                    int(one["depth"]),
                ),
            )
            for one in data["sets"]
        ]
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(path, None, f"is damaged ({type(error).__name__}: {error})") from None
    name = golden.path.name if golden.path else ""
    return [file for set_name, file in sets if len(sets) == 1 or PurePath(set_name).name == name]
