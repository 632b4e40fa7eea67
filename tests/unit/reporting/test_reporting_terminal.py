from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from pytest_retrieval.gating.verdict import (
    BELOW_FLOOR,
    IMPROVED,
    NOT_EVALUATED,
    PASS,
    REGRESSION,
    SUSPECTED,
    TOO_FEW,
    UNCHANGED,
)
from pytest_retrieval.reporting.line import Line
from pytest_retrieval.reporting.printable import cell_width
from pytest_retrieval.reporting.result import ERROR, NOT_RUN, MeanRow
from pytest_retrieval.reporting.terminal import set_lines

Make = Callable[..., Any]

SMALL = {"kinds": ["identifier", "mixed"]}
NOTHING = dict.fromkeys(
    [
        "better",
        "worse",
        "equal",
        "before",
        "after",
        "difference",
        "interval",
        "p",
        "p_adjusted",
        "detectable_drop",
    ]
)


def texts(lines: Sequence[Line]) -> list[str]:
    return [line.text for line in lines]


def starting(lines: Sequence[Line], start: str) -> list[Line]:
    return [line for line in lines if line.text.strip().startswith(start)]


def styles(line: Line) -> dict[str, str]:
    return {text.strip(): style for text, style in line.segments}


@pytest.fixture
def gated(make_set: Make, make_query: Make, make_gate: Make) -> Callable[..., Any]:
    def build(*gates: Any, **changes: Any) -> Any:
        fields = {"baseline": "baselines/golden_docs.json", "gated": True, "gates": gates, **changes}
        return make_set(**fields)

    return build


def test_without_a_baseline_the_means_by_kind_are_all_there_is(make_set: Make) -> None:
    assert texts(set_lines(make_set(), 80)) == [
        "golden_docs.yaml: retriever, depth 20",
        "  1 of 1 queries scored, 0 errors, 0 not run",
        "               n  recall@5    mrr",
        "  identifier   4     0.750  0.500",
        "  all         20     0.800  0.700",
    ]


def test_means_without_a_comparison_have_intervals_and_shares_are_counted(make_set: Make) -> None:
    row = MeanRow(
        {},
        45,
        {"hit_rate@5": 41 / 45, "mrr": 0.7},
        {"hit_rate@5": (0.7927, 0.9649), "mrr": (0.61, 0.79)},
        {"hit_rate@5": 41},
    )
    measured = make_set(metrics=("hit_rate@5", "mrr"), gate_metrics=(), means=(row,))
    lines = texts(set_lines(measured, 80))
    place = lines.index("95 % intervals of the means")
    assert lines[place + 1 : place + 3] == [
        "                hit_rate@5        mrr",
        "  all  41 of 45, 0.79-0.96  0.61-0.79",
    ]
    compared = make_set(metrics=("hit_rate@5", "mrr"), gate_metrics=(), means=(row,), gated=True)
    assert "95 % intervals of the means" not in texts(set_lines(compared, 80))


def test_a_small_slice_says_how_many_must_fall_in_every_width(gated: Make, make_gate: Make) -> None:
    unchanged = make_gate(UNCHANGED, n=10, fewest_falls=8)
    said = "could have seen a drop of 0.21; at least 8 of 10 must fall"
    assert f"      {said}" in texts(set_lines(gated(unchanged), 80))
    wide = texts(set_lines(gated(unchanged), 120))
    assert "      at least 8 of 10 must fall" in wide
    red = texts(set_lines(gated(make_gate(REGRESSION, n=10, fewest_falls=8)), 80))
    assert f"p 0.004, adjusted 0.020; {said}" in " ".join(" ".join(red).split())


def test_the_title_names_the_population_and_counts_what_went_wrong(make_set: Make, make_query: Make) -> None:
    queries = (
        make_query(),
        make_query("q02", outcome=ERROR, scores=None),
        make_query("q03", outcome=NOT_RUN, scores=None),
        make_query("q04", outcome=NOT_RUN, scores=None),
    )
    population = {"kind": ["identifier", "mixed"], "tag": ["smoke"]}
    lines = set_lines(make_set(queries=queries, population=population), 80)
    assert texts(lines)[:2] == [
        "golden_docs.yaml: retriever, depth 20, only kind identifier or mixed, only tag",
        "  smoke",
    ]
    assert lines[2].text == "  1 of 4 queries scored, 1 errors, 2 not run"
    assert "yellow" in styles(lines[2]).values()


