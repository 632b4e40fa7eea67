from __future__ import annotations

import math
import random
from collections.abc import Mapping
from dataclasses import replace

import pytest

from pytest_retrieval.gating.floors import check_floors
from pytest_retrieval.gating.judging import judge
from pytest_retrieval.gating.pairing import Departed, Paired
from pytest_retrieval.gating.policy import KindPolicy, Policy
from pytest_retrieval.gating.verdict import (
    BELOW_FLOOR,
    IMPROVED,
    NOT_EVALUATED,
    PASS,
    REGRESSION,
    SUSPECTED,
    TOO_FEW,
    UNCHANGED,
    Verdict,
)
from pytest_retrieval.golden.model import Query

METRIC = "recall@10"
Kinds = Mapping[str, list[tuple[float, float]]]


def _paired(kinds: Kinds, metric: str = METRIC) -> Paired:
    queries, before, after = [], {}, {}
    for kind, scores in kinds.items():
        for i, (old, new) in enumerate(scores):
            query = Query(f"{kind}{i:03}", "text", {"d": 1}, kind)
            queries.append(query)
            before[query.id], after[query.id] = old, new
    return Paired(tuple(queries), {metric: before}, {metric: after})


def _policy(margin: float = 0.02, **rest: object) -> Policy:
    return Policy((METRIC,), {METRIC: margin}, **rest)


def _rows(verdicts: tuple[Verdict, ...]) -> dict[str, Verdict]:
    names = {}
    for verdict in verdicts:
        value = next(iter(verdict.slice.values()), "all")
        names["+".join(value) if isinstance(value, list) else str(value)] = verdict
    return names


def _verdicts(kinds: Kinds, policy: Policy | None = None) -> dict[str, Verdict]:
    return _rows(judge(_paired(kinds), policy or _policy()))


def _drop(paired: Paired, query: str) -> Paired:
    return replace(
        paired, after={m: {q: s for q, s in v.items() if q != query} for m, v in paired.after.items()}
    )


SAME, LOST, WON = (1.0, 1.0), (1.0, 0.0), (0.0, 1.0)


def test_a_constant_drop_of_every_query_is_a_regression_with_an_interval_of_zero_width():
    row = _verdicts({"steady": [(1.0, 0.9)] * 32})["all"]
    assert row.verdict == REGRESSION
    assert row.interval == (-0.1, -0.1)
    assert row.difference == -0.1
    assert (row.before, row.after) == (1.0, 0.9)
    assert (row.n, row.better, row.worse, row.equal) == (32, 0, 32, 0)
    assert row.p == row.p_adjusted == 2.0**-32  # a family of one needs no adjustment


def test_the_same_run_is_unchanged():
    row = _verdicts({"steady": [(0.5, 0.5)] * 12})["all"]
    assert (row.verdict, row.reason, row.p, row.p_adjusted) == (UNCHANGED, "", 1.0, 1.0)
    assert row.interval == (0.0, 0.0)


def test_a_kind_that_collapsed_is_not_hidden_by_a_rising_mean():
    rows = _verdicts({"broad": [(0.3, 0.9)] * 40, "typo": [(0.9, 0.4)] * 12})
    assert rows["typo"].verdict == REGRESSION
    assert rows["typo"].difference == -0.5
    assert rows["broad"].verdict == IMPROVED
    assert rows["all"].difference > 0.3


def test_small_kinds_are_judged_together():
    rows = _verdicts({"a": [LOST] * 5 + [SAME] * 4, "b": [LOST] * 4 + [SAME] * 3, "c": [SAME] * 12})
    assert (rows["a"].verdict, rows["a"].reason) == (TOO_FEW, "9 of at least 10")
    assert rows["a"].p == rows["a"].p_adjusted == 2.0**-5
    assert rows["a+b"].verdict == REGRESSION
    assert rows["a+b"].n == 16
    assert rows["c"].verdict == UNCHANGED


@pytest.mark.parametrize("losses", [1, 2, 3, 4])
@pytest.mark.parametrize("n", [10, 20, 50, 200])
def test_fewer_than_five_losing_queries_are_never_a_regression(losses: int, n: int):
    assert _verdicts({"a": [LOST] * losses + [SAME] * (n - losses)}, _policy(0.0))["all"].verdict == PASS


