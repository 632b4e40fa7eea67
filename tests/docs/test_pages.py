"""What the pages say about names, flags, words and messages is held against the code."""

from __future__ import annotations

import html
import inspect
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from page_markdown import anchors, blocks, links, prose
from page_runner import commands, first_missing

import pytest_retrieval
from pytest_retrieval.gating.verdict import VERDICTS, Verdict
from pytest_retrieval.golden.fields import ALIASES, GATE_KEYS, HEADER_KEYS
from pytest_retrieval.golden.reader import load_golden
from pytest_retrieval.pytest_side.options import OPTIONS
from pytest_retrieval.reporting.json_report import report_data
from pytest_retrieval.reporting.result import GateRow, MeanRow, QueryResult, RunResult, SetResult
from pytest_retrieval.scoring.metrics import _FORMULAS
from pytest_retrieval.scoring.names import canonical, parse_metric

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
PAGES = [*sorted(ROOT.glob("*.md")), *sorted(DOCS.glob("*.md"))]

OTHERS = ("baseline", "update-baseline", "update-anchor", "noise")
FLAGS = {option.flag for option in OPTIONS} | {f"--retrieval-{name}" for name in OTHERS}
KEYS = {option.key for option in OPTIONS} | {"retrieval_baseline"}
FIXTURES = {"retrieval_cache"}


def _name(page: Path) -> str:
    return page.stem


def _text(page: str) -> str:
    return (DOCS / page).read_text("utf-8")


@pytest.mark.parametrize("page", PAGES, ids=_name)
def test_every_link_leads_somewhere(page: Path) -> None:
    for target in links(page):
        if target.startswith("https://"):
            continue
        file, _, anchor = target.partition("#")
        goal = (page.parent / file).resolve() if file else page
        assert goal.is_file(), f"{page.name}: {target} leads to no file"
        assert not anchor or anchor in anchors(goal), f"{page.name}: {target}: no such heading"


def test_the_index_lists_every_page_once() -> None:
    listed = [target for target in links(DOCS / "index.md") if target.endswith(".md")]
    assert sorted(listed) == sorted(page.name for page in DOCS.glob("*.md") if page.stem != "index")
    assert len(listed) > 15


def test_the_readme_leads_to_the_index_and_stays_short() -> None:
    readme = ROOT / "README.md"
    assert "docs/index.md" in links(readme)
    assert len(readme.read_text("utf-8").splitlines()) < 200


def test_the_picture_of_a_red_gate_shows_what_the_tutorial_runs() -> None:
    svg = html.unescape((DOCS / "pictures" / "red-gate.svg").read_text("utf-8"))
    # Rich sets one run of signs per colour, with hard blanks, at a height per line.
    parts: dict[float, list[str]] = {}
    for height, text in re.findall(r'<text [^>]*\by="([0-9.]+)"[^>]*>([^<]*)</text>', svg):
        parts.setdefault(float(height), []).append(text.replace("\xa0", " ").strip("\n"))
    shown = ["".join(parts[height]) for height in sorted(parts)]
    page = DOCS / "getting-started.md"
    *_, last = (command for block in blocks(page) for command in commands(page, block))
    assert first_missing([f"$ {last.text}", *last.expected], "\n".join(shown)) is None


