from __future__ import annotations

from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from pytest_retrieval.reporting.markdown_report import LIMIT, markdown_report, write_markdown_report
from pytest_retrieval.reporting.result import GateRow, QueryResult, RunResult, SetResult
from pytest_retrieval.reporting.status import run_status

HOSTILE = (
    "x | y <script>alert(1)</script> **b** @somebody #12 [l](https://e.org) `c` www.e.org\n# title\x1b[31m"
)
SetFactory = Callable[..., SetResult]
GateFactory = Callable[..., GateRow]
QueryFactory = Callable[..., QueryResult]


def report(*sets: SetResult, **more: Any) -> str:
    return markdown_report(RunResult(sets, run_status(sets), complete=True), **more)


def plain(text: str) -> str:
    return text.replace("<code>", "").replace("</code>", "").replace("&#95;", "_")


def test_the_verdict_comes_first_then_one_table_then_details(
    make_set: SetFactory, make_gate: GateFactory, make_query: QueryFactory
) -> None:
    gates = (make_gate("pass"), make_gate("regression", {"kind": "identifier"}))
    text = report(make_set(gated=True, gates=gates, queries=(make_query(),)))
    lines = text.splitlines()
    assert lines[:2] == ["<!-- pytest-retrieval -->", "## ❌ Search got worse"]
    places = [text.index(part) for part in ("- Got worse: ", "- **Next:** ", "| verdict |", "<details>")]
    assert places == sorted(places)
    assert text.count("| verdict |") == 1
    assert text.count("<details>") == text.count("</details>") == 2


def test_a_reader_learns_what_fell_how_much_and_what_to_run(
    make_set: SetFactory, make_gate: GateFactory
) -> None:
    gates = (
        make_gate("regression", {"kind": "ar"}),
        make_gate("regression", {"kind": "ar"}, metric="ndcg@10", before=0.8, after=0.5, difference=-0.3),
        make_gate("improved", {"kind": "zh"}, before=0.1, after=0.3, difference=0.2),
    )
    text = plain(report(make_set(gated=True, gates=gates)))
    assert (
        "- Got worse: **ar**: recall@5 fell 0.500 (0.900 -> 0.400); ndcg@10 fell 0.300 (0.800 -> 0.500)"
        in text
    )
    assert "- Improved: **zh**: recall@5 rose 0.200 (0.100 -> 0.300)" in text
    assert "pytest --update-baseline golden_docs.yaml" in text


def test_red_rows_stand_above_green_ones(make_set: SetFactory, make_gate: GateFactory) -> None:
    gates = [make_gate(word, {"kind": word}) for word in ("pass", "improved", "regression", "suspected")]
    text = report(make_set(gated=True, gates=tuple(gates), queries=()))
    words = [line.split(" | ")[-1].strip("* |") for line in text.splitlines() if line.startswith("| <code>")]
    assert words[:4] == ["regression", "suspected", "improved", "pass"]


@pytest.mark.parametrize(
    ("words", "fail_on", "headline"),
    [
        (["pass"], (), "✅ No regression was found"),
        (["improved"], (), "✅ No regression was found"),
        (["improved"], ("stale",), "❌ Search improved, and the baseline is stale"),
        (["suspected"], ("suspected",), "❌ Search is suspected to be worse"),
        (["regression", "improved"], ("stale",), "❌ Search got worse"),
        (["not evaluated"], (), "⚠️ Not everything was judged"),
    ],
)
def test_the_headline(
    make_set: SetFactory, make_gate: GateFactory, words: list[str], fail_on: tuple[str, ...], headline: str
) -> None:
    gates = tuple(make_gate(word) for word in words)
    text = report(make_set(gated=True, gates=gates, fail_on=fail_on))
    assert text.splitlines()[1] == f"## {headline}"


