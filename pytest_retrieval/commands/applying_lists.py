"""Lists of pairs that came back from their judges: into the golden set, or against each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from pytest_retrieval.commands.keeping_labels import judgement_of, record_pool
from pytest_retrieval.commands.pool_files import JudgedList, Row
from pytest_retrieval.commands.writing_files import write_file
from pytest_retrieval.golden.documents import Document
from pytest_retrieval.golden.errors import InputError
from pytest_retrieval.golden.judgement import Judgement
from pytest_retrieval.golden.label_editing import with_judgements
from pytest_retrieval.golden.model import GoldenSet
from pytest_retrieval.reporting.printable import harmless
from pytest_retrieval.scoring.agreement import Agreement, agree_on
from pytest_retrieval.scoring.pooling import Hole


def apply_lists(
    golden: GoldenSet, lists: Sequence[JudgedList], documents: Mapping[str, Document], owner: str | None
) -> int:
    """Write the grades of lists into the golden set in one step, and say what was done.

    A label that is there already is kept. InputError for an unknown query, and where two
    lists give different grades.
    """
    rows = _agreed(golden, lists)
    added: dict[str, dict[str, Judgement]] = {}
    kept = []
    known = golden.by_id()
    for row in rows:
        query, document = row.hole.query, row.hole.document
        present = known[query].relevant.get(document)
        if row.grade is None or present == row.grade:
            continue
        if present is not None:
            kept.append(f"{query}: {document} has the grade {present}, the list says {row.grade}; kept")
            continue
        added.setdefault(query, {})[document] = judgement_of(row.grade, documents.get(document), owner)
    if added:
        edit = with_judgements(golden, added)
        write_file(edit.path, edit.content)
    grades = Counter(one.grade for labels in added.values() for one in labels.values())
    told = ", ".join(f"{count} of grade {grade}" for grade, count in sorted(grades.items(), reverse=True))
    left = sum(row.grade is None and row.hole.document not in known[row.hole.query].relevant for row in rows)
    total = sum(grades.values())
    name = harmless(str(golden.path))
    print(f"{name}: {total} labels added{f' ({told})' if told else ''}, {left} pairs of the lists left open")
    for line in kept:
        print(f"  warning: {harmless(line)}")
    for pooling in dict.fromkeys(one.pooling for one in lists if one.pooling is not None):
        assert golden.path is not None
        record_pool(golden.path, pooling, left)
    return 0


def _agreed(golden: GoldenSet, lists: Sequence[JudgedList]) -> list[Row]:
    """The pairs of all lists; InputError for an unknown query, and where two lists disagree."""
    known = golden.by_id()
    rows: dict[Hole, tuple[Path, Row]] = {}
    for one in lists:
        for row in one.rows:
            if row.hole.query not in known:
                raise InputError(one.path, row.line, f"there is no query {row.hole.query!r} in {golden.path}")
            path, first = rows.get(row.hole, (one.path, row))
            if first.grade is not None and row.grade is not None and first.grade != row.grade:
                raise InputError(
                    one.path,
                    row.line,
                    f"{row.hole.query}, {row.hole.document} has the grade {row.grade} here and {first.grade} "
                    f"in {path}:{first.line}; agree on one (--agreement shows them all)",
                )
            rows[row.hole] = (path, first if first.grade is not None else row)
    return [row for _, row in rows.values()]


def compare_lists(golden: GoldenSet, first: JudgedList, second: JudgedList) -> int:
    """Print how far two judges agree, and where they do not."""
    known = golden.by_id()
    one, other = (_grades(judged) for judged in (first, second))
    agreement = agree_on(one, other)
    print(_told(agreement))
    for hole, grade in one.items():
        if other.get(hole, grade) != grade:
            text = known[hole.query].text if hole.query in known else ""
            print(f"  {harmless(f'{hole.query}, {hole.document}: {grade} and {other[hole]}  {text}')}")
    return 0


def _grades(judged: JudgedList) -> Mapping[Hole, int]:
    return {row.hole: row.grade for row in judged.rows if row.grade is not None}


def _told(agreement: Agreement) -> str:
    if not agreement.n:
        return "the two lists share no graded pair"
    share = f"{agreement.equal} of {agreement.n} pairs have the same grade ({agreement.observed:.0%})"
    if agreement.kappa is None or agreement.weighted is None:
        return f"{share}; both judges gave one grade throughout, so kappa says nothing"
    weighted = f"weighted by the squared difference {agreement.weighted:.2f}"
    return f"{share}; Cohen's kappa {agreement.kappa:.2f}, {weighted}"
