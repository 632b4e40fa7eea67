from __future__ import annotations

import json
from pathlib import Path

import pytest

from pytest_retrieval.cli import main


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    return tmp_path


def _write_golden(folder: Path, kinds: dict[str, int], header: dict[str, object] | None = None) -> None:
    rows: list[dict[str, object]] = [header] if header else []
    for kind, n in kinds.items():
        rows += [
            {"id": f"{kind}{i}", "kind": kind, "text": f"{kind} {i}", "relevant": ["a"]} for i in range(n)
        ]
    (folder / "golden.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")


def _rows(output: str) -> dict[str, list[str]]:
    """The first word of each row -> the others; of several tables the last counts."""
    words = [line.split() for line in output.splitlines() if line.startswith("  ")]
    return {first: rest for first, *rest in words if first != "few" or rest[0].isdigit()}


def test_the_readable_numbers_of_a_hit_rate_are_told_without_a_baseline(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _write_golden(folder, {"only": 20})
    assert main(["power", "golden.jsonl", "--metrics", "hit_rate@5", "--drop", "0.15"]) == 0
    output = capsys.readouterr().out
    assert "golden.jsonl: 20 queries, 1 gate with an error of 5 %" in output
    # One gate at 5 %: 20 queries see 32 points, 50 see 15, and five full losses are a regression.
    n, sees, falls, of, n_again, needed = _rows(output)["all"]
    assert (n, falls, of, n_again) == ("20", "5", "of", "20")
    assert float(sees) == pytest.approx(0.32, abs=0.015)
    assert 50 <= int(needed) <= 60
    assert "10 % of the queries change by chance; a change is taken for a full" in output


def test_small_kinds_are_shown_and_stand_together(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _write_golden(folder, {"big": 12, "few": 6, "less": 5})
    main(["power", "golden.jsonl", "--metrics", "recall@5"])
    output = capsys.readouterr().out
    assert "23 queries, 3 gates" in output
    rows = _rows(output)
    assert rows["few"][:3] == ["6", "small", "kind"]
    assert "few + less (small kinds together)" in output


def test_a_baseline_at_its_usual_place_tells_the_size_of_changes(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _write_golden(folder, {"only": 20}, {"retriever": "run:run.jsonl", "gate": {"metrics": ["mrr@5"]}})
    main(["power", "golden.jsonl"])
    unknown = _rows(capsys.readouterr().out)["all"]
    from pytest_retrieval.gating.baseline import take_baseline
    from pytest_retrieval.gating.baseline_file import write_baseline
    from pytest_retrieval.golden.reader import load_golden
    from pytest_retrieval.retrieval.ranking import Ranking
    from pytest_retrieval.scoring.evaluation import mark

    golden = load_golden("golden.jsonl")
    rankings = {query.id: Ranking(("x", "a") if i % 2 else ("a",)) for i, query in enumerate(golden.queries)}
    run = mark(golden, rankings, ["mrr@5"], depth=20)
    write_baseline(Path("baselines/golden.json"), take_baseline(run, retriever="r", document_id=None))
    main(["power", "golden.jsonl"])
    output = capsys.readouterr().out
    assert "as large as the scores in baselines/golden.json differ" in " ".join(output.split())
    # Scores are 1 or 1/2, so a change is half a point and half as large a drop is seen.
    assert float(_rows(output)["all"][1]) == pytest.approx(float(unknown[1]) / 2, abs=0.02)


def test_a_set_in_which_nothing_can_fail_is_told(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _write_golden(folder, {"only": 4})
    assert main(["power", "golden.jsonl"]) == 0
    output = " ".join(capsys.readouterr().out.split())
    assert "can never fail: 4 queries, and a regression takes at least 5 that get worse" in output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--metrics", "recal@5"], "recal@5"),
        (["--confidence", "0.3"], "confidence is 0.3"),
        (["--baseline", "none.json"], "none.json"),
    ],
)
def test_a_mistake_ends_with_one_line(
    folder: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    _write_golden(folder, {"only": 12})
    assert main(["power", "golden.jsonl", *arguments]) == 1
    said = capsys.readouterr().err
    assert said.startswith("pytest-retrieval power: ")
    assert message in said
    assert "Traceback" not in said