def test_a_run_without_gates_shows_the_means(make_set: SetFactory, make_query: QueryFactory) -> None:
    text = report(make_set(queries=(make_query(baseline=None),)))
    assert "## ℹ️ Measured, and compared with nothing" in text
    assert "|  | n | recall@5 |" in text


def test_a_run_that_judged_nothing_says_so() -> None:
    text = markdown_report(RunResult((), "incomplete", complete=False))
    assert "## ⚠️ Not everything was judged" in text
    assert "has not come to its end" in text


def test_the_limit_of_a_comment_is_kept_and_it_is_said_what_is_missing(
    make_set: SetFactory, make_gate: GateFactory, make_query: QueryFactory
) -> None:
    queries = tuple(
        make_query(f"q{n:04}", text="语" * 500, scores={"recall@5": 0.0}, ranked=("D" * 200,) * 20)
        for n in range(6_000)
    )
    gates = tuple(make_gate("regression", {"kind": f"k{n:03} {'é' * 150}"}) for n in range(300))
    text = report(make_set(gated=True, gates=gates, queries=queries))
    assert LIMIT - 5_000 < len(text) <= LIMIT == 65_536
    assert "there is no room" in text
    assert "## ❌ Search got worse" in text


def test_many_queries_are_left_to_reports_that_can_be_searched(
    make_set: SetFactory, make_query: QueryFactory
) -> None:
    queries = tuple(make_query(f"q{n}") for n in range(60))
    text = report(make_set(gated=True, queries=queries))
    assert "Queries that got worse: 60" in text
    assert "10 more queries stand in the JSON and HTML reports." in text


class Tags(HTMLParser):
    """All tags and attributes of a rendered report, and its text."""

    def __init__(self) -> None:
        super().__init__()
        self.found: set[str] = set()
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.update({tag, *(name for name, _ in attrs)})

    def handle_data(self, data: str) -> None:
        self.text += data


def test_hostile_text_stays_text_everywhere(
    make_set: SetFactory, make_gate: GateFactory, make_query: QueryFactory
) -> None:
    markdown_it = pytest.importorskip("markdown_it", reason="markdown-it-py is not installed")
    queries = (
        make_query(HOSTILE, text=HOSTILE, kind=HOSTILE, ranked=(HOSTILE, "D1"), relevant={HOSTILE: 1}),
        make_query("q2", outcome="error", error=HOSTILE, scores=None),
        make_query("q3", must_failed=(HOSTILE,)),
    )
    gates = (
        make_gate("regression", {"kind": HOSTILE}, reason=HOSTILE),
        make_gate("not evaluated", {"kinds": [HOSTILE, "b"]}, reason=HOSTILE, metric="mrr"),
        make_gate("pass", {HOSTILE: HOSTILE}),
    )
    result = make_set(
        golden=HOSTILE,
        retriever=HOSTILE,
        baseline=HOSTILE,
        population={HOSTILE: [HOSTILE]},
        gated=True,
        gates=gates,
        queries=queries,
        added=(HOSTILE,),
        notes=(HOSTILE,),
    )
    text = report(result)
    rendered = markdown_it.MarkdownIt("commonmark", {"html": True}).enable("table").render(text)
    tags = Tags()
    tags.feed(rendered)
    ours = "h2 p strong code ul li pre class table thead tbody tr th td style details summary"
    assert tags.found <= set(ours.split())
    assert tags.text.count("<script>alert(1)</script>") > 15
    assert "\x1b" not in text
    # every row of a table has the columns of its head
    for line in text.splitlines():
        if line.startswith("| "):
            assert line.count(" | ") in (2, 3, 8)


def test_it_is_written_in_one_step(make_set: SetFactory, tmp_path: Path) -> None:
    place = tmp_path / "new" / "report.md"
    write_markdown_report(place, RunResult((make_set(),), "measured", complete=True))
    assert place.read_text("utf-8").startswith("<!-- pytest-retrieval -->\n## ")
    assert [path.name for path in place.parent.iterdir()] == ["report.md"]