def test_a_slice_without_means_is_shown_as_such(make_set: Make) -> None:
    lines = set_lines(make_set(means=(MeanRow({"kind": "identifier"}, 3, {}),)), 80)
    assert lines[-1].text.split() == ["identifier", "3", "-", "-"]


def test_a_wide_terminal_has_every_number_in_the_row(gated: Make, make_gate: Make) -> None:
    lines = set_lines(gated(make_gate(PASS, {"kind": "identifier"}), make_gate(REGRESSION)), 120)
    (row,) = [line.text for line in starting(lines, "all") if "->" in line.text]
    assert row == (
        "  all         20  0.900 -> 0.400  -0.500  [-0.610, -0.380]  +0 -12 =8  "
        "0.004     0.020    0.210  regression"
    )
    assert "recall@5 against baselines/golden_docs.json, margin 0.02" in texts(lines)


def test_eighty_columns_keep_the_row_and_move_p_below_it(gated: Make, make_gate: Make) -> None:
    gates = (make_gate(REGRESSION), make_gate(PASS, {"kind": "identifier"}, difference=-0.0001))
    lines = texts(set_lines(gated(*gates), 80))
    place = next(place for place, line in enumerate(lines) if line.endswith("regression"))
    assert lines[place].split() == (
        ["all", "20", "0.900", "->", "0.400", "-0.500", "[-0.61,", "-0.38]", "+0", "-12", "=8", "regression"]
    )
    assert lines[place + 1] == "      p 0.004, adjusted 0.020; could have seen a drop of 0.21"
    assert lines[place + 2].split()[5:] == ["0.000", "[-0.61,", "-0.38]", "+0", "-12", "=8", "pass"]
    assert not lines[place + 3].strip().startswith("p ")


@pytest.mark.parametrize("width", [80, 160])
def test_columns_stay_aligned_beside_wide_characters(gated: Make, make_gate: Make, width: int) -> None:
    kinds = ["identifier", "質問", "e\u0301te\u0301", "ｱｲｳ"]
    gates = [make_gate(PASS, {"kind": kind}, n=10**i, worse=10**i) for i, kind in enumerate(kinds)]
    rows = [text for text in texts(set_lines(gated(*gates), width)) if "->" in text]
    assert len(rows) == 4
    for mark in ("->", "[", "]", "pass"):
        assert len({cell_width(row[: row.index(mark)]) for row in rows}) == 1


def test_a_reason_stands_below_its_row(gated: Make, make_gate: Make) -> None:
    gate = make_gate(TOO_FEW, {"kind": "identifier"}, n=4, reason="4 of at least 10", p=None, p_adjusted=None)
    lines = texts(set_lines(gated(make_gate(PASS), gate), 80))
    assert "      4 of at least 10; could have seen a drop of 0.21" in lines


@pytest.mark.parametrize(
    ("verdict", "style"),
    [
        (REGRESSION, "red"),
        (SUSPECTED, "yellow"),
        (NOT_EVALUATED, "yellow"),
        (IMPROVED, "green"),
        (PASS, ""),
        (UNCHANGED, ""),
        (TOO_FEW, ""),
    ],
)
def test_a_verdict_has_its_colour(gated: Make, make_gate: Make, verdict: str, style: str) -> None:
    lines = set_lines(gated(make_gate(PASS, {"kind": "other"}), make_gate(verdict)), 120)
    (row,) = [line for line in starting(lines, "all") if "->" in line.text]
    assert styles(row)[verdict] == style


def test_own_margins_of_kinds_are_a_column(gated: Make, make_gate: Make) -> None:
    lines = set_lines(gated(make_gate(PASS), make_gate(PASS, {"kind": "identifier"}, margin=0.0)), 120)
    (row,) = [line.text for line in starting(lines, "identifier") if "->" in line.text]
    assert "recall@5 against baselines/golden_docs.json" in texts(lines)
    assert "=8       0  0.004" in row


def test_the_small_kinds_together_are_named(gated: Make, make_gate: Make) -> None:
    lines = texts(set_lines(gated(make_gate(PASS), make_gate(PASS, SMALL)), 120))
    assert any(line.strip().startswith("identifier + mixed (small kinds together)") for line in lines)


