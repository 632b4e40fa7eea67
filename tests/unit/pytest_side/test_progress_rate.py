from __future__ import annotations

from pytest_retrieval.pytest_side.progress import EVERY, FIRST, Progress


def at(times: list[float], total: int) -> list[str]:
    """What is told when one query is answered at each of these seconds."""
    clock = iter(times)
    progress = Progress(total, lambda: next(clock))
    return [progress.count() for _ in times]


def test_the_rate_counts_from_the_first_answer_on() -> None:
    # an index was built for 100 seconds, then a query took half a second
    told = at([100 + number / 2 for number in range(11)], 1_000)
    assert told[:10] == [""] * 10
    assert FIRST == 5
    assert told[10] == "11 of 1000 queries, 2.0 queries per second, about 8 min 14 s left"


def test_lines_are_far_apart() -> None:
    told = at([float(second) for second in range(41)], 100_000)
    assert EVERY == 15
    assert [second for second, text in enumerate(told) if text] == [5, 20, 35]


def test_slow_queries_are_told_in_seconds_and_long_times_in_hours() -> None:
    assert at([0, 8], 3_600)[-1] == "2 of 3600 queries, 8.0 seconds per query, about 7 h 59 min left"


def test_fast_queries_are_told_in_whole_numbers() -> None:
    times = [number / 1_000 for number in range(5_001)]
    assert at(times, 60_001)[-1] == "5001 of 60001 queries, 1000 queries per second, about 55 s left"


def test_nothing_is_told_shortly_before_the_end() -> None:
    assert at([0, 5.5], 2) == ["", ""]
