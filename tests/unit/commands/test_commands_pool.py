from __future__ import annotations

import csv
import json
import subprocess
import sys
from pathlib import Path

import pytest

from pytest_retrieval.cli import main
from pytest_retrieval.gating.baseline import take_baseline
from pytest_retrieval.gating.baseline_file import write_baseline
from pytest_retrieval.golden.reader import load_golden
from pytest_retrieval.retrieval.ranking import Ranking
from pytest_retrieval.scoring.evaluation import mark

GOLDEN = """\
documents: corpus.jsonl
queries:
  - {id: q1, text: who barks, relevant: {dogs: 2}}
  - {id: q2, text: who purrs, relevant: {cats: 2, dogs: 0}}
"""
CORPUS = """\
{"id": "dogs", "title": "Dogs", "text": "They bark."}
{"id": "cats", "title": "Cats", "text": "They purr.", "version": 4}
{"id": "wolves", "text": "They howl\\nand bark."}
{"id": "lions", "title": "Lions", "text": "They roar."}
"""
LIST = "query,question,document,title,text,grade,pool\n"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "golden.yaml").write_text(GOLDEN, "utf-8")
    (tmp_path / "corpus.jsonl").write_text(CORPUS, "utf-8")
    (tmp_path / "a.run").write_text("q1 Q0 dogs 1 9 t\nq1 Q0 wolves 2 8 t\nq2 Q0 lions 1 9 t\n", "utf-8")
    (tmp_path / "b.jsonl").write_text('{"id": "q1", "ranked": ["cats", "dogs", "lions"]}\n', "utf-8")
    return tmp_path


def write_baseline_of(here: Path, ranked: dict[str, list[str]], depth: int) -> None:
    golden = load_golden(here / "golden.yaml")
    rankings = {query: Ranking(tuple(documents)) for query, documents in ranked.items()}
    evaluation = mark(golden, rankings, ["mrr"], depth)
    write_baseline(here / "base.json", take_baseline(evaluation, retriever="bm25", document_id=None))