def test_floors_have_a_table_of_their_own(make_set: Make, make_gate: Make) -> None:
    gates = (
        make_gate(BELOW_FLOOR, against="floor", floor=0.8, **{**NOTHING, "after": 0.4}),
        make_gate(
            PASS, {"kind": "identifier"}, against="floor", floor=0.25, n=4, **{**NOTHING, "after": 0.75}
        ),
    )
    lines = set_lines(make_set(gates=gates), 80)
    start = texts(lines).index("floors")
    assert texts(lines)[start : start + 4] == [
        "floors",
        "               n  floor   mean  metric    verdict",
        "  all         20    0.8  0.400  recall@5  below floor",
        "  identifier   4   0.25  0.750  recall@5  pass",
    ]
    assert styles(lines[start + 2])["below floor"] == "red"


def test_the_worst_queries_say_what_was_expected_and_what_came(
    gated: Make, make_query: Make, make_gate: Make
) -> None:
    queries = (
        make_query("same", baseline={"recall@5": 0.5}),
        make_query("half"),
        make_query(
            "lost",
            text="why is it frozen?",
            ranked=tuple(f"D{i}" for i in range(10, 17)),
            relevant={"D01": 1, "D02": 2, "D16": 1, "D99": 0},
            scores={"recall@5": 0.0},
        ),
        make_query("gone", outcome=ERROR, scores=None),
    )
    lines = texts(set_lines(gated(make_gate(REGRESSION), queries=queries), 80))
    start = lines.index("worst queries")
    assert lines[start : start + 7] == [
        "worst queries",
        '  lost  recall@5 1.000 -> 0.000  "why is it frozen?"',
        "    expected  D02 (not found), D01 (not found), D16 (rank 7)",
        "    got       D10, D11, D12, D13, D14 and 2 more",
        '  half  recall@5 1.000 -> 0.500  "PRC-112"',
        "    expected  D04 (rank 2), D03 (not found)",
        "    got       D09, D04",
    ]
    assert not any(line.startswith(("  same", "  gone")) for line in lines)


def test_at_most_five_worst_queries_each_once_and_only_of_red_slices(
    gated: Make, make_query: Make, make_gate: Make
) -> None:
    scores = {"recall@5": 0.0, "mrr": 0.2}
    before = {"recall@5": 1.0, "mrr": 0.9}
    queries = tuple(
        make_query(f"{kind}{i}", kind=kind, scores=scores, baseline=before, fields={"lang": (lang,)})
        for kind, lang in (("a", "de"), ("b", "en"), ("c", "en"))
        for i in range(4)
    )
    red = [make_gate(REGRESSION, {"kind": "a"}), make_gate(REGRESSION, {"kinds": ["a"]}, metric="mrr")]
    plain = make_gate(SUSPECTED, {"kind": "b"})
    lines = texts(set_lines(gated(*red, plain, queries=queries), 80))
    assert [line.split()[0] for line in lines if '"PRC-112"' in line] == ["a0", "a1", "a2", "a3"]
    lines = texts(set_lines(gated(make_gate(REGRESSION, {"lang": "en"}), queries=queries), 80))
    assert [line.split()[0] for line in lines if '"PRC-112"' in line] == ["b0", "b1", "b2", "b3", "c0"]


def test_differences_between_golden_set_and_baseline_are_listed(gated: Make, make_gate: Make) -> None:
    result = gated(
        make_gate(PASS),
        added=tuple(f"q{i}" for i in range(30, 38)),
        removed=("q05",),
        changed=("q06", "q07"),
        relabelled=("q08",),
        notes=("model: small before, large now",),
    )
    assert texts(set_lines(result, 80))[-5:] == [
        "added 8 (not in the baseline yet): q30, q31, q32, q33, q34 and 3 more",
        "removed 1 (only in the baseline): q05",
        "changed 2 (another text than in the baseline, not compared): q06, q07",
        "relabelled 1 (old rankings scored under today's labels): q08",
        "note: model: small before, large now",
    ]


