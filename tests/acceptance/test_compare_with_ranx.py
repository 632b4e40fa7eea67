"""``pytest-retrieval compare --ranx`` shows what ranx.compare says, on rankings of real retrievers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from test_ranx_compare import CRANFIELD, PERMUTATIONS, _theirs

from pytest_retrieval.cli import main
from pytest_retrieval.commands import ranx_tests

# A peer's warnings (numba casts, deprecations) are not ours to mend.
pytestmark = [pytest.mark.ranx, pytest.mark.filterwarnings("ignore")]

METRICS = ["recall@5", "mrr@10", "ndcg@10"]


def files() -> list[str]:
    if not CRANFIELD.exists():
        pytest.skip("needs data/cranfield next to the repository")
    pytest.importorskip("ranx")
    return [str(CRANFIELD / f"runs/{name}.run") for name in ("bm25", "rrf")]


def test_it_shows_ranxs_own_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    names = [*files(), "--golden", str(CRANFIELD / "golden.jsonl")]
    assert main(["compare", *names, "--ranx", "--format", "json", "--metric", ",".join(METRICS)]) == 0
    (one,) = json.loads(capsys.readouterr().out)["sets"]
    tests = {row["metric"]: row for row in one["ranx"] if row["slice"] == {}}
    gates = {row["metric"]: row for row in one["gates"] if row["slice"] == {}}
    assert ranx_tests.PERMUTATIONS == PERMUTATIONS
    fisher, student = _theirs("bm25", "rrf", "fisher"), _theirs("bm25", "rrf", "student")
    for metric in METRICS:
        row = tests[metric]
        assert row["n"] == gates[metric]["n"] == 225
        # its permutations are drawn by several threads, so two calls differ a little
        assert row["fisher"] == pytest.approx(fisher[metric], abs=0.002)
        assert row["student"] == pytest.approx(student[metric], abs=1e-9)
        # ranx computes in 32 bits
        assert row["before"] == pytest.approx(gates[metric]["before"], abs=1e-6)
        assert row["after"] == pytest.approx(gates[metric]["after"], abs=1e-6)
        assert row["ours"] == gates[metric]["verdict"] == "improved"


def test_a_query_that_found_nothing_is_no_trouble(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files()
    rows = [{"id": f"q{n}", "text": f"t{n}", "relevant": {"D1": 2, "D2": 0}} for n in range(3)]
    (tmp_path / "golden.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")
    for name, ranked in (("old", [["D1"], [], ["D2", "D1"]]), ("new", [[], ["D1"], ["D1"]])):
        run = [{"id": f"q{n}", "ranked": one} for n, one in enumerate(ranked)]
        (tmp_path / f"{name}.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in run), "utf-8")
    names = [str(tmp_path / name) for name in ("old.jsonl", "new.jsonl")]
    golden = str(tmp_path / "golden.jsonl")
    assert (
        main(["compare", *names, "--golden", golden, "--ranx", "--metric", "mrr,r_precision,judged@5"]) == 0
    )
    out = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    start = out.index("ranx.compare")
    # Fisher's p is 1 and Student's t is small: means of 1/2 and 2/3
    (row,) = [line for line in out[start:] if line.startswith("all mrr 3 0.500 0.667 ")]
    assert row.endswith("no difference pass")
    assert any(line.startswith("all r_precision 3") for line in out[start:])
    assert not any("judged" in line for line in out[start:])
