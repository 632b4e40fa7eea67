"""The page as people meet it: every test also fails on a console message, a dialog or a request."""

from __future__ import annotations

import http.server
import re
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from report_file import example, gate, golden_set, query, report, written

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
pytest.importorskip("jinja2", reason="jinja2 is not installed")

from playwright.sync_api import expect

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = pytest.mark.browser

# Machines have other things to do.
expect.set_options(timeout=30_000)

HERE = Path(__file__).parent

Visit = Callable[..., "Page"]

HOSTILE = (
    "<script>document.title='taken'</script><img src=x onerror=alert(1)> \"quotes\" 'too' & </script>"
    "<!-- \x00\x07\x1b[31m \u202egnirts\u2028 javascript:alert(1)"
)


@pytest.fixture
def page(visit: Visit, tmp_path: Path) -> Page:
    return visit(written(tmp_path, example()))


def rows(page: Page) -> list[str]:
    """The ids of the queries in the table that is shown, in order."""
    openers = page.locator("article:not([hidden]) .query .opener")
    expect(openers.first).to_be_visible()
    return openers.all_inner_texts()


def counted(page: Page, text: str) -> None:
    expect(page.get_by_role("status")).to_have_text(text)


def test_the_verdict_stands_above_everything_else(page: Page) -> None:
    expect(page.get_by_role("heading", level=1)).to_have_text("Search got worse")
    expect(page.locator(".story")).to_contain_text("Worse: word")
    expect(page.locator(".story")).to_contain_text("Better: phrase")


def test_every_chart_is_drawn_and_labelled(page: Page) -> None:
    charts = page.get_by_role("slider")
    expect(charts).to_have_count(4)
    labels = [one.get_attribute("aria-label") for one in charts.all()]
    assert labels == [
        "Changes of recall@1 by kind, with intervals: 1 suspected, 1 regression, 1 improved",
        "Changes of mrr by kind, with intervals: 2 pass",
        "recall@1 of 5 queries before and after: 4 worse, 1 better. Enter opens a query.",
        "Recall by cut-off over 15 queries; at 2: 1.000 to 1.000",
    ]
    for chart in charts.all():
        # More colours than the empty canvas: something was drawn.
        colours = chart.locator("canvas").evaluate(
            """canvas => new Set(new Uint32Array(canvas.getContext("2d")
                .getImageData(0, 0, canvas.width, canvas.height).data.buffer)).size"""
        )
        assert colours > 5


def test_recall_by_cut_off_is_that_of_the_rankings(page: Page) -> None:
    # Before, ten words had D1 first and five phrases had it second; since then four fell and one rose.
    page.get_by_text("As a table").click()
    table = page.get_by_role("region", name="Recall by cut-off").get_by_role("table")
    cells = [line.split() for line in table.locator("tbody tr").all_inner_texts()]
    assert cells == [["1", f"{10 / 15:.3f}", f"{7 / 15:.3f}"], ["2", "1.000", "1.000"]]


def test_the_arrow_keys_walk_through_a_chart(page: Page) -> None:
    forest = page.get_by_role("slider").first
    forest.focus()
    for key, told in (
        ("ArrowDown", "all, recall@1 against the baseline: 0.900 to 0.700, -0.200 [-0.300, -0.100], "),
        ("ArrowDown", "word, recall@1 against the baseline: 0.900 to 0.500, -0.400 [-0.500, -0.300], "),
        ("End", "phrase, recall@1 against the baseline: 0.900 to 1.100, +0.200 [+0.100, +0.300], "),
        ("ArrowDown", "phrase, "),
        ("Home", "all, "),
    ):
        page.keyboard.press(key)
        assert (forest.get_attribute("aria-valuetext") or "").startswith(told)
    expect(page.locator(".forest .readout").first).to_contain_text("margin 0.02, n 10: suspected")


def test_a_row_of_the_forest_leads_to_its_queries(page: Page) -> None:
    forest = page.get_by_role("slider").first
    forest.focus()
    page.keyboard.press("End")
    page.keyboard.press("Enter")
    counted(page, "7 of 17 queries")
    expect(page.get_by_label("Kind", exact=True)).to_have_value("phrase")


def test_a_query_opens_from_the_chart_with_the_keyboard(page: Page) -> None:
    chart = page.get_by_role("slider", name="before and after")
    chart.focus()
    page.keyboard.press("End")
    assert (chart.get_attribute("aria-valuetext") or "").startswith("p0: 0.000 to 1.000 (+1.000)")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="p0")).to_be_focused()
    expect(page.get_by_role("button", name="p0")).to_have_attribute("aria-expanded", "true")