def test_unjudged_pairs_are_listed_without_a_hint_who_found_them(here: Path, capsys) -> None:
    assert main(["pool", "golden.yaml", "a.run", "b.jsonl", "--depth", "2"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "golden.yaml: 3 pairs without a label, of 2 queries, in the top 2 of 2 rankings",
        "q1 who barks",
        "  cats  Cats",
        "  wolves  They howl and bark.",
        "q2 who purrs",
        "  lions  Lions",
    ]


def test_the_order_of_the_rankings_changes_nothing(here: Path, capsys) -> None:
    outputs = []
    for files in (["a.run", "b.jsonl"], ["b.jsonl", "a.run"]):
        assert main(["pool", "golden.yaml", *files]) == 0
        outputs.append(capsys.readouterr().out)
    assert outputs[0] == outputs[1]


def test_baselines_and_reports_are_rankings_too(here: Path, capsys) -> None:
    write_baseline_of(here, {"q1": ["wolves", "dogs"], "q2": ["cats", "lions"]}, depth=5)
    one = {"id": "q1", "outcome": "scored", "ranked": ["cats"]}
    failed = {"id": "q2", "outcome": "error", "ranked": ["wolves"]}
    other = {"id": "q1", "outcome": "scored", "ranked": ["lions"]}
    report = {"format": "pytest-retrieval-report/1", "sets": [
        {"golden": "sub/golden.yaml", "depth": 20, "queries": [one, failed]},
        {"golden": "other.yaml", "depth": 20, "queries": [other]},
    ]}  # fmt: skip
    (here / "report.json").write_text(json.dumps(report), "utf-8")
    assert main(["pool", "golden.yaml", "base.json", "report.json"]) == 0
    out = capsys.readouterr().out
    assert "3 pairs without a label, of 2 queries, in the top 10 of 2 rankings" in out
    assert "  warning: base.json holds the top 5 only" in out
    assert [line.split()[0] for line in out.splitlines()[2:]] == ["q1", "cats", "wolves", "q2", "lions"]


def test_chunks_of_a_run_become_documents(here: Path, capsys) -> None:
    (here / "golden.yaml").write_text("document_id: '^(.*)#'\n" + GOLDEN, "utf-8")
    (here / "c.jsonl").write_text('{"id": "q1", "ranked": ["dogs#1", "dogs#2", "lions#1"]}\n', "utf-8")
    assert main(["pool", "golden.yaml", "c.jsonl", "--depth", "2"]) == 0
    assert capsys.readouterr().out.splitlines()[1:] == ["q1 who barks", "  lions  Lions"]


@pytest.mark.parametrize("name", ["list.csv", "list.jsonl"])
def test_a_list_has_the_texts_and_open_grades(here: Path, capsys, name: str) -> None:
    words = ["pool", "golden.yaml", "a.run", "b.jsonl", "--depth", "2", "-o", name]
    assert main([*words, "--characters", "9"]) == 0
    text = (here / name).read_text("utf-8")
    lines = text.splitlines()
    rows = list(csv.DictReader(lines)) if name.endswith("csv") else [json.loads(line) for line in lines]
    assert [(row["query"], row["question"], row["document"], row["title"]) for row in rows] == [
        ("q1", "who barks", "cats", "Cats"),
        ("q1", "who barks", "wolves", ""),
        ("q2", "who purrs", "lions", "Lions"),
    ]
    assert rows[1]["text"] == "They howl"
    assert {row["grade"] for row in rows} <= {"", None}
    assert {row["pool"] for row in rows} == {'{"depth": 2, "sources": ["a.run", "b.jsonl"]}'}
    assert f"next: pytest-retrieval judge golden.yaml {name}" in capsys.readouterr().out
    assert main(words) == 1
    assert f"{name}: is already there and was left" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["gone.run"], "gone.run: cannot be read"),
        (["other.run"], "other.run: ranks none of the 2 queries of golden.yaml: its first is 'q7'"),
        (["alien.json"], "alien.json: is no baseline, report or run: its format is None"),
        (["damaged.json"], "damaged.json: is damaged (KeyError: 'golden')"),
        (["a.run", "-o", "list.xlsx"], "list.xlsx: expected a name that ends in .csv or .jsonl"),
        (["a.run", "--documents", "gone/*.md"], "documents: 'gone/*.md' matches no file here"),
    ],
)
def test_files_that_are_no_rankings_are_refused(here: Path, capsys, words: list[str], message: str) -> None:
    (here / "other.run").write_text("q7 Q0 dogs 1 9 t\n", "utf-8")
    (here / "alien.json").write_text('{"a": 1}', "utf-8")
    (here / "damaged.json").write_text('{"format": "pytest-retrieval-report/1", "sets": [{}]}', "utf-8")
    assert main(["pool", "golden.yaml", *words]) == 1
    assert message in capsys.readouterr().err


def test_a_depth_that_is_none_is_refused(here: Path, capsys) -> None:
    with pytest.raises(SystemExit):
        main(["pool", "golden.yaml", "a.run", "--depth", "0"])
    assert "'0' is no whole number of at least 1" in capsys.readouterr().err


def judged(here: Path, monkeypatch: pytest.MonkeyPatch, keys: str, *words: str) -> int:
    import io

    monkeypatch.setattr("sys.stdin", io.StringIO(keys))
    return main(["judge", "golden.yaml", "a.run", "b.jsonl", "--depth", "2", *words])


def test_grades_are_written_as_they_are_given(here: Path, monkeypatch, capsys) -> None:
    assert judged(here, monkeypatch, "01\n", "--documents", "corpus.jsonl") == 0
    out = capsys.readouterr().out
    assert "[1/3] q1  who barks\n  cats  Cats\n    They purr.\n2 answers, 1 helps, 0 does not" in out
    assert "golden.yaml: 2 labels added, 1 pairs left" in out
    assert "run the same command again to go on" in out
    lines = (here / "golden.yaml").read_text("utf-8").splitlines()
    assert lines[1] == "pooled:"
    assert lines[2].startswith("  - {depth: 2, date: ")
    assert lines[2].endswith(", sources: [a.run, b.jsonl], unjudged: 1}")
    assert lines[4:] == [
        "  - {id: q1, text: who barks, relevant: "
        '{dogs: 2, cats: {grade: 0, judged_version: "4"}, wolves: 1}}',
        "  - {id: q2, text: who purrs, relevant: {cats: 2, dogs: 0}}",
    ]