@pytest.mark.parametrize(
    ("n", "margin", "losses"),
    [(20, 0.02, 5), (50, 0.02, 5), (200, 0.02, 10), (20, 0.05, 5), (50, 0.05, 8), (200, 0.05, 17)],
)
def test_with_a_margin_both_keys_need_the_tabulated_number_of_losses(n: int, margin: float, losses: int):
    def verdict(k: int) -> str:
        return _verdicts({"a": [LOST] * k + [SAME] * (n - k)}, _policy(margin))["all"].verdict

    assert verdict(losses) == REGRESSION
    assert verdict(losses - 1) != REGRESSION


def test_a_drop_equal_to_the_margin_is_within_it():
    row = _verdicts({"a": [LOST] + [SAME] * 49}, _policy(0.02))["all"]
    assert (row.verdict, row.p) == (PASS, 1.0)


def test_a_drop_that_the_family_does_not_let_pass_as_proof_is_suspected_and_says_why():
    kinds = {
        "a": [LOST] * 5 + [SAME] * 15,
        "b": [SAME, LOST, WON, SAME] * 5,
        "c": [SAME, LOST, WON, SAME] * 5,
    }
    row = _verdicts(kinds)["a"]
    assert row.verdict == SUSPECTED
    assert row.p <= 0.05 < row.p_adjusted
    assert row.reason == f"p is {row.p:.3g} alone but {row.p_adjusted:.3g} among all gates"


def test_a_drop_that_only_the_bootstrap_does_not_prove_is_suspected_and_says_why():
    # 9 losses among 200: the sign-flip test is enough at a margin of 0.02, the bootstrap needs 10.
    row = _verdicts({"a": [LOST] * 9 + [SAME] * 191})["all"]
    assert row.verdict == SUSPECTED
    assert row.p <= 0.05
    assert row.interval[1] >= -0.02
    assert "the bootstrap interval reaches up to" in row.reason


def test_improved_is_the_mirror_image_with_the_p_of_the_gain():
    lost = _verdicts({"a": [LOST] * 8 + [SAME] * 12})["all"]
    won = _verdicts({"a": [WON] * 8 + [SAME] * 12})["all"]
    assert (lost.verdict, won.verdict) == (REGRESSION, IMPROVED)
    assert won.p == lost.p
    assert won.interval == pytest.approx((-lost.interval[1], -lost.interval[0]), abs=1e-12)
    assert won.interval[0] > 0.02


def test_gains_and_losses_are_adjusted_in_families_of_their_own():
    kinds = {"a": [LOST] * 8 + [SAME] * 12, "b": [WON] * 9 + [SAME] * 11}
    rows = _verdicts(kinds, _policy(correction="holm"))
    # All, a and b are in both families; the smallest p of each counts three times.
    assert rows["a"].p_adjusted == pytest.approx(3 * rows["a"].p)
    assert rows["b"].p_adjusted == pytest.approx(3 * rows["b"].p)


def test_an_unchanged_gate_leaves_the_family_and_one_within_the_margin_stays():
    fallen = [LOST] * 8 + [SAME] * 12
    policy = _policy(correction="holm")
    unchanged = _verdicts({"a": fallen, "b": [SAME] * 20}, policy)
    within = _verdicts({"a": fallen, "b": [LOST, WON] + [SAME] * 18}, policy)
    assert unchanged["a"].p_adjusted == pytest.approx(2 * unchanged["a"].p)
    assert within["a"].p_adjusted == pytest.approx(3 * within["a"].p)


def test_gates_that_move_together_are_not_paid_for_twice():
    # One kind fell: all queries fell with it. Holm pays for two gates, shared flips hardly for one.
    kinds = {"a": [LOST] * 8 + [SAME] * 12, "b": [SAME] * 20}
    shared, seedless = _verdicts(kinds)["a"], _verdicts(kinds, _policy(correction="holm"))["a"]
    assert shared.p == seedless.p == 2.0**-8
    assert seedless.p_adjusted == 2 * 2.0**-8
    assert 2.0**-8 <= shared.p_adjusted < 1.5 * 2.0**-8


def test_two_metrics_that_move_alike_are_one_claim():
    paired = _paired({"a": [LOST] * 6 + [SAME] * 14})
    both = replace(
        paired,
        before={METRIC: paired.before[METRIC], "mrr": paired.before[METRIC]},
        after={METRIC: paired.after[METRIC], "mrr": paired.after[METRIC]},
    )
    for correction in ("max-t", "holm"):
        policy = Policy((METRIC, "mrr"), {METRIC: 0.0, "mrr": 0.0}, correction=correction)
        assert {row.p_adjusted for row in judge(both, policy)} == {2.0**-6}