def test_the_tables_of_options_are_current() -> None:
    tool = [sys.executable, str(DOCS / "generate_reference.py"), "--check"]
    done = subprocess.run(tool, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("page", PAGES, ids=_name)
def test_what_a_workflow_runs_is_run_on_its_page(page: Path) -> None:
    run = {command.text for block in blocks(page) for command in commands(page, block)}
    for block in blocks(page):
        if block.name == "title" and (block.value or "").endswith(".yml"):
            steps = {line.strip().removeprefix("- ").removeprefix("run: ") for line in block.lines}
            assert {step for step in steps if step.startswith("pytest ")} <= run, f"{page.name}:{block.line}"


@pytest.mark.parametrize("page", PAGES, ids=_name)
def test_every_flag_and_ini_key_on_a_page_exists(page: Path) -> None:
    text = page.read_text("utf-8")
    flags = set(re.findall(r"--retrieval-[a-z-]*[a-z]", text))
    keys = set(re.findall(r"(?<![\w.])retrieval_[a-z_]+", text))
    assert flags <= FLAGS, f"unknown: {sorted(flags - FLAGS)}"
    assert keys <= KEYS | FIXTURES, f"unknown: {sorted(keys - KEYS - FIXTURES)}"


def test_every_flag_and_ini_key_is_on_the_options_page() -> None:
    text = _text("options.md")
    assert [flag for flag in sorted(FLAGS) if not re.search(rf"`{flag}[`=]", text)] == []
    assert [key for key in sorted(KEYS) if f"`{key}`" not in text] == []


def test_every_exit_code_is_on_the_options_page() -> None:
    rows = re.findall(r"^\| (\d) \|", _text("options.md"), re.MULTILINE)
    assert rows == ["0", "1", "2", "4", "5"]


def test_every_verdict_is_explained_and_no_other() -> None:
    rows = re.findall(r"^\| `([a-z ]+)` \| (?:green|red|neither)", _text("verdict.md"), re.MULTILINE)
    assert sorted(rows) == sorted(VERDICTS)


def test_every_metric_is_defined_under_its_canonical_name() -> None:
    with pytest.raises(ValueError, match="known are") as caught:
        parse_metric("no such metric")
    known = str(caught.value).partition("known are ")[2].replace("[@k]", "@k").split(", ")
    rows = re.findall(r"^\| `([a-z0-9_@]+)` \| [^`]", _text("metrics.md"), re.MULTILINE)
    assert len(known) > 5
    assert sorted(rows) == sorted(known)


def test_every_formula_is_that_of_the_code() -> None:
    rows = re.findall(r"^\| `([a-z0-9_]+)(?:@k)?` \| ([^`|]+) \|", _text("metrics.md"), re.MULTILINE)
    assert len(rows) > 10
    for name, formula in rows:
        said = " ".join((_FORMULAS[name].__doc__ or "").split())
        assert formula in said, f"{name}: {said}"


def test_the_names_of_other_tools_mean_what_the_page_says() -> None:
    rows = re.findall(r"^\| `([a-z0-9_@]+)` \| (`.*) \|$", _text("metrics.md"), re.MULTILINE)
    assert len(rows) > 5
    for name, others in rows:
        spellings = re.findall(r"`([^`]+)`", others)
        assert canonical([name, *spellings]) == (name,)


def test_every_field_and_header_key_is_on_the_page_of_golden_sets() -> None:
    named = set(re.findall(r"`(\w+)`", _text("golden-sets.md")))
    fields = {name for names in ALIASES.values() for name in names}
    assert named >= {*fields, *HEADER_KEYS, *GATE_KEYS}


def test_every_field_is_listed_with_its_other_names() -> None:
    rows = re.findall(r"^\| `(\w+)` \| ((?:`\w+`(?:, )?)*) ?\|", _text("golden-sets.md"), re.MULTILINE)
    listed = {name: (name, *re.findall(r"`(\w+)`", others)) for name, others in rows}
    assert {name: listed.get(name) for name in ALIASES} == ALIASES


def test_the_signatures_of_the_python_api_are_those_of_the_code() -> None:
    text = _text("python-api.md")
    for function in (load_golden, pytest_retrieval.evaluate, pytest_retrieval.compare):
        signature = inspect.signature(function)
        bare = [one.replace(annotation=inspect.Parameter.empty) for one in signature.parameters.values()]
        shown = signature.replace(parameters=bare, return_annotation=inspect.Signature.empty)
        assert f"`{function.__name__}{shown}`" in text


def test_every_public_name_is_on_the_page_of_the_python_api() -> None:
    text = _text("python-api.md")
    assert [name for name in pytest_retrieval.__all__ if name not in text] == []


def test_every_field_of_the_json_report_is_explained() -> None:
    query = QueryResult("q1", "text", "other", 1, "hash", "scored")
    verdict = Verdict({}, "mrr", "baseline", "pass")
    one = SetResult(
        golden="golden.yaml",
        retriever="retriever",
        baseline="baselines/golden.json",
        gated=True,
        population={},
        depth=20,
        document_id=None,
        describe={},
        metrics=("mrr",),
        gate_metrics=("mrr",),
        queries=(query,),
        means=(MeanRow({}, 1, {"mrr": 1.0}),),
        gates=(GateRow("golden.yaml", verdict),),
    )
    report = report_data(RunResult((one,), "pass", complete=True))
    parts = report["sets"][0]
    fields = {*report, *parts, *parts["means"][0], *parts["gates"][0], *parts["queries"][0]}
    explained = set(re.findall(r"`(\w+)`", _text("reports.md")))
    assert fields <= explained, f"not on the page: {sorted(fields - explained)}"


@cache
def _messages() -> str:
    """The source, with the literals of a message joined as Python joins them."""
    package = Path(pytest_retrieval.__file__).parent
    source = "\n".join(file.read_text("utf-8") for file in sorted(package.rglob("*.py")))
    return re.sub(r"""["']\s*\n\s*f?["']""", "", source)


def test_the_messages_on_the_page_of_errors_are_those_of_the_code() -> None:
    headings = [line for line in prose(DOCS / "errors.md") if line.startswith("### ")]
    shown = [message for line in headings for message in re.findall(r"`([^`]+)`", line)]
    assert len(shown) > 20
    parts = [part.strip(" ():;,?") for message in shown for part in message.split("...")]
    assert [part for part in parts if part not in _messages()] == []


@pytest.mark.parametrize("page", PAGES, ids=_name)
def test_a_file_is_named_above_its_block_and_stays_in_its_folder(page: Path) -> None:
    lines = page.read_text("utf-8").splitlines()
    for block in blocks(page):
        if block.name != "title" or not block.value:
            continue
        # Where the page is rendered, the title behind the fence cannot be seen.
        above = next(line for line in reversed(lines[: block.line - 1]) if line)
        assert f"`{block.value}`" in above, f"{page.name}:{block.line}"
        assert not Path(block.value).is_absolute()
        assert ".." not in Path(block.value).parts


def test_the_projects_own_golden_set_asks_eighty_questions_in_three_large_kinds_about_every_page() -> None:
    golden = load_golden(ROOT / "golden_docs.yaml")
    sizes = {kind: sum(query.kind == kind for query in golden.queries) for kind in golden.kinds()}
    assert set(sizes) == {"identifier", "paraphrase", "multi-page"}
    assert min(sizes.values()) >= 20
    assert len(golden) >= 80
    answering = {page for query in golden.queries for page, grade in query.relevant.items() if grade > 0}
    assert answering == {f"docs/{page.name}" for page in DOCS.glob("*.md") if page.stem != "index"}


def test_a_question_of_the_kind_multi_page_needs_more_than_one() -> None:
    for query in load_golden(ROOT / "golden_docs.yaml").queries:
        pages = [page for page, grade in query.relevant.items() if grade > 0]
        assert query.kind != "multi-page" or len(pages) > 1, query.id
