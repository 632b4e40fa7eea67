"""The tests of ranx.compare over the queries that were compared; needs the extra ``ranx``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pytest_retrieval.golden.errors import InputError
from pytest_retrieval.reporting import wording
from pytest_retrieval.reporting.fitting import Block
from pytest_retrieval.reporting.line import Line, styled
from pytest_retrieval.reporting.markdown_text import code, head, sentence
from pytest_retrieval.reporting.markdown_text import row as markdown_row
from pytest_retrieval.reporting.printable import harmless, wrap
from pytest_retrieval.reporting.result import QueryResult, SetResult
from pytest_retrieval.reporting.table import Row, table

PERMUTATIONS = 10_000
LEVEL = 0.05
_NOT_THERE = ("judged",)
_OTHER_NAMES = {"r_precision": "r-precision"}
# ranx takes no empty ranking; no label can name a control character alone
_NOTHING = "\x00"


@dataclass(frozen=True, slots=True)
class RanxTest:
    """What ranx says of one slice and metric: its means (0 to 1) and two-sided p values, and our word.

    ranx asks whether there is any difference at all, our gate whether the fall is beyond the margin.
    """

    slice: Mapping[str, object]
    metric: str
    n: int
    before: float
    after: float
    fisher: float
    student: float
    ours: str

    @property
    def word(self) -> str:
        """``better``, ``worse`` or ``no difference`` by Fisher's test at 5 %."""
        if self.fisher > LEVEL:
            return "no difference"
        return "better" if self.after > self.before else "worse"


def ranx_tests(result: SetResult) -> list[RanxTest]:
    """Fisher's randomization test and Student's paired t test for all queries and each kind of two or more.

    Raises InputError where ranx is not installed.
    """
    try:
        import ranx
    except ImportError:
        raise InputError(
            "--ranx", None, 'ranx is not installed here: pip install "pytest-retrieval[ranx]"'
        ) from None
    compared = [
        query
        for query in result.queries
        if query.scores and query.baseline and query.baseline_ranked is not None
    ]
    metrics = [name for name in result.gate_metrics if name.partition("@")[0] not in _NOT_THERE]
    words = {(str(row.verdict.slice), row.verdict.metric): row.verdict.verdict for row in result.gates}
    tests = []
    for label, queries in _slices(compared):
        found = {test: _compare(ranx, queries, metrics, test) for test in ("fisher", "student")}
        for metric in metrics:
            name = _their_name(metric)
            means = found["fisher"]
            tests.append(
                RanxTest(
                    label,
                    metric,
                    len(queries),
                    before=float(means["before"]["scores"][name]),
                    after=float(means["after"]["scores"][name]),
                    fisher=float(means["before"]["comparisons"]["after"][name]),
                    student=float(found["student"]["before"]["comparisons"]["after"][name]),
                    ours=words.get((str(label), metric), wording.NONE),
                )
            )
    return tests


def _slices(queries: Sequence[QueryResult]) -> Iterator[tuple[dict[str, object], list[QueryResult]]]:
    if len(queries) > 1:
        yield {}, list(queries)
    kinds = dict.fromkeys(query.kind for query in queries)
    for kind in kinds if len(kinds) > 1 else ():
        members = [query for query in queries if query.kind == kind]
        if len(members) > 1:
            yield {"kind": kind}, members


def _compare(ranx: Any, queries: Sequence[QueryResult], metrics: Sequence[str], test: str) -> dict[str, Any]:
    qrels = ranx.Qrels({query.id: dict(query.relevant) for query in queries})
    runs = [
        ranx.Run({query.id: _scores(query.baseline_ranked or ()) for query in queries}, name="before"),
        ranx.Run({query.id: _scores(query.ranked) for query in queries}, name="after"),
    ]
    names = [_their_name(metric) for metric in metrics]
    report = ranx.compare(qrels, runs, names, stat_test=test, n_permutations=PERMUTATIONS)
    data: dict[str, Any] = report.to_dict()
    return data


def _their_name(metric: str) -> str:
    name, at, cut = metric.partition("@")
    return _OTHER_NAMES.get(name, name) + at + cut


def _scores(ranked: Sequence[str]) -> dict[str, float]:
    return {document: float(len(ranked) - place) for place, document in enumerate(ranked)} or {_NOTHING: 1.0}


_TITLES = ("metric", "n", "before", "after", "Fisher p", "Student p", "ranx at 5 %", "ours")
_LEGEND = "ranx asks for any difference, one test at a time; ours for a fall beyond the margin"


def _cells(test: RanxTest) -> tuple[str, ...]:
    return (
        test.metric,
        str(test.n),
        wording.score(test.before),
        wording.score(test.after),
        wording.probability(test.fisher),
        wording.probability(test.student),
        test.word,
        test.ours,
    )


def ranx_lines(tests: Sequence[RanxTest], width: int) -> list[Line]:
    """A table of both opinions for a terminal."""
    rows = [
        Row(((wording.slice_label(test.slice), ""), *((harmless(cell), "") for cell in _cells(test))))
        for test in tests
    ]
    return [
        styled("ranx.compare", "bold"),
        *table(["", *_TITLES], rows, width, left=2),
        *(styled(text, "faint") for text in wrap(_LEGEND, width, "  ")),
    ]


def ranx_block(tests: Sequence[RanxTest], result: SetResult) -> Block:
    """The same as Markdown."""
    rows = tuple(
        markdown_row([code(wording.slice_label(test.slice)), *map(sentence, _cells(test))]) for test in tests
    )
    summary = f"What ranx.compare says of {code(result.retriever)}"
    before = f"<details><summary>{summary}</summary>\n\n{head(('', *_TITLES))}"
    return Block(before, rows, f"\n{_LEGEND}\n\n</details>", "tests of ranx")
