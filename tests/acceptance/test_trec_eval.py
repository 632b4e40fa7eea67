"""Our numbers against published ones: trec_eval's own outputs, a worked example, hand-made trouble."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from pytest_retrieval.golden.errors import InputError
from pytest_retrieval.golden.model import GoldenSet, Query
from pytest_retrieval.golden.qrels import read_qrels
from pytest_retrieval.retrieval.ranking import Hit, Ranking, rank_documents
from pytest_retrieval.retrieval.runs import read_run
from pytest_retrieval.scoring.evaluation import mark
from pytest_retrieval.scoring.metrics import score_rankings
from pytest_retrieval.scoring.names import parse_metric

SHARED = Path(__file__).resolve().parents[2] / "../shared"
DATA = SHARED / "data"
GRADED = ("ndcg", "ndcg_burges")

Qrels = Mapping[str, Mapping[str, int]]
Run = Mapping[str, tuple[str, ...]]
Notes = tuple[GoldenSet, dict[str, Run], Any]  # golden set, run per method, published numbers


def present(path: Path) -> Path:
    if not path.exists():
        pytest.skip(f"needs {path.relative_to(SHARED)} next to the repository")
    return path


def published(path: Path) -> dict[str, dict[str, str]]:
    """query id or ``all`` -> measure -> printed value."""
    values: dict[str, dict[str, str]] = {}
    for row in present(path).read_text(encoding="utf-8").splitlines():
        measure, query, value = row.split(maxsplit=2)
        values.setdefault(query, {})[measure] = value
    return values


def shared_measures(printed: Mapping[str, Mapping[str, str]]) -> Iterator[str]:
    for measure in next(iter(printed.values())):
        try:
            parse_metric(measure)
        except ValueError:
            continue
        yield measure


def at_level(grades: Mapping[str, int], level: int) -> dict[str, int]:
    """Labels as ``-l level`` sees them in the binary measures: grades below it are not relevant."""
    return {document: 0 if 0 <= grade < level else grade for document, grade in grades.items()}


def check(
    printed: Mapping[str, Mapping[str, str]], qrels: Qrels, run: Run, queries: list[str], level: int = 1
) -> int:
    """Every shared measure per query and in the mean, to the last printed digit."""
    compared = 0
    for measure in shared_measures(printed):
        metric = str(parse_metric(measure))
        graded = parse_metric(measure).name in GRADED
        labels = [qrels[query] if graded else at_level(qrels[query], level) for query in queries]
        values = score_rankings([run.get(query, ()) for query in queries], labels, [metric])[metric].tolist()
        expected = {query: printed[query][measure] for query in queries if query in printed}
        ours = {
            query: f"{value:.4f}" for query, value in zip(queries, values, strict=True) if query in printed
        }
        assert ours == expected, measure
        compared += len(expected)
        if "all" in printed:
            assert f"{sum(values) / len(values):.4f}" == printed["all"][measure], measure
            compared += 1
    return compared


# recall 9 + set, P 9 + set, success 3, ndcg 9 + whole, map 9 + whole, set_F, Rprec, bpref, recip_rank
ALL_TREC = 47


@pytest.mark.parametrize(
    ("output", "run", "qrels", "every", "cut", "level", "measures", "rows"),
    [
        ("out.test", "results.test", "qrels.test", False, None, 1, 13, 1),
        ("out.test.a", "results.test", "qrels.test", False, None, 1, ALL_TREC, 1),
        ("out.test.aq", "results.test", "qrels.test", False, None, 1, ALL_TREC, 4),
        ("out.test.aqc", "results.trunc", "qrels.test", True, None, 1, ALL_TREC, 4),
        ("out.test.aqcM", "results.trunc", "qrels.test", True, 100, 1, ALL_TREC, 4),
        ("out.test.aql", "results.test", "qrels.rel_level", False, None, 2, ALL_TREC, 4),
        (
            "handmade/ties.out.q",
            "handmade/ties.run",
            "handmade/ties.qrels",
            False,
            None,
            1,
            20,
            4,
        ),  # this file ends at query 4
        ("handmade/ties.out.qc", "handmade/ties.run", "handmade/ties.qrels", True, None, 1, 20, 8),
        ("handmade/ties.out.qcl2", "handmade/ties.run", "handmade/ties.qrels", True, None, 2, 20, 8),
    ],
)
def test_every_measure_we_share_with_trec_eval_has_its_published_value(
    output: str, run: str, qrels: str, every: bool, cut: int | None, level: int, measures: int, rows: int
) -> None:
    folder = DATA / "trec_eval"
    printed = published(folder / output)
    labels = read_qrels(present(folder / qrels))
    rankings = {query: ranked[:cut] for query, ranked in read_run(present(folder / run)).items()}
    # -c averages over all queries of the qrels, a query without results scoring 0.
    queries = [query for query in labels if every or query in rankings]
    assert check(printed, labels, rankings, queries, level) == measures * rows


@pytest.mark.parametrize("system", ["bm25", "dense", "rrf"])
@pytest.mark.parametrize("collection", ["cranfield", "cisi", "xquad"])
def test_whole_collections_have_the_values_that_trec_eval_printed(collection: str, system: str) -> None:
    folder = DATA / collection
    printed = published(folder / f"runs/{system}.trec_eval.txt")
    labels = read_qrels(present(folder / "qrels.txt"))
    rankings = read_run(present(folder / f"runs/{system}.run"))
    queries = [query for query in labels if query in rankings]
    assert len(queries) >= 76
    assert check(printed, labels, rankings, queries) > 5 * len(queries)


def test_judged_is_what_trec_eval_leaves_unjudged() -> None:
    folder = DATA / "trec_eval"
    printed = published(folder / "out.test.aq")
    labels, rankings = read_qrels(folder / "qrels.test"), read_run(folder / "results.test")
    for k in (5, 10, 20):
        judged = score_rankings(
            list(rankings.values()), [labels[query] for query in rankings], [f"judged@{k}"]
        )
        for query, value in zip(rankings, judged[f"judged@{k}"].tolist(), strict=True):
            assert f"{1 - value:.4f}" == printed[query][f"unj_{k}"]


@pytest.mark.parametrize(("run", "qrels"), [("dup.run", "ties.qrels"), ("ties.run", "dup.qrels")])
def test_a_document_twice_stops_us_as_it_stops_trec_eval(run: str, qrels: str) -> None:
    folder = present(DATA / "trec_eval/handmade")

    def read_both() -> None:
        read_run(folder / run)
        read_qrels(folder / qrels)

    with pytest.raises(InputError, match=r":2: document 'd1' is (twice|labelled twice)"):
        read_both()


def test_qrels_with_judging_rounds_in_the_second_column_are_read_whole() -> None:
    qrels = read_qrels(present(DATA / "trec_covid/qrels.txt"))
    grades = Counter(grade for labels in qrels.values() for grade in labels.values())
    assert len(qrels) == 50
    assert grades == {0: 42_652, 1: 11_055, 2: 15_609, -1: 2}


@pytest.fixture(scope="module")
def notes() -> Notes:
    folder = present(DATA / "sap_notes")
    rows = [json.loads(row) for row in (folder / "golden.jsonl").read_text(encoding="utf-8").splitlines()]
    golden = GoldenSet(
        tuple(Query(row["id"], row["text"], row["relevant"], kind=row["kind"]) for row in rows)
    )
    runs: dict[str, Run] = {
        name: read_run(folder / f"run.{name}.jsonl") for name in ("bm25", "vector", "hybrid", "rerank")
    }
    return golden, runs, json.loads((folder / "expected.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("k", [3, 5])
def test_the_worked_example_has_its_published_means(notes: Notes, k: int) -> None:
    golden, runs, expected = notes
    for name, run in runs.items():
        rankings = {query: Ranking(ranked) for query, ranked in run.items()}
        table = expected[f"metrics_by_method_k{k}"][name]
        assert set(table) == {f"hit@{k}", f"P@{k}", f"R@{k}", "MRR", f"nDCG@{k}"}
        means = {metric: mark(golden, rankings, [metric], 20).mean(metric) for metric in table}
        assert means == pytest.approx(table, abs=1e-6)


def test_the_worked_example_has_its_published_means_by_kind(notes: Notes) -> None:
    golden, runs, expected = notes
    for name, run in runs.items():
        evaluation = mark(golden, {query: Ranking(ranked) for query, ranked in run.items()}, ["ndcg@3"], 20)
        means = {kind: evaluation.mean("ndcg@3", kind) for kind in golden.kinds()}
        assert means == pytest.approx(expected["ndcg3_by_kind"][name], abs=1e-6)


@pytest.mark.parametrize(
    ("before", "after", "better", "worse", "equal", "difference"),
    [("bm25", "hybrid", 5, 1, 14, "+0.0916"), ("hybrid", "rerank", 8, 0, 12, "+0.2004")],
)
def test_the_worked_example_moves_query_by_query_as_published(
    notes: Notes, before: str, after: str, better: int, worse: int, equal: int, difference: str
) -> None:
    golden, runs, _ = notes
    old, new = (
        mark(golden, {query: Ranking(ranked) for query, ranked in runs[name].items()}, ["ndcg@3"], 20)
        for name in (before, after)
    )
    moves = [new.scores["ndcg@3"][query.id] - old.scores["ndcg@3"][query.id] for query in golden.queries]
    assert sum(move > 0 for move in moves) == better
    assert sum(move < 0 for move in moves) == worse
    assert sum(move == 0 for move in moves) == equal
    assert f"{sum(moves) / len(moves):+.4f}" == difference


def test_the_table_of_hand_made_trouble() -> None:
    rows = present(SHARED / "cases/metric_table/table.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(rows) == 15
    for row in map(json.loads, rows):
        k, gain = row["k"], {"linear": "ndcg", "exp": "ndcg_burges"}[row["gain"]]
        names = {
            "recall": f"recall@{k}",
            "precision": f"precision@{k}",
            "hit": f"hit_rate@{k}",
            "mrr": f"mrr@{k}",
            "ndcg": f"{gain}@{k}",
        }
        ranking = rank_documents(map(Hit, row["ranking"])).documents
        scores = score_rankings([ranking], [row["grades"]], list(names.values()))
        ours = {short: scores[name][0] for short, name in names.items()}
        assert ours == pytest.approx(row["expect"], abs=1e-9), row["label"]


PYTREC_EVAL = {
    "recall@5": "recall_5", "recall@10": "recall_10", "recall@20": "recall_20", "precision@5": "P_5",
    "precision@10": "P_10", "hit_rate@5": "success_5", "hit_rate@10": "success_10", "mrr": "recip_rank",
    "ndcg": "ndcg", "ndcg@5": "ndcg_cut_5", "ndcg@10": "ndcg_cut_10", "map": "map", "map@10": "map_cut_10",
    "r_precision": "Rprec", "bpref": "bpref", "recall": "set_recall", "precision": "set_P", "f1": "set_F",
}  # fmt: skip


def against_pytrec_eval(qrels: Qrels, run: Run) -> None:
    peer = pytest.importorskip("pytrec_eval")
    scored = {
        query: {document: float(len(ranked) - place) for place, document in enumerate(ranked)}
        for query, ranked in run.items()
    }
    labels = {query: dict(grades) for query, grades in qrels.items()}
    theirs = peer.RelevanceEvaluator(labels, set(peer.supported_measures)).evaluate(scored)
    queries = [query for query in run if query in qrels]
    ours = score_rankings(
        [run[query] for query in queries], [qrels[query] for query in queries], list(PYTREC_EVAL)
    )
    for metric, measure in PYTREC_EVAL.items():
        expected = [theirs[query][measure] for query in queries]
        assert ours[metric].tolist() == pytest.approx(expected, abs=1e-9), metric


@pytest.mark.parametrize("system", ["bm25", "dense", "rrf"])
def test_cranfield_agrees_with_pytrec_eval_query_by_query(system: str) -> None:
    folder = DATA / "cranfield"
    against_pytrec_eval(
        read_qrels(present(folder / "qrels.txt")), read_run(present(folder / f"runs/{system}.run"))
    )


def test_random_graded_labels_agree_with_pytrec_eval_query_by_query() -> None:
    draw = random.Random(3)
    documents = [f"d{number:02}" for number in range(50)]
    qrels = {f"q{row}": {d: draw.randint(-1, 3) for d in draw.sample(documents, 20)} for row in range(200)}
    run = {query: tuple(draw.sample(documents, draw.randint(1, 30))) for query in qrels}
    against_pytrec_eval(qrels, run)
