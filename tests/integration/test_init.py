"""`pytest-retrieval init`: a newcomer's way to a green gate, and to a red one."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from pytest_retrieval.cli import main
from pytest_retrieval.golden.reader import load_golden

pytest.importorskip("rank_bm25", reason="init asks the built-in bm25")

TOPICS = {
    "accounts": ("Customer accounts", "Closing an account", "A login is needed for every order."),
    "delivery": ("Delivery times", "Parcels to islands", "A parcel takes three working days."),
    "gifts": ("Gift wrapping", "Greeting cards", "Paper and ribbon are free of charge."),
    "invoices": ("Paying by invoice", "Reminders", "The sum is due after thirty days."),
    "newsletter": ("The newsletter", "Unsubscribing", "It is sent every second Friday."),
    "privacy": ("Privacy policy", "Deleting personal data", "Cookies are kept for a week."),
    "returns": ("Sending goods back", "Refunds", "The label lies in the box."),
    "stores": ("Our stores", "Opening hours", "Doors open at nine except on Sunday."),
    "vouchers": ("Vouchers and discounts", "Lost codes", "Enter the number in the basket."),
    "warranty": ("Warranty and repair", "Spare parts", "Two years for every machine."),
}


@dataclass(frozen=True)
class Done:
    exit: int
    text: str


def write_documents(folder: Path, count: int = len(TOPICS), suffix: str = ".md") -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, (title, section, body) in list(TOPICS.items())[:count]:
        text = f"# {title}\n\n{body}\n\n## {section}\n\nMore about it.\n"
        (folder / f"{name}{suffix}").write_text(text, "utf-8")


def run(folder: Path, module: str, *arguments: str) -> Done:
    """Run a module as a user's shell would: none of what surrounds these tests shows."""
    outside = ("PYTEST_", "COV_", "GITHUB_")
    env = {name: value for name, value in os.environ.items() if not name.startswith(outside) and name != "CI"}
    done = subprocess.run(
        [sys.executable, "-m", module, *arguments],
        cwd=folder,
        env={**env, "COLUMNS": "120", "NO_COLOR": "1", "PYTHONUTF8": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    return Done(done.returncode, done.stdout)


def init(folder: Path, *arguments: str) -> Done:
    return run(folder, "pytest_retrieval.cli", "init", *arguments)


def gate(folder: Path) -> Done:
    return run(folder, "pytest", "--retrieval-baseline")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, where the commands run in this process."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def files(folder: Path) -> set[str]:
    return {
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if path.is_file() and ".pytest_cache" not in path.parts
    }


def test_ten_documents_have_a_green_gate_after_init_and_a_red_one_after_damage(tmp_path: Path) -> None:
    write_documents(tmp_path / "docs")
    documents = files(tmp_path)
    started = init(tmp_path)
    assert started.exit == 0, started.text
    assert "20 queries, headings of 10 of 10 documents" in started.text
    assert started.text.rstrip().endswith("pytest --retrieval-baseline")
    assert files(tmp_path) - documents == {
        "golden_docs.yaml",
        "baselines/golden_docs.json",
        ".github/workflows/retrieval.yml",
        ".gitattributes",
    }
    green = gate(tmp_path)
    assert green.exit == 0, green.text
    assert "unchanged" in green.text

    # a tool that was to tidy the pages keeps the first line of each
    for page in (tmp_path / "docs").glob("*.md"):
        page.write_text(page.read_text("utf-8").split("\n", 1)[0], "utf-8")
    red = gate(tmp_path)
    assert red.exit == 1, red.text
    assert "FAILED golden_docs.yaml - recall@5 fell 0.500 (1.000 -> 0.500)" in red.text
    assert "expected  docs/accounts.md (not found)" in red.text
    assert "look at the worst queries, or say why this is to be accepted:" in red.text
    assert "pytest --update-baseline golden_docs.yaml" in red.text


def test_emptied_documents_are_a_regression_too(tmp_path: Path) -> None:
    write_documents(tmp_path / "docs")
    assert init(tmp_path).exit == 0
    for name in list(TOPICS)[:6]:
        (tmp_path / "docs" / f"{name}.md").write_text("", "utf-8")
    red = gate(tmp_path)
    assert red.exit == 1, red.text
    assert ": regression" in red.text


def test_a_deleted_document_is_told_with_the_line_that_names_it(tmp_path: Path) -> None:
    write_documents(tmp_path / "docs")
    assert init(tmp_path).exit == 0
    (tmp_path / "docs" / "gifts.md").unlink()
    red = gate(tmp_path)
    assert red.exit == 2, red.text
    assert "labels 'docs/gifts.md', which is none of the 9 declared documents" in red.text
    assert "bring the document back, or correct the label" in red.text


def test_nothing_that_is_there_is_overwritten(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_documents(here / "docs")
    own = ("golden_docs.yml", "conftest.py", ".github/workflows/retrieval.yml", ".gitattributes")
    for name in (*own, "baselines/golden_docs.json"):
        (here / name).parent.mkdir(parents=True, exist_ok=True)
        (here / name).write_bytes(b"mine\r\n")
    before = files(here)
    assert main(["init", "--fixture"]) == 0
    assert files(here) == before
    assert {(here / name).read_bytes() for name in (*own, "baselines/golden_docs.json")} == {b"mine\r\n"}
    told = capsys.readouterr().out
    for name in own:
        assert f"{name}: is there already and was left" in told
    assert 'scope="session"' in told  # the fixture, to be put in by hand
    assert "baselines/** text eol=lf" in told
    assert "next: pytest --retrieval-baseline" in told


def test_a_golden_set_that_was_there_is_not_asked(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_documents(here / "docs")
    (here / "golden_docs.yaml").write_text("- {id: q1, text: a, relevant: [b]}\n", "utf-8")
    assert main(["init"]) == 0
    assert "pytest --update-baseline golden_docs.yaml" in capsys.readouterr().out
    assert not (here / "baselines").exists()


def test_without_a_docs_folder_the_markdown_here_is_asked(here: Path) -> None:
    write_documents(here)
    write_documents(here / "node_modules" / "other")
    (here / "requirements.txt").write_text("pytest\n", "utf-8")
    assert main(["init", "--no-baseline"]) == 0
    golden = load_golden(here / "golden.yaml")
    assert golden.header.documents == ("*.md",)
    assert {document for query in golden.queries for document in query.relevant} == {
        f"{name}.md" for name in TOPICS
    }


def test_without_markdown_the_text_files_here_are_asked(here: Path) -> None:
    write_documents(here, suffix=".txt")
    assert main(["init", "--no-baseline"]) == 0
    assert load_golden(here / "golden.yaml").header.documents == ("*.txt",)


@pytest.mark.parametrize(
    ("folder", "name"),
    [
        ("help", "golden_help.yaml"),
        ("Help Centre", "golden_help_centre.yaml"),
        ("site/pages", "golden_pages.yaml"),
        ("do[c]s", "golden_do_c_s.yaml"),
        ("---", "golden_docs.yaml"),
    ],
)
def test_the_golden_set_is_named_after_the_folder(here: Path, folder: str, name: str) -> None:
    write_documents(here / folder / "deeper")
    assert main(["init", "--no-baseline", "--", folder]) == 0
    golden = load_golden(here / name)
    assert len(golden.queries) == 20
    assert f"{folder}/deeper/gifts.md" in golden.queries[4].relevant


def test_documents_beside_this_folder_can_be_asked(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_documents(here / "docs")
    (here / "search").mkdir()
    monkeypatch.chdir(here / "search")
    assert main(["init", "--no-baseline", "../docs"]) == 0
    golden = load_golden(here / "search" / "golden_docs.yaml")
    assert "../docs/accounts.md" in golden.queries[0].relevant


def test_few_documents_are_said_to_be_few(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_documents(here / "docs", count=3)
    assert main(["init", "--no-baseline"]) == 0
    told = capsys.readouterr().out
    assert "6 queries, headings of 3 of 3 documents" in told
    assert "a gate needs about 12 queries" in told


def test_without_documents_the_folder_is_asked_for(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["init"]) == 1
    assert "pytest-retrieval init DOCS" in capsys.readouterr().err
    assert main(["init", "nowhere"]) == 1
    assert "nowhere: is no folder" in capsys.readouterr().err
    (here / "docs").mkdir()
    (here / "docs" / "a.md").write_text("# Introduction\n", "utf-8")
    assert main(["init"]) == 1
    assert "no heading here names one document only" in capsys.readouterr().err
    assert files(here) == {"docs/a.md"}


@pytest.mark.parametrize("way", [".github", ".github/workflows"])
def test_a_file_in_the_way_is_told_without_a_traceback(
    here: Path, capsys: pytest.CaptureFixture[str], way: str
) -> None:
    write_documents(here / "docs")
    (here / way).parent.mkdir(exist_ok=True)
    (here / way).write_text("a file\n", "utf-8")
    assert main(["init", "--no-baseline"]) == 1
    assert ".github/workflows/retrieval.yml: cannot be written" in capsys.readouterr().err.replace("\\", "/")


def test_a_fixture_to_fill_in_is_told_next_and_works_once_filled(tmp_path: Path) -> None:
    write_documents(tmp_path / "docs")
    started = init(tmp_path, "--fixture")
    assert started.exit == 0, started.text
    assert "next: call your search in conftest.py" in started.text
    assert not (tmp_path / "baselines").exists()

    unfilled = run(tmp_path, "pytest", "--update-baseline")
    assert unfilled.exit == 1
    assert "call your search in conftest.py" in unfilled.text

    conftest = tmp_path / "conftest.py"
    text = conftest.read_text("utf-8")
    pages = sorted(f"docs/{name}.md" for name in TOPICS)
    filled = text.replace(
        'raise NotImplementedError("call your search in conftest.py")', f"return {pages}[:k]"
    )
    assert filled != text
    conftest.write_text(filled, "utf-8")
    assert run(tmp_path, "pytest", "--update-baseline").exit == 0
    assert gate(tmp_path).exit == 0


def test_a_first_baseline_that_fails_is_no_success(tmp_path: Path) -> None:
    write_documents(tmp_path / "docs")
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = --no-such-flag\n", "utf-8")
    started = init(tmp_path)
    assert started.exit == 1
    assert "--no-such-flag" in started.text
    assert "next: no baseline was written" in started.text


def test_a_missing_search_package_is_named(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write_documents(here / "docs")
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert main(["init"]) == 1
    told = capsys.readouterr().out
    assert 'pip install "pytest-retrieval[bm25]"\n  pytest --update-baseline golden_docs.yaml' in told


def test_a_folder_inside_a_repository_is_told_where_workflows_are_read(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / ".git").mkdir()
    write_documents(here / "packages" / "site" / "docs")
    monkeypatch.chdir(here / "packages" / "site")
    assert main(["init", "--no-baseline"]) == 0
    assert "working-directory: packages/site" in capsys.readouterr().out