def test_each_situation_names_the_next_command(gated: Make, make_gate: Make, make_query: Make) -> None:
    def last(*gates: Any, **changes: Any) -> str:
        lines = texts(set_lines(gated(*gates, **changes), 200))
        return "\n".join(line for line in lines if line.startswith("next: "))

    update = "pytest --update-baseline golden_docs.yaml"
    assert last(make_gate(PASS)) == ""
    with_reason = f'{update} --retrieval-update-anchor="reason"'
    assert last(make_gate(REGRESSION)).endswith(f"say why this is to be accepted: {with_reason}")
    # the anchor itself holds, so that a plain update is enough
    anchored = last(make_gate(REGRESSION), make_gate(PASS, against="anchor"))
    assert anchored.endswith(f"accept the new rankings: {update}")
    assert last(make_gate(IMPROVED)).endswith(update)
    assert last(make_gate(REGRESSION, against="anchor")).endswith(
        f'{update} --retrieval-update-anchor="reason"'
    )
    assert "not strong enough" in last(make_gate(SUSPECTED))
    assert "is no pass" in last(make_gate(NOT_EVALUATED, reason="no common query"))
    new = (make_query(baseline=None),)
    assert last(make_gate(NOT_EVALUATED), queries=new).endswith(f"write the baseline and commit it: {update}")
    assert last(make_gate(IMPROVED), golden="my docs/golden.yaml").endswith('"my docs/golden.yaml"')
    assert last(make_gate(IMPROVED), golden="$(x) golden.yaml").endswith("'$(x) golden.yaml'")


def test_a_gain_is_not_offered_together_with_a_loss(gated: Make, make_gate: Make) -> None:
    lines = texts(set_lines(gated(make_gate(IMPROVED, metric="mrr"), make_gate(REGRESSION)), 200))
    assert sum("--update-baseline" in line for line in lines) == 1


def test_gates_that_are_not_evaluated_for_one_reason_say_it_once(gated: Make, make_gate: Make) -> None:
    gates = [
        make_gate(NOT_EVALUATED, s, reason="no baseline", **NOTHING) for s in ({}, {"kind": "identifier"})
    ]
    lines = texts(set_lines(gated(*gates), 120))
    assert [line for line in lines if "no baseline" in line] == [
        "recall@5 against baselines/golden_docs.json, margin 0.02: not evaluated: no baseline"
    ]


@pytest.mark.parametrize("width", [80, 81, 95, 109, 110, 160, 240])
def test_no_line_is_wider_than_the_terminal(
    gated: Make, make_gate: Make, make_query: Make, width: int
) -> None:
    kinds = ["identifier", "質問の種類", "a kind with a very long name of many words", "k" * 300]
    gates = []
    for metric in ("recall@5", "ndcg@10"):
        for against in ("baseline", "anchor"):
            gates += [
                make_gate(REGRESSION, metric=metric, against=against),
                make_gate(
                    SUSPECTED, {"kinds": kinds}, metric=metric, reason="because " * 30, against=against
                ),
                make_gate(NOT_EVALUATED, {"kind": "mixed"}, metric=metric, **NOTHING, against=against),
                *(make_gate(TOO_FEW, {"kind": k}, metric=metric, n=1234, against=against) for k in kinds),
            ]
    gates.append(make_gate(BELOW_FLOOR, {"kind": kinds[3]}, against="floor", floor=0.8))
    metrics = ("recall@5", "precision@5", "mrr", "ndcg@10", "ndcg_burges@10", "hit_rate@5")
    means = tuple(MeanRow({"kind": k}, 9, dict.fromkeys(metrics, 0.5)) for k in kinds)
    ids = tuple(f"query-{i}" for i in range(30))
    queries = (make_query(text="凍結された購入 " * 50, ranked=ids), make_query("q2", text="word " * 90))
    result = gated(
        *gates,
        metrics=metrics,
        means=means,
        queries=queries,
        added=ids,
        relabelled=ids,
        notes=("word " * 90,),
    )
    # the commands to copy are short enough here, so that there is no exception
    assert [text for text in texts(set_lines(result, width)) if cell_width(text) > width] == []


def test_two_long_kinds_never_look_the_same(gated: Make, make_gate: Make) -> None:
    names = [f"{'begin' * 30}{i}{'end' * 30}" for i in range(3)]
    means = tuple(MeanRow({"kind": name}, 9, {"recall@5": 0.5}) for name in names)
    lines = texts(set_lines(gated(*(make_gate(PASS, {"kind": n}) for n in names), means=means), 80))
    shown = [line for line in lines if line.strip().startswith("begin")]
    assert len(shown) == 6
    assert len(set(shown)) == 3


