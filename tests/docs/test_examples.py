"""Every command of the pages is run, and prints what the page shows."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from page_markdown import blocks
from page_runner import PROGRAMS, commands, first_missing, run_page

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def _name(page: Path) -> str:
    return page.stem


@pytest.mark.parametrize("page", PAGES, ids=_name)
def test_the_commands_of_a_page_print_what_it_shows(page: Path, tmp_path: Path) -> None:
    count = run_page(page, tmp_path)
    assert count > 0, f"{page.name} shows no command"


@pytest.mark.skipif(
    int(pytest.__version__.partition(".")[0]) < 9, reason="native TOML came with pytest 9"
)
def test_native_toml_settings_do_what_the_texts_do(tmp_path: Path) -> None:
    page = ROOT / "docs" / "options.md"
    native = next(block for block in blocks(page) if "[tool.pytest]" in block.lines)
    page_with_native = tmp_path / "options.md"
    text = page.read_text("utf-8")
    texts = next(block for block in blocks(page) if block.value == "pyproject.toml")
    page_with_native.write_text(text.replace(texts.text, native.text), "utf-8")
    run_page(page_with_native, tmp_path)
    assert (tmp_path / "pyproject.toml").read_text("utf-8") == native.text


def test_every_field_of_the_json_report_is_explained(tmp_path: Path) -> None:
    page = ROOT / "docs" / "reports.md"
    run_page(page, tmp_path)
    report = json.loads((tmp_path / "report.json").read_text("utf-8"))
    one = report["sets"][0]
    written = {*report, *one, *one["means"][0], *one["gates"][0], *one["queries"][0]}
    explained = set(re.findall(r"`(\w+)`", page.read_text("utf-8")))
    assert written <= explained, f"not on the page: {sorted(written - explained)}"


@pytest.mark.parametrize("page", [*PAGES, ROOT / "CONTRIBUTING.md"], ids=_name)
def test_a_command_that_can_be_run_is_not_hidden_in_a_block_that_is_not(page: Path) -> None:
    for block in blocks(page):
        programs = {line.split()[0] for line in block.lines if line.strip()}
        if block.language == "sh":
            assert programs <= {"pip", "git", "make"}, f"{page.name}:{block.line}: {sorted(programs)}"
        elif block.language == "console":
            assert all(command.text.split()[0] in {*PROGRAMS, "cat"} for command in commands(page, block))


@pytest.mark.parametrize("page", PAGES, ids=_name)
def test_a_picture_shows_what_the_page_it_names_runs(page: Path) -> None:
    for block in blocks(page):
        if block.name == "from" and block.value:
            source = ROOT / block.value
            shown = "".join(one.text for one in blocks(source) if one.language == "console")
            assert first_missing(block.lines, shown) is None, f"{page.name}:{block.line}"


def test_output_is_compared_line_by_line_and_in_order() -> None:
    printed = "== 3 passed in 0.12s ==\n  a     1.0\nother\nb 2.0\n"
    assert first_missing(["a 1.0", "b 2.0"], printed) is None
    assert first_missing(["... 3 passed in 9.99s ..."], printed) is None
    assert first_missing(["b 2.0", "a 1.0"], printed) == "a 1.0"
    assert first_missing(["a 1.0 extra"], printed) == "a 1.0 extra"
    assert first_missing(["a 1"], printed) == "a 1"
