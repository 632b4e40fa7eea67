"""Every command of the pages is run, and prints what the page shows."""

from __future__ import annotations

from pathlib import Path

import pytest
from page_markdown import blocks
from page_runner import PROGRAMS, check, commands, first_missing, run_page, write_files

ROOT = Path(__file__).resolve().parents[2]
PAGES = [
    ROOT / "README.md",
    # The bench writes the tables of the calibration, in a quarter of an hour.
    *(p for p in sorted((ROOT / "docs").glob("*.md")) if p.stem not in ("index", "calibration")),
]


def _name(page: Path) -> str:
    return page.stem


@pytest.mark.parametrize("page", PAGES, ids=_name)
def test_the_commands_of_a_page_print_what_it_shows(page: Path, tmp_path: Path) -> None:
    count = run_page(page, tmp_path)
    assert count > 0, f"{page.name} shows no command"


@pytest.mark.skipif(int(pytest.__version__.partition(".")[0]) < 9, reason="native TOML came with pytest 9")
def test_the_native_toml_block_does_what_the_texts_do(tmp_path: Path) -> None:
    page = ROOT / "docs" / "options.md"
    write_files(page, tmp_path)
    native = next(block for block in blocks(page) if "[tool.pytest]" in block.lines)
    (tmp_path / "pyproject.toml").write_text(native.text, "utf-8")
    last = [command for block in blocks(page) for command in commands(page, block) if command.code == 0][-1]
    check(last, tmp_path)


@pytest.mark.parametrize("page", [*PAGES, ROOT / "CONTRIBUTING.md"], ids=_name)
def test_a_command_that_can_be_run_is_not_hidden_in_a_block_that_is_not(page: Path) -> None:
    for block in blocks(page):
        programs = {line.split()[0] for line in block.lines if line.strip()}
        if block.language == "sh":
            assert programs <= {"pip", "git", "make"}, f"{page.name}:{block.line}: {sorted(programs)}"
        for command in commands(page, block):
            assert command.text.split()[0] in {*PROGRAMS, "cat"}, command.place


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
