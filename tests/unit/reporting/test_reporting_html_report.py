from __future__ import annotations

import base64
import hashlib
import json
import re
import sys
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from pytest_retrieval.gating.verdict import BELOW_FLOOR, IMPROVED, PASS, REGRESSION, SUSPECTED
from pytest_retrieval.reporting.from_json import run_result
from pytest_retrieval.reporting.headline import better_slices, headline, verdict_counts, worse_slices
from pytest_retrieval.reporting.html_report import embedded, html_page, write_html_report
from pytest_retrieval.reporting.json_report import report_data
from pytest_retrieval.reporting.missing_library import MissingLibraryError
from pytest_retrieval.reporting.result import MeanRow, RunResult
from pytest_retrieval.scoring.repeats import Noise

pytest.importorskip("jinja2", reason="jinja2 is not installed")

Make = Callable[..., Any]

HOSTILE = "</script><script>alert(1)</script><!-- \"quotes\" 'too' & \x00\x1b[31m \u202egnirts {{ 7 * 7 }}"


class Page(HTMLParser):
    """The elements of a page, and its texts with the element that was opened before each."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[tuple[str, str]] = []
        self._open = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self._open = tag
        if tag not in ("bdi", "span", "strong", "code"):
            self.texts.append(("", " "))  # these begin something of their own

    def handle_data(self, data: str) -> None:
        self.texts.append((self._open, data))

    def all(self, tag: str) -> Iterator[dict[str, str | None]]:
        return (attributes for name, attributes in self.elements if name == tag)

    def words(self) -> str:
        kept = (text for tag, text in self.texts if tag not in ("script", "style"))
        return " ".join("".join(kept).split())


def run_of(*sets: Any, status: str = "regression") -> RunResult:
    return RunResult(tuple(sets), status, complete=True)


def page_of(*sets: Any, status: str = "regression") -> tuple[str, Page]:
    text = html_page(report_data(run_of(*sets, status=status)))
    return text, Page(text)


@pytest.fixture
def red_set(make_set: Make, make_gate: Make) -> Any:
    gates = (
        make_gate(REGRESSION, {"kind": "identifier"}),
        make_gate(REGRESSION, {"kind": "identifier"}, against="anchor", difference=-0.55),
        make_gate(IMPROVED, {"kind": "phrase"}, difference=0.25, interval=(0.1, 0.4), reason="see there"),
        make_gate(BELOW_FLOOR, {}, against="floor", floor=0.8, after=0.75, margin=None, difference=None),
    )
    return make_set(gates=gates, gated=True, baseline="baselines/golden_docs.json")


def test_the_page_says_the_verdict_first_and_then_the_next_step(red_set: Any) -> None:
    _, page = page_of(red_set)
    words = page.words()
    assert ("h1", "Search got worse") in page.texts
    assert "Worse: identifier, all" in words
    assert "Better: phrase" in words
    assert 'pytest --update-baseline golden_docs.yaml --retrieval-update-anchor="reason"' in words
    assert "compared with baselines/golden_docs.json" in words
    assert words.index("Search got worse") < words.index("Worse:") < words.index("Query by query")


def test_every_gate_stands_in_a_table_with_its_numbers(red_set: Any) -> None:
    words = page_of(red_set)[1].words()
    assert (
        "identifier ✖ regression recall@5 baseline 20 0.900 0.400 -0.500 [-0.610, -0.380] 0.02 +0 -12 =8 "
        "0.020 could have seen a drop of 0.21" in words
    )
    assert "identifier ✖ regression recall@5 anchor 20 0.900 0.400 -0.550" in words
    assert "phrase ▲ improved recall@5 baseline 20 0.900 0.400 +0.250 [+0.100, +0.400]" in words
    assert "0.020 see there; could have seen a drop of 0.21" in words
    assert "all recall@5 20 0.750 0.8 ▼ below floor" in words


def test_the_block_of_data_is_the_report(red_set: Any) -> None:
    text, _ = page_of(red_set)
    found = re.findall(r'<script type="application/json" id="report">(.*?)</script>', text, re.DOTALL)
    assert [json.loads(one) for one in found] == [report_data(run_of(red_set))]


def test_the_policy_names_each_script_and_style_by_its_hash_and_lets_nothing_be_fetched(red_set: Any) -> None:
    text, page = page_of(red_set)
    (policy,) = (
        attributes["content"] or ""
        for attributes in page.all("meta")
        if attributes.get("http-equiv") == "Content-Security-Policy"
    )
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    inline = re.findall(r"<(script|style)>(.*?)</\1>", text, re.DOTALL)
    assert [tag for tag, _ in inline] == ["style", "script", "script"]

    def hashed(part: str) -> str:
        return f"'sha256-{base64.b64encode(hashlib.sha256(part.encode()).digest()).decode()}'"

    assert rules == {
        "default-src": "'none'",
        "script-src": " ".join(hashed(part) for tag, part in inline if tag == "script"),
        "style-src": " ".join(hashed(part) for tag, part in inline if tag == "style"),
        "img-src": "data:",
        "base-uri": "'none'",
        "form-action": "'none'",
    }


def test_nothing_on_the_page_leads_elsewhere(red_set: Any) -> None:
    _, page = page_of(red_set)
    for tag, attributes in page.elements:
        assert not {name for name in attributes if name == "style" or name.startswith("on")}, tag
        for name in ("href", "src", "action", "data", "srcset", "poster"):
            target = attributes.get(name)
            assert target is None or target.startswith(("#", "data:,")), (tag, target)


def test_hostile_texts_are_text_wherever_they_stand(
    make_set: Make, make_query: Make, make_gate: Make
) -> None:
    plain = html_page(report_data(run_of(make_set(gates=(make_gate(PASS),), notes=("note",)))))
    hostile = make_set(
        golden=HOSTILE,
        retriever=HOSTILE,
        baseline=HOSTILE,
        target=HOSTILE,
        gated=True,
        population={"kind": [HOSTILE]},
        describe={HOSTILE: HOSTILE},
        metrics=("recall@5",),
        queries=(make_query(HOSTILE, text=HOSTILE, kind=HOSTILE, error=HOSTILE, ranked=(HOSTILE,)),),
        means=(MeanRow({"kind": HOSTILE}, 1, {"recall@5": 0.5}),),
        gates=(make_gate(REGRESSION, {"kind": HOSTILE}, node=HOSTILE, reason=HOSTILE),),
        added=(HOSTILE,),
        notes=(HOSTILE,),
    )
    text, page = page_of(hostile)
    assert text.count("<script") == plain.count("<script") == 3
    assert text.count("</script") == 3
    assert text.count("<!--") == 0
    assert not set(text) & {"\x00", "\x1b", "\u202e"}
    assert r"\x00\x1b[31m \u202egnirts {{ 7 * 7 }}" in page.words()
    assert {tag for tag, _ in page.elements} - {tag for tag, _ in Page(plain).elements} <= {"code", "small"}


def test_the_data_can_neither_end_its_element_nor_begin_a_comment() -> None:
    text = embedded({"a": "</script><!--&\u2028\u2029\ud800 é"})
    assert text == (r'{"a":"\u003c/script\u003e\u003c!--\u0026\u2028\u2029\ud800 \u00e9"}')
    assert json.loads(text) == {"a": "</script><!--&\u2028\u2029\ud800 é"}


def test_data_that_is_no_strict_json_is_refused() -> None:
    with pytest.raises(ValueError, match="JSON"):
        embedded({"a": float("nan")})


def test_a_lone_surrogate_does_not_stop_the_writer(tmp_path: Path, make_set: Make, make_query: Make) -> None:
    write_html_report(
        tmp_path / "report.html", run_of(make_set(golden="\ud800", queries=(make_query("\udfff"),)))
    )
    assert "\\ud800" in (tmp_path / "report.html").read_text("utf-8")


def test_several_sets_have_links_and_one_set_has_none(make_set: Make) -> None:
    two = page_of(make_set(), make_set(golden="golden_more.yaml"), status="measured")[1]
    assert [one["href"] for one in two.all("a") if one["href"] != "#sets"] == ["#set-0", "#set-1"]
    assert [one["id"] for one in two.all("article")] == ["set-0", "set-1"]
    one = page_of(make_set(), status="measured")[1]
    assert [each["href"] for each in one.all("a")] == ["#sets"]


def test_a_run_without_sets_is_a_page_that_says_so() -> None:
    words = Page(html_page(report_data(RunResult((), "incomplete", complete=False)))).words()
    assert "Not everything was judged" in words
    assert "the run was not complete" in words
    assert "This report holds no golden set" in words


def test_the_file_is_written_in_one_step_and_the_same_run_gives_the_same_bytes(
    tmp_path: Path, red_set: Any
) -> None:
    for name in ("a", "b"):
        write_html_report(tmp_path / name / "report.html", run_of(red_set))
    assert [path.name for path in (tmp_path / "a").iterdir()] == ["report.html"]
    assert (tmp_path / "a/report.html").read_bytes() == (tmp_path / "b/report.html").read_bytes()
    assert (tmp_path / "a/report.html").stat().st_size < 200_000


def test_without_jinja_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch, red_set: Any) -> None:
    monkeypatch.setitem(sys.modules, "jinja2", None)
    with pytest.raises(MissingLibraryError, match=r"pip install 'pytest-retrieval\[html\]'"):
        html_page(report_data(run_of(red_set)))


@pytest.mark.parametrize(
    "data",
    [{}, [], {"format": "another/1"}, {"format": "pytest-retrieval-report/1"}],
    ids=["empty", "a list", "another format", "without fields"],
)
def test_what_is_no_report_is_refused(data: Any) -> None:
    with pytest.raises(ValueError, match="format pytest-retrieval-report/1"):
        html_page(data)


def test_a_set_without_its_fields_is_refused(red_set: Any) -> None:
    data = report_data(run_of(red_set))
    del data["sets"][0]["depth"]
    with pytest.raises(ValueError, match="depth"):
        html_page(data)


def test_a_report_that_is_read_back_gives_the_same_report(red_set: Any) -> None:
    noise = Noise(2, 1, ("q01",), {"mrr": (0.5, 0.25)}, 3)
    run = run_of(red_set, type(red_set)(**{**_fields(red_set), "noise": noise, "target": "main"}))
    data = report_data(run)
    assert report_data(run_result(data)) == data
    assert run_result(data).sets[1].noise == noise


def test_fields_of_later_versions_are_passed_over_and_those_of_today_may_be_absent(red_set: Any) -> None:
    data = report_data(run_of(red_set))
    data["sets"][0]["queries"][0]["of a later version"] = 1
    for name in ("noise", "fail_on", "repeats", "baseline_ref"):
        del data["sets"][0][name]
    (one,) = run_result(data).sets
    assert (one.noise, one.fail_on, one.repeats, one.target) == (None, (), 1, None)
    assert one.queries == red_set.queries


def _fields(result: Any) -> dict[str, Any]:
    return {name: getattr(result, name) for name in result.__dataclass_fields__}


@pytest.mark.parametrize(
    ("status", "words", "said"),
    [
        ("regression", [REGRESSION, BELOW_FLOOR], "Search got worse"),
        ("regression", [BELOW_FLOOR, SUSPECTED], "Search is below a floor"),
        ("regression", [SUSPECTED], "Search is suspected to be worse"),
        ("incomplete", [PASS], "Not everything was judged"),
        ("failed", [PASS], "A query broke its own contract"),
        ("pass", [PASS], "No regression was found"),
        ("measured", [], "Measured, and compared with nothing"),
    ],
)
def test_the_headline_says_what_the_status_means(
    status: str, words: list[str], said: str, make_set: Make, make_gate: Make
) -> None:
    gates = tuple(make_gate(word) for word in words)
    assert headline(run_of(make_set(gates=gates), status=status)) == said


def test_verdicts_are_counted_the_red_ones_first(make_set: Make, make_gate: Make) -> None:
    words = [PASS, IMPROVED, PASS, BELOW_FLOOR, REGRESSION]
    counts = verdict_counts([make_set(gates=tuple(make_gate(word) for word in words))])
    assert list(counts.items()) == [("regression", 1), ("below floor", 1), ("pass", 2), ("improved", 1)]


def test_a_suspicion_is_worse_where_it_makes_the_build_red(make_set: Make, make_gate: Make) -> None:
    gates = (make_gate(SUSPECTED, {"kind": "a"}), make_gate(IMPROVED, {"kind": "b"}))
    assert worse_slices(make_set(gates=gates)) == ()
    assert worse_slices(make_set(gates=gates, fail_on=("suspected",))) == ("a",)
    assert better_slices(make_set(gates=gates)) == ("b",)
