from __future__ import annotations

import pytest

from pytest_retrieval.golden.model import GoldenSet, Query
from pytest_retrieval.retrieval.ranking import Ranking
from pytest_retrieval.scoring.evaluation import Evaluation, average, mark
from pytest_retrieval.scoring.repeats import measure_noise

GOLDEN = GoldenSet(tuple(Query(f"q{i}", "text", {"d": 1}) for i in range(10)))
METRIC = "hit_rate@1"


def run(found: int, errors: dict[str, str] | None = None) -> Evaluation:
    """A run that finds the first few."""
    rankings = {q.id: Ranking(("d",) if i < found else ("x",)) for i, q in enumerate(GOLDEN.queries)}
    return mark(GOLDEN, rankings, [METRIC], 1, errors)


def test_one_run_is_its_own_average() -> None:
    one = run(3)
    assert average([one]) is one


def test_scores_are_means_and_rankings_those_of_the_first_run() -> None:
    both = average([run(10), run(8), run(8)])
    assert both.scores[METRIC]["q9"] == pytest.approx(1 / 3)
    assert both.rankings["q9"].documents == ("d",)
    assert both.mean(METRIC) == pytest.approx((10 + 8 + 8) / 30)
    assert len(both.runs) == 3


def test_a_query_that_failed_in_any_run_failed() -> None:
    both = average([run(10), run(10, {"q1": "late"})])
    assert both.errors == {"q1": "late"}
    assert "q1" not in both.scores[METRIC]
    assert both.mean(METRIC) is None


def test_noise_names_the_queries_that_flip_and_the_means_of_the_runs() -> None:
    noise = measure_noise(average([run(10), run(9)]), 0.1)
    assert (noise.runs, noise.queries, noise.flipped) == (2, 10, ("q9",))
    assert noise.means == {METRIC: (1.0, 0.9)}
    # sd = 0.1 / sqrt(2); 8 * 0.005 / 0.01 = 4 runs
    assert noise.repeats_needed == 4


def test_a_little_noise_takes_three_runs_and_none_takes_one() -> None:
    assert measure_noise(average([run(10), run(9)]), 0.5).repeats_needed == 3
    assert measure_noise(average([run(10), run(10)]), 0.1).repeats_needed == 1
    assert measure_noise(average([run(10), run(9)]), 0.0).repeats_needed == 3
