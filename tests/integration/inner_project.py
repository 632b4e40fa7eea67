"""A small project to run pytest in: golden sets, and a retriever that answers from a table."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

RETRIEVER = '''
"""Answers from a table of JSON: text -> ids, or what else is to happen."""
import json
import os
import pathlib

HERE = pathlib.Path(__file__).parent


class TableError(RuntimeError):
    pass


def note(event):
    with (HERE / "events.txt").open("a", encoding="utf-8") as file:
        print(event, file=file)


def search(text, k):
    note(f"asked {text}")
    answer = json.loads((HERE / "table.json").read_text("utf-8"))[text]
    if isinstance(answer, str):
        if answer == "die":
            os._exit(3)
        raise TableError(answer)  # the user's line
    return answer
'''

FIXTURE = """
import pytest
import table_retriever


@pytest.fixture(scope="session")
def retriever():
    table_retriever.note("built")
    yield table_retriever.search
    table_retriever.note("closed")
"""


Say = Callable[[str, object], list[str]]
"""Gives an option its value in one of the ways there are; returns the command line's part."""


@dataclass(frozen=True)
class Run:
    """What one inner pytest run left behind."""

    exit: int
    text: str
    report: dict[str, Any]

    @property
    def status(self) -> str:
        return str(self.report["status"])

    @property
    def lines(self) -> list[str]:
        return self.text.splitlines()

    @property
    def failures(self) -> list[str]:
        """What is shown between the progress and the tables, without headings and rules."""
        first = next(n for n, line in enumerate(self.lines) if re.match("=+ (FAILURES|ERRORS) =", line))
        last = next(n for n, line in enumerate(self.lines) if re.match("=+ retrieval =", line))
        return [line for line in self.lines[first + 1 : last] if not re.match("[=_-]+ .* [=_-]+$", line)]

    def set(self, golden: str = "golden.yaml") -> dict[str, Any]:
        """One golden set's part of the report."""
        return next(one for one in self.report["sets"] if one["golden"] == golden)

    def query(self, query_id: str, golden: str = "golden.yaml") -> dict[str, Any]:
        return next(one for one in self.set(golden)["queries"] if one["id"] == query_id)

    def gate(self, golden: str = "golden.yaml", metric: str = "recall@5", **slice_: object) -> dict[str, Any]:
        """The gate of one slice against the baseline; ``against="floor"`` for a floor."""
        against = slice_.pop("against", "baseline")
        found = [
            gate
            for gate in self.set(golden)["gates"]
            if (gate["slice"], gate["metric"], gate["against"]) == (slice_, metric, against)
        ]
        assert len(found) == 1, f"gates of {slice_}: {found}"
        return dict(found[0])


def timeless(report: bytes) -> str:
    """A report without its times, which are all that may differ between two equal runs."""
    read = json.loads(report)
    for one in read["sets"]:
        del one["latency"]
        for row in one["queries"]:
            del row["seconds"]
    return json.dumps(read)


def query(query_id: str, kind: str = "word", relevant: object = ("D1",), **more: object) -> dict[str, object]:
    """One query as it stands in a golden set; its text is ``text of <id>`` unless given."""
    return {"id": query_id, "kind": kind, "text": f"text of {query_id}", "relevant": relevant, **more}


def queries(count: int, kind: str = "word", prefix: str | None = None) -> list[dict[str, object]]:
    """``count`` queries of one kind: ids ``w01``, ``w02`` ..., each answered by ``D1`` alone."""
    letter = kind[0] if prefix is None else prefix
    return [query(f"{letter}{number:02}", kind) for number in range(1, count + 1)]