def test_a_later_session_goes_on_where_the_first_ended(here: Path, monkeypatch, capsys) -> None:
    assert judged(here, monkeypatch, "2q") == 0
    assert judged(here, monkeypatch, "02", "--owner", "anna") == 0
    assert "[1/2] q1  who barks\n  wolves" in capsys.readouterr().out
    text = (here / "golden.yaml").read_text("utf-8")
    assert text.count("pooled:") == text.count("depth: 2") == 1
    assert "unjudged" not in text
    assert "lions: {grade: 2, owner: anna}" in text
    assert judged(here, monkeypatch, "") == 0
    assert "0 pairs without a label" in capsys.readouterr().out


def test_undo_takes_back_the_last_grade_or_skip(here: Path, monkeypatch, capsys) -> None:
    before = (here / "golden.yaml").read_bytes()
    assert judged(here, monkeypatch, "u2usu") == 0
    out = capsys.readouterr().out
    assert "nothing to undo" in out
    assert out.count("undone") == 2
    assert "0 labels added, 3 pairs left" in out
    assert (here / "golden.yaml").read_bytes() == before


def test_other_keys_are_told_and_skipped_pairs_come_again(here: Path, monkeypatch, capsys) -> None:
    assert judged(here, monkeypatch, "x3sss") == 0
    out = capsys.readouterr().out
    assert "'x' is no key here" in out
    assert "'3' is no key here" in out
    assert "0 labels added, 3 pairs left" in out
    assert "pooled" not in (here / "golden.yaml").read_text("utf-8")


def test_undo_does_not_take_back_what_somebody_else_wrote(here: Path, monkeypatch, capsys) -> None:
    import pytest_retrieval.commands.judge as command

    write = command.write_file

    def write_and_change(path: Path, content: bytes) -> None:
        write(path, content)
        path.write_bytes(content + b"# mine\n")

    monkeypatch.setattr(command, "write_file", write_and_change)
    assert judged(here, monkeypatch, "2u") == 1
    assert "was changed meanwhile; take the last label back by hand" in capsys.readouterr().err
    assert (here / "golden.yaml").read_text("utf-8").endswith("# mine\n")


@pytest.mark.parametrize("name", ["list.csv", "list.jsonl"])
def test_a_list_that_was_filled_in_is_written_in_one_step(here: Path, capsys, name: str) -> None:
    main(["pool", "golden.yaml", "a.run", "b.jsonl", "--depth", "2", "-o", name])
    text = (here / name).read_text("utf-8")
    if name.endswith("csv"):
        rows = list(csv.reader(text.splitlines()))
        rows[1][5], rows[3][5] = "0", " 2 "
        with (here / name).open("w", encoding="utf-8", newline="") as file:
            csv.writer(file, delimiter=";").writerows(rows)
    else:
        lines = [json.loads(line) for line in text.splitlines()]
        lines[0]["grade"], lines[2]["grade"] = 0, 2
        (here / name).write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    capsys.readouterr()
    assert main(["judge", "golden.yaml", name]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "golden.yaml: 2 labels added (1 of grade 2, 1 of grade 0), 1 pairs of the lists left open",
        "  the header records the pool: 2 rankings to depth 2",
    ]
    golden = load_golden(here / "golden.yaml")
    assert {query.id: query.relevant for query in golden.queries} == {
        "q1": {"dogs": 2, "cats": 0},
        "q2": {"cats": 2, "dogs": 0, "lions": 2},
    }
    assert (golden.header.pooled[0].depth, golden.header.pooled[0].unjudged) == (2, 1)
    assert main(["judge", "golden.yaml", name]) == 0
    assert "0 labels added, 1 pairs" in capsys.readouterr().out


def test_a_label_that_is_there_is_kept(here: Path, capsys) -> None:
    (here / "l.csv").write_text("query,document,grade\nq1,dogs,0\nq2,lions,skip\n", "utf-8")
    before = (here / "golden.yaml").read_bytes()
    assert main(["judge", "golden.yaml", "l.csv"]) == 0
    assert "warning: q1: dogs has the grade 2, the list says 0; kept" in capsys.readouterr().out
    assert (here / "golden.yaml").read_bytes() == before