def test_a_query_opens_from_the_chart_with_the_mouse(page: Page) -> None:
    drawn = page.get_by_role("slider", name="before and after").locator(".u-over")
    drawn.scroll_into_view_if_needed()
    box = drawn.bounding_box()
    assert box
    drawn.hover(position={"x": 12, "y": box["height"] / 2})
    drawn.click(position={"x": 12, "y": box["height"] / 2})
    expect(page.get_by_role("button", name="w0")).to_have_attribute("aria-expanded", "true")


@pytest.mark.parametrize(
    ("words", "left"),
    [("W3", ["w3"]), ("text of p", 7), ("D2 w", 10), ("phrase", 7), ("no such thing", 0)],
    ids=["id", "text", "document and id", "kind", "nothing"],
)
def test_the_search_looks_at_ids_texts_kinds_and_documents(page: Page, words: str, left: Any) -> None:
    page.get_by_role("searchbox", name="Search").fill(words)
    number = left if isinstance(left, int) else len(left)
    counted(page, f"{number} of 17 queries")
    if not number:
        expect(page.locator(".queries tbody")).to_have_text("No query fits these filters.")
    elif isinstance(left, list):
        assert rows(page) == left


@pytest.mark.parametrize(
    ("name", "choice", "left"),
    [
        ("Kind", "word", 10),
        ("Change", "worse", 4),
        ("Change", "better", 1),
        ("Change", "equal score", 10),
        ("Change", "ranking moved", 6),
        ("Change", "not compared", 2),
        ("Verdict of its kind", "regression", 10),
        ("Verdict of its kind", "improved", 7),
        ("Outcome", "error", 1),
        ("Outcome", "scored", 16),
        ("Outcome", "contract broken", 0),
    ],
)
def test_a_filter_leaves_those_that_fit(page: Page, name: str, choice: str, left: int) -> None:
    page.get_by_label(name, exact=True).select_option(label=choice)
    counted(page, f"{left} of 17 queries")
    page.get_by_role("button", name="Clear").click()
    counted(page, "17 queries")


def test_filters_work_together_and_the_charts_follow(page: Page) -> None:
    page.get_by_label("Kind", exact=True).select_option("phrase")
    page.get_by_label("Change", exact=True).select_option("better")
    counted(page, "1 of 17 queries")
    assert rows(page) == ["p0"]
    expect(page.get_by_role("slider", name="of 1 query before and after: 0 worse, 1 better")).to_be_visible()
    expect(page.get_by_role("slider", name="Recall by cut-off over 1 query")).to_be_visible()
    page.get_by_label("Change", exact=True).select_option("equal score")
    expect(page.locator(".changes .empty")).to_have_text("No recall@1 moved among these queries.")


def test_the_worst_queries_come_first_and_headings_sort(page: Page) -> None:
    assert rows(page)[:5] == ["w0", "w1", "w2", "w3", "w4"]
    assert set(rows(page)[-2:]) == {"e0", "n0"}  # what cannot be compared comes last
    heading = page.locator(".queries").get_by_role("columnheader", name="change", exact=True)
    expect(heading).to_have_attribute("aria-sort", "ascending")
    heading.get_by_role("button").click()
    expect(heading).to_have_attribute("aria-sort", "descending")
    assert rows(page)[0] == "p0"
    assert set(rows(page)[-2:]) == {"e0", "n0"}


def test_another_metric_shows_its_scores(page: Page) -> None:
    page.get_by_label("Metric").select_option("mrr")
    first = page.locator(".query").first
    expect(first.locator("[data-name=before]")).to_have_text("1.000")
    expect(first.locator("[data-name=after]")).to_have_text("0.500")
    expect(first.locator("[data-name=change]")).to_contain_text("-0.500")


def marks(page: Page, side: str) -> list[list[str]]:
    """Each document of an open query's ranking with its badges."""
    box = page.get_by_role("region", name=side)
    return [re.split(r"\s{2,}|\n", item.strip()) for item in _texts(box.locator("li"))]


def _texts(items: Locator) -> list[str]:
    parts = """item => [...item.children].map(child => child.innerText.trim()).join("\\n")"""
    return [item.evaluate(parts) for item in items.all()]