class Project:
    """A folder with golden sets and a table retriever, and the ways to run pytest in it."""

    def __init__(self, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
        self.pytester, self.monkeypatch = pytester, monkeypatch
        self.path = pytester.path
        self.write("pytest.ini", "[pytest]\n")
        self.write("table_retriever.py", RETRIEVER)
        self.write("conftest.py", FIXTURE)
        monkeypatch.syspath_prepend(self.path)

    # -- the files

    def write(self, name: str, content: str | bytes) -> Path:
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    def ini(self, *lines: str) -> None:
        """Replace the ini file's settings."""
        self.write("pytest.ini", "\n".join(["[pytest]", *lines, ""]))

    def golden(
        self, rows: Sequence[Mapping[str, object]], name: str = "golden.yaml", **header: object
    ) -> Path:
        """Write a golden set, one query a line; flow style, which is JSON and YAML at once."""
        if name.endswith(".jsonl"):
            lines = [json.dumps(row, ensure_ascii=False) for row in ([header] if header else []) + [*rows]]
        else:
            lines = [f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in header.items()]
            lines += ["queries:", *(f"  - {json.dumps(row, ensure_ascii=False)}" for row in rows)]
        path = self.write(name, "\n".join(lines) + "\n")
        self.answers(rows)
        return path

    def list_retrievers(self, *names: str) -> None:
        """Session fixtures of these names, which all answer from the table."""
        fixtures = (
            f'@pytest.fixture(scope="session")\ndef {name}():\n    return table_retriever.search'
            for name in names
        )
        self.write("conftest.py", "\n\n\n".join(["import pytest\nimport table_retriever", *fixtures, ""]))

    def answers(self, rows: Sequence[Mapping[str, object]], **other: object) -> None:
        """Let the retriever answer each query with its relevant documents, or with ``other`` (by id).

        A text as the answer is raised as an error; ``"die"`` ends the process. Answers to the
        queries of other golden sets are kept.
        """
        path = self.path / "table.json"
        table = json.loads(path.read_text("utf-8")) if path.exists() else {}
        for row in rows:
            table[str(row["text"])] = other.get(str(row["id"]), list(row["relevant"]))  # type: ignore[call-overload]
        self.write("table.json", json.dumps(table))

    def fall(self, rows: Sequence[Mapping[str, object]]) -> None:
        """Let the retriever find nothing relevant for these queries any more."""
        self.answers(rows, **{str(row["id"]): ["D9"] for row in rows})

    def answer(self, text: str, answer: object) -> None:
        """Change one answer of the table."""
        path = self.path / "table.json"
        self.write("table.json", json.dumps({**json.loads(path.read_text("utf-8")), text: answer}))

    @property
    def events(self) -> list[str]:
        """What the retriever noted since the last run started: built, asked <text>, closed."""
        path = self.path / "events.txt"
        return path.read_text("utf-8").splitlines() if path.exists() else []

    @property
    def asked(self) -> list[str]:
        return [event.removeprefix("asked ") for event in self.events if event.startswith("asked ")]

    def baselines(self, folder: str = "baselines") -> dict[str, bytes]:
        """Everything below the baselines' folder, by path."""
        home = self.path / folder
        return {
            file.relative_to(home).as_posix(): file.read_bytes()
            for file in sorted(home.rglob("*"))
            if file.is_file()
        }

    # -- the runs

    def run(self, *args: str, folder: str = ".", cache: bool = False, report: bool = True) -> Run:
        """Run pytest in this process, without the other plugins that happen to be installed."""
        with self.monkeypatch.context() as patched:
            patched.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
            # By its entry point: naming the module would warn that it is imported already.
            chosen = ("-p", "retrieval", *args)
            return self._run(self.pytester.runpytest_inprocess, chosen, folder, cache, report)

    def run_apart(self, *args: str, folder: str = ".", cache: bool = False, report: bool = True) -> Run:
        """Run pytest in a process of its own, as it is installed here."""
        return self._run(self.pytester.runpytest_subprocess, args, folder, cache, report)

    def _run(
        self,
        start: Callable[..., pytest.RunResult],
        args: Sequence[str],
        folder: str,
        cache: bool,
        report: bool,
    ) -> Run:
        report_file = self.path / "report.json"
        for left in (report_file, self.path / "events.txt"):
            left.unlink(missing_ok=True)
        options = [*args] if cache else ["-p", "no:cacheprovider", *args]
        if report:
            options.append(f"--retrieval-report={report_file}")
        self.monkeypatch.chdir(self.path / folder)
        done = start(*options)
        self.monkeypatch.chdir(self.path)
        text = "\n".join([*done.outlines, *done.errlines])
        assert "INTERNALERROR" not in text, text
        read = (
            json.loads(report_file.read_text("utf-8"), parse_constant=_refuse) if report_file.exists() else {}
        )
        return Run(int(done.ret), text, read)

    def junit(self, *args: str) -> ElementTree.Element:
        """Run with a junit file; its root element, read by a strict parser."""
        self.run("--junitxml=junit.xml", *args)
        return ElementTree.parse(self.path / "junit.xml").getroot()


def _refuse(token: str) -> object:
    raise ValueError(f"not strict JSON: {token}")