def test_the_agreement_of_two_judges(here: Path, capsys) -> None:
    (here / "a.csv").write_text("query,document,grade\nq1,a,2\nq1,b,0\nq2,a,1\nq2,c,0\nq2,d,\n", "utf-8")
    (here / "b.csv").write_text("query,document,grade\nq1,a,2\nq1,b,0\nq2,a,2\nq2,c,0\nq2,e,1\n", "utf-8")
    assert main(["judge", "golden.yaml", "a.csv", "b.csv", "--agreement"]) == 0
    # by hand: 3 of 4 equal; grades {2, 0, 1, 0} and {2, 0, 2, 0}: expected unequal 10 of 16, so 1 - 4/10;
    # squared: expected 1*2*4 + 1*2*1 + 1*2*1 + 2*2*4 = 28 of 16, so 1 - 4/28
    assert capsys.readouterr().out.splitlines() == [
        "3 of 4 pairs have the same grade (75%); Cohen's kappa 0.60, weighted by the squared difference 0.86",
        "  q2, a: 1 and 2  who purrs",
    ]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("query,document,grade\nq9,a,1\n", "l.csv:2: there is no query 'q9' in golden.yaml"),
        ("query,document,grade\nq1,a,good\n", "l.csv:2: a grade must be a whole number"),
        ("query,document,grade\nq1,a,1\nq1,a,1\n", "l.csv:3: the pair q1, a is already on line 2"),
        ("query,document,note\nq1,a,1\n", "l.csv:2: a row without grade"),
        ("query,grade\nq1,1\n", "l.csv:2: a row without document"),
        ("query,document,grade\nq1,wolves,2\n", "wolves has the grade 2 here and 0 in k.csv:2; agree"),
    ],
)  # fmt: skip
def test_a_list_that_is_broken_changes_nothing(here: Path, capsys, content: str, message: str) -> None:
    (here / "k.csv").write_text("query,document,grade\nq1,wolves,0\n", "utf-8")
    (here / "l.csv").write_text(content, "utf-8")
    before = (here / "golden.yaml").read_bytes()
    assert main(["judge", "golden.yaml", "k.csv", "l.csv"]) == 1
    assert message in capsys.readouterr().err
    assert (here / "golden.yaml").read_bytes() == before


def test_lists_and_rankings_are_not_mixed(here: Path, capsys) -> None:
    (here / "l.csv").write_text("query,document,grade\nq1,a,1\n", "utf-8")
    assert main(["judge", "golden.yaml", "l.csv", "a.run"]) == 1
    assert "a.run: is no list, but l.csv is one" in capsys.readouterr().err
    assert main(["judge", "golden.yaml", "l.csv", "--agreement"]) == 1
    assert "compares two lists with grades; name exactly two" in capsys.readouterr().err


def test_a_list_holds_no_formula_and_comes_back_with_the_same_ids(
    tmp_path: Path, monkeypatch, capsys
) -> None:
    monkeypatch.chdir(tmp_path)
    ids = ["=1+1", "-2+3", "@SUM(1)", "+4", "'quoted", "plain"]
    text = '=HYPERLINK("http://e.x")\u202e'
    golden = {"id": "=q", "text": text, "relevant": {"D1": 1}}
    Path("golden.jsonl").write_text(json.dumps(golden) + "\n", "utf-8")
    Path("run one.jsonl").write_text(json.dumps({"id": "=q", "ranked": ids}) + "\n", "utf-8")
    assert main(["pool", "golden.jsonl", "run one.jsonl", "--depth", "9", "-o", "anna 1.csv"]) == 0
    assert 'next: pytest-retrieval judge golden.jsonl "anna 1.csv"' in capsys.readouterr().out
    rows = list(csv.reader(Path("anna 1.csv").read_text("utf-8").splitlines()))
    assert not [cell for row in rows for cell in row if cell.startswith(("=", "+", "-", "@"))]
    assert rows[1][1] == '\'=HYPERLINK("http://e.x")'
    for row in rows[1:]:
        row[5] = "1"
    with Path("anna 1.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(rows)
    assert main(["judge", "golden.jsonl", "anna 1.csv"]) == 0
    (line,) = Path("golden.jsonl").read_text("utf-8").splitlines()[-1:]
    assert set(json.loads(line)["relevant"]) == {"D1", *ids}


def test_a_reader_that_has_read_enough_gets_no_traceback(here: Path) -> None:
    program = (
        "import sys; from pytest_retrieval.cli import main; sys.exit(main(['pool', 'golden.yaml', 'a.run']))"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", program], cwd=here, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    process.stdout.close()
    _, errors = process.communicate()
    assert b"Traceback" not in errors