def test_an_open_query_shows_both_rankings_with_marks(visit: Visit, tmp_path: Path) -> None:
    one = query(
        "w0",
        "word",
        1.0,
        0.0,
        relevant={"D1": 2, "D4": 0, "D5": 1},
        baseline_ranked=["D1", "D2", "D4"],
        ranked=["D2", "D3", "D4"],
        missing=["D1", "D5"],
        must_failed=["recall@1: 0 < 1"],
        diagnosis="the index lost a page",
    )
    page = visit(written(tmp_path, report(golden_set([one], [gate("word", "regression", -1.0)]))))
    page.get_by_text("text of w0").click()
    detail = page.locator(".detail")
    expect(detail).to_contain_text("Relevant and not found: D1 (grade 2), D5 (grade 1)")
    expect(detail).to_contain_text("Broken contract: recall@1: 0 < 1")
    expect(detail).to_contain_text("Diagnosis: the index lost a page")
    expect(detail).to_contain_text("golden.yaml:3")
    assert marks(page, "Baseline") == [
        ["D1", "relevant 2", "lost"],
        ["D2", "unjudged"],
        ["D4", "not relevant"],
    ]
    assert [line[:2] for line in marks(page, "This run")] == [
        ["D2", "unjudged"],
        ["D3", "unjudged"],
        ["D4", "not relevant"],
    ]
    assert [line[2:] for line in marks(page, "This run")] == [["↑", "up from rank", "2"], ["new"], []]
    page.get_by_text("text of w0").click()
    expect(detail).to_be_hidden()


def test_a_query_opens_and_closes_with_the_keyboard(page: Page) -> None:
    opener = page.get_by_role("button", name="w1")
    opener.focus()
    page.keyboard.press("Enter")
    expect(opener).to_have_attribute("aria-expanded", "true")
    detail = page.locator(f"#{opener.get_attribute('aria-controls')}")
    expect(detail).to_be_visible()
    expect(opener).to_be_focused()
    page.keyboard.press("Space")
    expect(opener).to_have_attribute("aria-expanded", "false")
    expect(detail).to_be_hidden()


def test_everything_that_can_be_used_can_be_reached_with_tab(page: Page) -> None:
    reached = set()
    for _ in range(45):
        page.keyboard.press("Tab")
        reached.add(
            page.evaluate(
                "(e => e.getAttribute('aria-label') || e.name || e.innerText)(document.activeElement)"
            )
        )
    wanted = {"search", "metric", "kind", "change", "verdict", "outcome", "Clear", "w0", "query"}
    assert wanted <= reached
    assert any(str(name).startswith("Changes of recall@1") for name in reached)


def test_an_error_shows_what_went_wrong(page: Page) -> None:
    page.get_by_role("searchbox").fill("e0")
    counted(page, "1 of 17 queries")
    page.get_by_role("button", name="e0").click()
    expect(page.locator(".detail pre")).to_have_text("TimeoutError: 5 s")


def test_hostile_texts_stay_texts(visit: Visit, tmp_path: Path) -> None:
    one = query(HOSTILE, HOSTILE, 1.0, 0.0, text=HOSTILE, error=HOSTILE, must_failed=[HOSTILE])
    one |= {
        "ranked": [HOSTILE],
        "baseline_ranked": ["__proto__", HOSTILE],
        "missing": ["D1"],
        "diagnosis": HOSTILE,
    }
    one["relevant"] = {"D1": 1, "constructor": 2}
    hostile = golden_set(
        [one, query("q2", HOSTILE, 1.0, 1.0)],
        [gate(HOSTILE, "regression", -0.5, reason=HOSTILE, node=HOSTILE)],
        golden=HOSTILE,
        retriever=HOSTILE,
        notes=[HOSTILE],
        describe={HOSTILE: HOSTILE},
    )
    page = visit(written(tmp_path, report(hostile, golden_set([], [], golden=HOSTILE))))
    page.locator(".opener").first.click()
    page.locator(".forest .plot").focus()
    page.keyboard.press("Home")
    shown = r"""</script><!-- \x00\x07\x1b[31m \u202egnirts\u2028 javascript:alert(1)"""
    places = (
        "pre",
        ".rankings section >> nth=1 >> .name",
        ".query .text >> nth=0",
        ".forest .readout",
        "h2 >> nth=0",
    )
    for place in places:
        expect(page.locator(place)).to_contain_text(
            "<script>document.title='taken'</script><img src=x onerror"
        )
    expect(page.locator(".query .text").first).to_contain_text(shown)
    expect(page).to_have_title("✖ Search got worse - retrieval report")
    assert page.locator("img").count() == 0
    assert page.locator("script").count() == 3
    # no document is judged because an object in JavaScript has a field of its name
    assert marks(page, "Baseline")[0][:2] == ["__proto__", "unjudged"]
    page.locator("#set-0-kind").select_option(index=1)
    expect(page.locator("#set-0 .count")).to_have_text("2 queries")