def test_a_metric_that_is_not_gated_changes_no_number():
    paired = _paired({"a": [LOST] * 8 + [SAME] * 12, "b": [WON, LOST, SAME] * 5})
    more = replace(
        paired,
        before={**paired.before, "mrr": dict.fromkeys(paired.before[METRIC], 0.5)},
        after={**paired.after, "mrr": dict.fromkeys(paired.before[METRIC], 0.1)},
    )
    assert judge(more, _policy()) == judge(paired, _policy())


def test_renaming_the_queries_keeps_the_exact_p_and_draws_anew():
    kinds = {"a": [LOST] * 6 + [SAME] * 9, "b": [WON, LOST, LOST] * 5}
    names = _rows(judge(_paired(kinds), _policy()))
    renamed = _rows(judge(_paired({f"new {kind}": scores for kind, scores in kinds.items()}), _policy()))
    for kind in kinds:
        old, new = names[kind], renamed[f"new {kind}"]
        assert new.p == old.p
        error = math.sqrt(old.p_adjusted * (1 - old.p_adjusted) / 10_000)
        assert new.p_adjusted == pytest.approx(old.p_adjusted, abs=3 * math.sqrt(2) * error)


def test_a_kind_has_its_own_margin():
    kinds = {"strict": [(1.0, 0.95)] * 12, "loose": [(1.0, 0.95)] * 12}
    rows = _verdicts(kinds, _policy(0.1, kinds={"strict": KindPolicy({METRIC: 0.0})}))
    assert (rows["strict"].verdict, rows["strict"].margin) == (REGRESSION, 0.0)
    assert (rows["loose"].verdict, rows["loose"].margin) == (PASS, 0.1)


def test_a_failed_query_keeps_its_slices_from_judgement_and_no_other():
    paired = replace(_drop(_paired({"a": [LOST] * 12, "b": [LOST] * 12}), "a003"), errors=frozenset({"a003"}))
    rows = _rows(judge(paired, _policy()))
    assert (rows["a"].verdict, rows["a"].reason) == (NOT_EVALUATED, "1 of 12 queries failed: a003")
    assert rows["a"].p is None
    assert rows["a"].difference is None
    assert rows["all"].verdict == NOT_EVALUATED
    assert rows["b"].verdict == REGRESSION


def test_a_small_kind_with_a_failed_query_is_not_evaluated():
    paired = replace(_drop(_paired({"a": [SAME] * 4, "b": [SAME] * 12}), "a000"), errors=frozenset({"a000"}))
    assert _rows(judge(paired, _policy()))["a"].verdict == NOT_EVALUATED


def test_queries_that_were_not_run_are_counted_and_three_of_them_named():
    paired = _paired({"a": [SAME] * 12, "b": [SAME] * 12})
    absent = frozenset(f"a{i:03}" for i in range(5))
    for query in absent:
        paired = _drop(paired, query)
    rows = _rows(judge(replace(paired, not_run=absent), _policy()))
    assert rows["a"].reason == "5 of 12 queries were not run: a000, a001, a002, ..."
    assert rows["a"].verdict == rows["all"].verdict == NOT_EVALUATED
    assert rows["b"].verdict == UNCHANGED


def test_a_stale_slice_is_not_evaluated_and_names_the_command():
    paired = replace(_paired({"a": [SAME] * 8}), removed=(Departed("x", "a"),))
    row = judge(paired, _policy())[0]
    assert row.verdict == NOT_EVALUATED
    assert row.reason == (
        "1 of 9 queries of the baseline are changed or gone: x; run pytest --update-baseline"
    )


def test_a_small_kind_with_changed_queries_has_too_few_queries():
    paired = _paired({"a": [SAME] * 100, "b": [SAME] * 4})
    before = {METRIC: {q: s for q, s in paired.before[METRIC].items() if q != "b000"}}
    rows = _rows(judge(replace(paired, before=before, changed=("b000",)), _policy()))
    assert (rows["b"].verdict, rows["b"].reason, rows["b"].n) == (TOO_FEW, "3 of at least 10", 3)
    assert rows["all"].verdict == UNCHANGED


