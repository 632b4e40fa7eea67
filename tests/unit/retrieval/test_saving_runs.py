import pytest

from pytest_retrieval.golden.errors import InputError
from pytest_retrieval.retrieval.runs import read_run
from pytest_retrieval.retrieval.saving_runs import write_run

RUN = {"q2": ("b", "a", "\u00fc/?"), "q10": ("x",), "q1": ("10", "9")}


def test_a_trec_run_has_six_columns_and_a_score_per_rank(tmp_path):
    write_run(tmp_path / "out.run", RUN, "my search")
    assert (tmp_path / "out.run").read_text("utf-8") == (
        "q2 Q0 b 1 3 my_search\n"
        "q2 Q0 a 2 2 my_search\n"
        "q2 Q0 \u00fc/? 3 1 my_search\n"
        "q10 Q0 x 1 1 my_search\n"
        "q1 Q0 10 1 2 my_search\n"
        "q1 Q0 9 2 1 my_search\n"
    )


def test_a_jsonl_run_has_a_line_per_query(tmp_path):
    write_run(tmp_path / "out.jsonl", {**RUN, "q3": ()}, "search")
    assert (tmp_path / "out.jsonl").read_text("utf-8") == (
        '{"id": "q2", "ranked": ["b", "a", "\u00fc/?"]}\n'
        '{"id": "q10", "ranked": ["x"]}\n'
        '{"id": "q1", "ranked": ["10", "9"]}\n'
        '{"id": "q3", "ranked": []}\n'
    )


@pytest.mark.parametrize("name", ["out.trec", "out.txt", "out.JSONL", "deep/er/out.ndjson"])
def test_what_is_written_reads_back_in_the_same_order(tmp_path, name):
    # equal scores would come back in the order of the ids, backwards
    run = {f"q{number}": tuple(f"d{n:04}" for n in range(number, 1_000)) for number in range(3)}
    write_run(tmp_path / name, run, "x")
    assert read_run(tmp_path / name) == run


def test_trec_eval_keeps_the_order(tmp_path):
    pytrec_eval = pytest.importorskip("pytrec_eval")
    write_run(tmp_path / "out.run", {"q": ("a", "z", "m")}, "x")
    with (tmp_path / "out.run").open() as file:
        run = pytrec_eval.parse_run(file)
    for place, document in enumerate(["a", "z", "m"], 1):
        scores = pytrec_eval.RelevanceEvaluator({"q": {document: 1}}, {"recip_rank"}).evaluate(run)
        assert scores["q"]["recip_rank"] == pytest.approx(1 / place)


@pytest.mark.parametrize("run", [{"q": ("a b",)}, {"q 1": ("a",)}, {"q": ("a\n",)}, {"#q": ("a",)}])
def test_an_id_that_breaks_the_columns_is_refused_and_the_old_file_stays(tmp_path, run):
    path = tmp_path / "out.run"
    path.write_text("old", "utf-8")
    with pytest.raises(InputError, match=r"cannot hold the id .*; write a \.jsonl file instead"):
        write_run(path, run, "x")
    assert [file.name for file in tmp_path.iterdir()] == ["out.run"]
    assert path.read_text("utf-8") == "old"
    write_run(tmp_path / "out.jsonl", run, "x")
    assert read_run(tmp_path / "out.jsonl") == run


def test_blanks_of_other_scripts_are_part_of_an_id(tmp_path):
    run = {"q": ("a\u00a0b", "c\u3000d")}
    write_run(tmp_path / "out.run", run, "x")
    assert read_run(tmp_path / "out.run") == run
