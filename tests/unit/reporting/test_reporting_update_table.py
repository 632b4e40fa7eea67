from __future__ import annotations

from pytest_retrieval.reporting.update_table import update_lines

NEW = {"all": {"recall@5": 0.8, "mrr": 0.5}, "identifier": {"recall@5": 0.75, "mrr": 0.25}}


def test_a_first_baseline_shows_the_new_means_alone() -> None:
    lines = update_lines("golden_docs.yaml", "baselines/golden_docs.json", None, NEW, 80)
    assert [line.text for line in lines] == [
        "golden_docs.yaml: new baseline, means: baselines/golden_docs.json",
        "              recall@5    mrr",
        "  identifier     0.750  0.250",
        "  all            0.800  0.500",
    ]


def test_a_replaced_baseline_shows_old_and_new_with_kinds_that_came_and_went() -> None:
    old = {"all": {"recall@5": 0.9, "mrr": 0.5}, "gone": {"recall@5": 0.1, "mrr": 0.2}}
    lines = update_lines("golden_docs.yaml", "b.json", old, NEW, 80)
    assert [line.text for line in lines] == [
        "golden_docs.yaml: baseline means, old -> new: b.json",
        "                    recall@5             mrr",
        "  identifier      - -> 0.750      - -> 0.250",
        "  gone            0.100 -> -      0.200 -> -",
        "  all         0.900 -> 0.800  0.500 -> 0.500",
    ]
    styles = {text.strip(): style for text, style in lines[-1].segments}
    assert styles["0.900 -> 0.800"] == "red"
    assert styles["0.500 -> 0.500"] == ""