def test_a_kind_that_the_baseline_does_not_know_is_not_evaluated():
    paired = _paired({"new": [SAME] * 10, "old": [SAME] * 10})
    before = {METRIC: {q: s for q, s in paired.before[METRIC].items() if q.startswith("old")}}
    added = tuple(f"new{i:03}" for i in range(10))
    rows = _rows(judge(replace(paired, before=before, added=added), _policy()))
    assert rows["new"].verdict == NOT_EVALUATED
    assert rows["new"].reason.startswith("no baseline for these queries")
    assert (rows["all"].verdict, rows["all"].n) == (UNCHANGED, 10)


def test_a_new_small_kind_has_too_few_queries_and_no_numbers():
    paired = _paired({"new": [SAME] * 3, "old": [SAME] * 10})
    before = {METRIC: {q: s for q, s in paired.before[METRIC].items() if q.startswith("old")}}
    row = _rows(judge(replace(paired, before=before), _policy()))["new"]
    assert (row.verdict, row.reason, row.n, row.p) == (TOO_FEW, "0 of at least 10", 0, None)


def test_a_metric_that_cannot_be_compared_is_not_evaluated_anywhere():
    paired = replace(_paired({"a": [SAME] * 12, "b": [SAME] * 3}), incomparable={METRIC: "too shallow"})
    verdicts = judge(paired, _policy())
    assert {verdict.reason for verdict in verdicts} == {"too shallow"}
    assert {verdict.verdict for verdict in verdicts} == {NOT_EVALUATED}


def test_nothing_to_compare_is_not_a_pass():
    assert [v.verdict for v in judge(Paired((), {METRIC: {}}, {METRIC: {}}), _policy())] == [NOT_EVALUATED]
    unpaired = replace(_paired({"a": [SAME] * 3}), before={METRIC: {}})
    assert [v.verdict for v in judge(unpaired, _policy())] == [NOT_EVALUATED]


def test_rows_come_slice_by_slice_with_the_metrics_in_the_policys_order():
    paired = _paired({"b": [SAME] * 10, "a": [SAME] * 10})
    scores = paired.before[METRIC]
    paired = replace(paired, before={"mrr": scores, METRIC: scores}, after={"mrr": scores, METRIC: scores})
    policy = Policy(("mrr", METRIC), {"mrr": 0.0, METRIC: 0.0})
    rows = [(dict(v.slice), v.metric, v.against) for v in judge(paired, policy, "anchor")]
    assert rows == [
        ({}, "mrr", "anchor"),
        ({}, METRIC, "anchor"),
        ({"kind": "a"}, "mrr", "anchor"),
        ({"kind": "a"}, METRIC, "anchor"),
        ({"kind": "b"}, "mrr", "anchor"),
        ({"kind": "b"}, METRIC, "anchor"),
    ]


def test_the_detectable_drop_is_that_of_the_familys_level():
    rows = _verdicts({"a": [SAME] * 6})
    assert rows["all"].detectable_drop is not None
    # Three gates: 0.05 / 3 needs six losses, which eleven queries can show and four cannot.
    rows = _verdicts({"a": [SAME] * 11, "b": [SAME] * 11, "c": [SAME] * 4})
    assert rows["c"].detectable_drop is None
    assert rows["a"].detectable_drop > 0.5


def test_a_small_slice_tells_how_many_must_fall_and_a_large_or_unjudged_one_does_not():
    rows = _verdicts({"a": [SAME] * 12, "b": [LOST] * 20, "c": [SAME] * 4})
    # All and b are proven first, and then a stands alone.
    assert (rows["a"].fewest_falls, rows["b"].fewest_falls) == (5, 5)
    assert (rows["all"].fewest_falls, rows["c"].fewest_falls) == (None, None)


def test_more_must_fall_where_other_gates_move():
    noisy = {f"k{i}": [LOST, WON, SAME, SAME] * 5 for i in range(6)}
    alone = _verdicts({"a": [SAME] * 12, **noisy}, _policy(correction="holm"))["a"]
    # Six kinds, all and the one that falls: 0.05 / 8 needs eight losses.
    assert alone.fewest_falls == 8
    assert 6 <= _verdicts({"a": [SAME] * 12, **noisy})["a"].fewest_falls <= 8


@pytest.mark.parametrize("correction", ["max-t", "holm"])
@pytest.mark.parametrize("noise", [1, 2, 5])
def test_as_many_as_must_fall_are_a_regression_and_two_fewer_are_not(noise: int, correction: str):
    others = {f"k{i}": [LOST, WON, SAME, SAME] * 4 for i in range(noise)}
    policy = _policy(0.0, correction=correction)

    def row(losses: int) -> Verdict:
        return _verdicts({"a": [LOST] * losses + [SAME] * (14 - losses), **others}, policy)["a"]

    # All queries fall together with the kind, so that one fewer may do.
    needed = row(7).fewest_falls
    assert row(needed).verdict == REGRESSION
    assert row(needed - 2).verdict != REGRESSION


