import pytest

from pytest_retrieval.gating.side_by_side import side_by_side


def test_counts_and_means_are_those_by_hand():
    first = {"a": 0.5, "b": 1.0, "c": 1 / 3, "d": 0.0}
    second = {"a": 1.0, "b": 0.5, "c": 1 / 3, "d": 1.0}
    found = side_by_side(first, second, ["d", "c", "b", "a"], 0.95)
    assert (found.n, found.better, found.worse, found.equal) == (4, 2, 1, 1)
    assert found.before == pytest.approx(11 / 24)
    assert found.after == pytest.approx(17 / 24)
    assert found.difference == pytest.approx(0.25)
    lower, upper = found.interval
    assert -0.5 <= lower < 0.25 < upper <= 1.0


def test_equal_scores_have_an_interval_of_nothing():
    scores = {"a": 0.1, "b": 0.7}
    found = side_by_side(scores, scores, ["a", "b"], 0.95)
    assert (found.equal, found.difference, found.interval) == (2, 0.0, (0.0, 0.0))


def test_one_query_has_no_interval():
    assert side_by_side({"a": 0.0}, {"a": 1.0}, ["a"], 0.95).interval is None


def test_the_mirror_image_has_the_mirrored_interval():
    first = {str(n): n % 5 / 4 for n in range(20)}
    second = {str(n): n % 3 / 2 for n in range(20)}
    one = side_by_side(first, second, list(first), 0.9)
    other = side_by_side(second, first, list(first), 0.9)
    assert one.interval == pytest.approx((-other.interval[1], -other.interval[0]))
    assert (one.better, one.worse) == (other.worse, other.better)


def test_scipys_percentile_interval_is_about_the_same():
    stats = pytest.importorskip("scipy.stats")
    first = {f"{n:02}": (n * 7 % 11) / 10 for n in range(40)}
    second = {f"{n:02}": (n * 5 % 11) / 10 for n in range(40)}
    found = side_by_side(first, second, list(first), 0.95)
    differences = [second[query] - first[query] for query in first]
    peer = stats.bootstrap(
        (differences,), lambda x, axis: x.mean(axis=axis), method="percentile", random_state=1
    )
    assert found.interval == pytest.approx(tuple(peer.confidence_interval), abs=0.02)