def test_nothing_from_outside_can_steer_the_terminal(gated: Make, make_gate: Make, make_query: Make) -> None:
    evil = "\x1b]0;title\x07\n\r\x9b2J\u202e\ud800"
    queries = (
        make_query(evil, text=evil, kind=evil, ranked=(evil,), relevant={evil: 1}, scores={"recall@5": 0.0}),
    )
    gates = (
        make_gate(REGRESSION, {"kind": evil}, reason=evil),
        make_gate(NOT_EVALUATED, {"kinds": [evil, evil]}, reason=evil),
        make_gate(BELOW_FLOOR, {evil: evil}, against="floor", reason=evil, floor=0.5),
    )
    result = gated(
        *gates,
        golden=evil,
        retriever=evil,
        baseline=evil,
        population={evil: [evil]},
        means=(MeanRow({"kind": evil}, 1, {"recall@5": 0.5}),),
        queries=queries,
        added=(evil,),
        removed=(evil,),
        changed=(evil,),
        relabelled=(evil,),
        notes=(evil,),
    )
    for width in (80, 160):
        assert all(text.isprintable() for text in texts(set_lines(result, width)))


def test_our_own_furniture_is_ascii(gated: Make, make_gate: Make) -> None:
    verdicts = (UNCHANGED, PASS, IMPROVED, SUSPECTED, REGRESSION, BELOW_FLOOR, TOO_FEW, NOT_EVALUATED)
    gates = [make_gate(verdict, {"kind": verdict}) for verdict in verdicts]
    assert all(line.text.isascii() for line in set_lines(gated(*gates, added=("q",), changed=("q",)), 80))


def test_an_empty_set_has_a_title_and_no_crash(make_set: Make) -> None:
    lines = set_lines(make_set(queries=(), means=(), metrics=()), 80)
    assert texts(lines) == [
        "golden_docs.yaml: retriever, depth 20",
        "  0 of 0 queries scored, 0 errors, 0 not run",
    ]


def test_a_small_kind_that_fell_is_told_what_can_hold_it(gated: Make, make_gate: Make) -> None:
    fell = make_gate(TOO_FEW, {"kind": "tiny"}, n=4, difference=-0.5, margin=0.02)
    advised = "next: a kind fell that has too few queries for a proof"
    assert any(text.startswith(advised) for text in texts(set_lines(gated(fell), 160)))
    held = make_gate(TOO_FEW, {"kind": "tiny"}, n=4, difference=-0.01, margin=0.02)
    assert not any(text.startswith(advised) for text in texts(set_lines(gated(held), 160)))


@pytest.mark.parametrize(
    ("latency", "cost", "shown"),
    [
        ({"p50": 0.00042, "p95": 1.5}, None, "latency p50 0.42 ms, p95 1.50 s"),
        ({"p50": 0.0052, "p95": 0.99}, 0.125, "latency p50 5.2 ms, p95 990.0 ms, cost 0.125"),
        ({}, 1234567.0, "cost 1.23457e+06"),
    ],
)
def test_what_asking_took_is_one_line(
    make_set: Make, latency: dict[str, float], cost: float | None, shown: str
) -> None:
    assert texts(set_lines(make_set(latency=latency, cost=cost), 80))[2] == f"  {shown}"


def test_what_is_not_known_of_asking_is_not_told(make_set: Make) -> None:
    assert not [text for text in texts(set_lines(make_set(), 80)) if "latency" in text or "cost" in text]


def test_when_every_query_failed_nothing_was_evaluated(make_set: Make, make_query: Make) -> None:
    broken = [make_query(f"q{n}", outcome=ERROR, error="OSError: \x1b[1mdown", scores=None) for n in (1, 2)]
    told = starting(set_lines(make_set(queries=tuple(broken)), 120), "nothing was evaluated")
    assert texts(told) == ["  nothing was evaluated: all 2 queries failed, each with OSError: \\x1b[1mdown"]
    one_left = (*broken, make_query("q3", outcome=NOT_RUN, scores=None))
    assert starting(set_lines(make_set(queries=one_left), 120), "nothing was evaluated") == []


def test_an_anchor_that_says_the_same_is_one_line(gated: Make, make_gate: Make) -> None:
    lines = texts(set_lines(gated(make_gate(PASS), make_gate(PASS, against="anchor")), 120))
    assert "recall@5 against the anchor: the same" in lines
    other = texts(set_lines(gated(make_gate(PASS), make_gate(PASS, against="anchor", difference=-0.1)), 120))
    assert "recall@5 against the anchor: the same" not in other