@pytest.mark.parametrize("seed", range(4))
def test_the_order_of_queries_does_not_change_a_bit(seed: int):
    chance = random.Random(seed)
    kinds = {
        kind: [(chance.random(), chance.random() * 0.9) for _ in range(n)]
        for kind, n in (("a", 40), ("b", 120), ("c", 7), ("d", 5))
    }
    paired = _paired(kinds)
    first = judge(paired, _policy())
    for _ in range(3):
        queries = chance.sample(paired.queries, len(paired.queries))
        ids = chance.sample(sorted(paired.before[METRIC]), len(queries))
        shuffled = Paired(
            tuple(queries),
            {METRIC: {query: paired.before[METRIC][query] for query in ids}},
            {METRIC: {query: paired.after[METRIC][query] for query in reversed(ids)}},
        )
        assert judge(shuffled, _policy()) == first


@pytest.mark.parametrize("margin", [0.0, 0.02, 0.1])
def test_a_regressions_interval_lies_below_the_margin_and_an_improvements_above(margin: float):
    chance, seen = random.Random(7), set()
    for _ in range(80):
        lift = chance.choice([-0.3, -0.1, 0.0, 0.2])
        scores = []
        for _ in range(chance.randint(1, 40)):
            old = chance.choice([0, 1 / 3, 0.5, 2 / 3, 1])
            new = chance.choice([old, old, 0.0, 1.0, 1 / 3, chance.random()])
            scores.append((old, min(1.0, max(0.0, new + lift))))
        row = _verdicts({"a": scores}, _policy(margin))["all"]
        seen.add(row.verdict)
        assert row.interval[0] <= row.difference + 1e-9
        assert row.difference <= row.interval[1] + 1e-9
        if row.verdict == REGRESSION:
            assert row.interval[1] < -margin
            assert row.worse >= 5
        if row.verdict == IMPROVED:
            assert row.interval[0] > margin
        if abs(row.difference) < margin:
            assert row.p == 1
    assert {REGRESSION, IMPROVED, PASS} <= seen


def _floors(paired: Paired, policy: Policy, errors: set[str] = frozenset(), not_run: set[str] = frozenset()):
    return _rows(check_floors(paired.queries, paired.after, errors, not_run, policy))


def test_floors_hold_for_all_and_for_kinds_at_any_size():
    paired = _paired({"a": [(0, 0.5)] * 2, "b": [(0, 1.0)] * 2})
    policy = _policy(floors={METRIC: 0.75}, kinds={"a": KindPolicy(floors={METRIC: 0.6}), "c": KindPolicy()})
    rows = _floors(paired, policy)
    assert list(rows) == ["all", "a"]
    assert (rows["all"].verdict, rows["all"].after, rows["all"].floor, rows["all"].n) == (PASS, 0.75, 0.75, 4)
    assert (rows["a"].verdict, rows["a"].reason) == (BELOW_FLOOR, "0.5 is below 0.6")
    assert {row.against for row in rows.values()} == {"floor"}
    assert rows["a"].p is None


def test_a_mean_equal_to_its_floor_to_a_billionth_passes():
    paired = _paired({"a": [(0, 0.1), (0, 0.2), (0, 0.3)]})
    assert _floors(paired, _policy(floors={METRIC: 0.2}))["all"].verdict == PASS
    assert _floors(paired, _policy(floors={METRIC: 0.2 + 2e-9}))["all"].verdict == BELOW_FLOOR


def test_a_floor_is_not_evaluated_over_the_survivors():
    paired = _paired({"a": [SAME] * 3})
    policy = _policy(floors={METRIC: 0.9})
    failed = _floors(_drop(paired, "a001"), policy, errors={"a001"})["all"]
    assert (failed.verdict, failed.reason) == (NOT_EVALUATED, "1 of 3 queries failed: a001")
    absent = _floors(_drop(paired, "a001"), policy, not_run={"a001"})["all"]
    assert (absent.verdict, absent.reason) == (NOT_EVALUATED, "1 of 3 queries were not run: a001")
    assert _floors(_drop(paired, "a001"), policy)["all"].verdict == NOT_EVALUATED
    assert _floors(Paired((), {}, {}), policy)["all"].verdict == NOT_EVALUATED
