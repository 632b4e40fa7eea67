from __future__ import annotations

from pytest_retrieval.gating.differences import take_differences
from pytest_retrieval.gating.evidence import weigh
from pytest_retrieval.gating.judging import judge
from pytest_retrieval.gating.pairing import Paired
from pytest_retrieval.gating.policy import Policy
from pytest_retrieval.gating.two_sided import with_two_sided_intervals
from pytest_retrieval.golden.model import Query

POLICY = Policy(("mrr",), {"mrr": 0.02})


def paired(before: list[float], after: list[float], errors: frozenset[str] = frozenset()) -> Paired:
    ids = [f"q{number:02}" for number in range(len(before))]
    scores = {query: score for query, score in zip(ids, after, strict=True) if query not in errors}
    return Paired(
        tuple(Query(query, "text", {"D": 1}) for query in ids),
        {"mrr": dict(zip(ids, before, strict=True))},
        {"mrr": scores},
        errors=errors,
    )


def test_both_ends_together_hold_the_confidence_that_each_end_of_a_gate_holds_alone() -> None:
    pair = paired([1.0] * 12, [0.0, 0.5, 0.25, *[1.0] * 9])
    (row,) = with_two_sided_intervals(judge(pair, POLICY), pair, POLICY)
    differences = take_differences(pair.before["mrr"], pair.after["mrr"], list(pair.before["mrr"]), 0.0)
    assert row.interval == weigh(differences, 0.975).interval
    gate = judge(pair, POLICY)[0].interval
    assert gate is not None
    assert row.interval is not None
    assert row.interval[0] <= gate[0]
    assert row.interval[1] >= gate[1]


def test_the_words_and_all_other_numbers_stay() -> None:
    pair = paired([1.0] * 12, [0.0] * 6 + [1.0] * 6)
    (gate,) = judge(pair, POLICY)
    (row,) = with_two_sided_intervals([gate], pair, POLICY)
    assert row.verdict == gate.verdict == "regression"
    assert (row.n, row.difference, row.p, row.p_adjusted) == (12, -0.5, gate.p, gate.p_adjusted)


def test_a_gate_that_was_not_judged_has_no_interval() -> None:
    pair = paired([1.0] * 12, [1.0] * 12, frozenset({"q03"}))
    (row,) = with_two_sided_intervals(judge(pair, POLICY), pair, POLICY)
    assert (row.verdict, row.interval) == ("not evaluated", None)


def test_a_single_query_has_none_either() -> None:
    pair = paired([1.0], [0.0])
    (row,) = with_two_sided_intervals(judge(pair, POLICY), pair, POLICY)
    assert row.interval is None