def test_light_and_dark_follow_the_system_and_the_switch(visit: Visit, tmp_path: Path) -> None:
    address = written(tmp_path, example())
    paper = "getComputedStyle(document.body).backgroundColor"
    light, dark = "rgb(246, 247, 249)", "rgb(20, 23, 28)"
    page = visit(address, color_scheme="dark")
    assert page.evaluate(paper) == dark
    page.get_by_role("button", name="Switch to light colours").click()
    assert page.evaluate(paper) == light
    page.get_by_role("button", name="Switch to dark colours").click()
    assert page.evaluate(paper) == dark
    page = visit(address, color_scheme="light")
    assert page.evaluate(paper) == light
    page.emulate_media(color_scheme="dark")
    page.wait_for_function(f"{paper} === '{dark}'")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_stands_out_from_its_ground(visit: Visit, tmp_path: Path, scheme: str) -> None:
    # WCAG 2.2, 1.4.3: at least 4.5 to 1.
    page = visit(written(tmp_path, example()), color_scheme=scheme)
    for name in ("w0", "e0", "p1"):
        page.get_by_role("button", name=name).click()
    assert page.evaluate((HERE / "contrast.js").read_text("utf-8")) == []


def test_a_narrow_window_scrolls_down_only(visit: Visit, tmp_path: Path) -> None:
    page = visit(written(tmp_path, example()), viewport={"width": 360, "height": 740})
    page.get_by_role("button", name="w0").click()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    expect(page.get_by_role("slider")).to_have_count(4)


def test_one_golden_set_is_shown_at_a_time(visit: Visit, tmp_path: Path) -> None:
    sets = example()["sets"] + [golden_set([query("z1", "word", None, 1.0)], [], golden="golden_more.yaml")]
    page = visit(written(tmp_path, report(*sets)))
    headings = page.get_by_role("heading", level=2)
    expect(headings).to_have_text(["golden.yaml"])
    page.get_by_role("link", name="golden_more.yaml").click()
    expect(headings).to_have_text(["golden_more.yaml"])
    expect(page.get_by_role("link", name="golden_more.yaml")).to_have_attribute("aria-current", "true")
    assert rows(page) == ["z1"]


def test_ten_thousand_queries_stay_usable(visit: Visit, tmp_path: Path) -> None:
    names = [f"document-{n:03}" for n in range(20)]
    many = [
        query(f"q{n:05}", f"kind {n % 8}", 1.0, float(n % 3 > 0), ranked=names, baseline_ranked=names[::-1])
        for n in range(10_000)
    ]
    gates = [gate(f"kind {n}", "regression", -0.3) for n in range(8)]
    page = visit(written(tmp_path, report(golden_set(many, gates, depth=20))))
    counted(page, "10,000 queries")
    assert page.locator(".query").count() == 50
    page.get_by_role("button", name="Next").click()
    expect(page.locator(".pages")).to_contain_text("51 to 100 of 10,000")
    page.get_by_role("searchbox").fill("q0999")
    counted(page, "10 of 10,000 queries")
    page.get_by_role("button", name="Clear").click()
    page.get_by_label("Kind", exact=True).select_option("kind 3")
    counted(page, "1,250 of 10,000 queries")
    # of 1,250 numbers 8 i + 3, those divisible by 3 fell: i = 0, 3, ... 1248
    expect(page.get_by_role("slider", name="of 417 queries before and after: 417 worse")).to_be_visible()


@pytest.fixture
def server() -> Iterator[tuple[str, list[str]]]:
    """A web server on this machine, and the paths it was asked for."""
    asked: list[str] = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as running:
        threading.Thread(target=running.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{running.server_port}", asked
        running.shutdown()


def test_even_a_script_that_got_in_could_send_nothing_out(
    browser: Any, tmp_path: Path, server: tuple[str, list[str]]
) -> None:
    address, asked = server
    page = browser.new_page()
    page.goto(written(tmp_path, example()))
    result = page.evaluate((HERE / "sending.js").read_text("utf-8"), address)
    page.close()
    assert asked == []
    assert result["taken"] is False
    assert result["refused"] == ["connect-src", "frame-src", "img-src", "script-src-elem", "style-src-elem"]
