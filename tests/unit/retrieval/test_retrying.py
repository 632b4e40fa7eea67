from __future__ import annotations

import sys

import pytest

from pytest_retrieval.retrieval.calling import BadRetriever
from pytest_retrieval.retrieval.manner import Manner
from pytest_retrieval.retrieval.retrying import LONGEST_WAIT, prepare_retries

tenacity = pytest.importorskip("tenacity")


class Flaky:
    """Fails with each error in turn, then answers; the result is the error or "answer"."""

    def __init__(self, *errors: Exception) -> None:
        self.errors = list(errors)
        self.calls = 0

    def __call__(self) -> object:
        self.calls += 1
        return self.errors.pop(0) if self.errors else "answer"


def error_in(result: object) -> BaseException | None:
    return result if isinstance(result, BaseException) else None


def tries(flaky: Flaky, manner: Manner) -> tuple[object, list[float]]:
    """The last result, and the waits before further tries."""
    waits: list[float] = []
    again = prepare_retries(manner, error_in, sleep=waits.append)
    assert again is not None
    return again(flaky), waits


def test_without_retries_there_is_nothing_to_prepare() -> None:
    assert prepare_retries(Manner(), error_in) is None


def test_a_declared_exception_is_tried_again_until_an_answer_comes() -> None:
    flaky = Flaky(ConnectionError("1"), TimeoutError("2"))
    assert tries(flaky, Manner(retries=5))[0] == "answer"
    assert flaky.calls == 3


def test_a_subclass_of_a_declared_exception_is_declared() -> None:
    assert tries(Flaky(ConnectionResetError()), Manner(retries=1))[0] == "answer"


def test_any_other_exception_is_the_result_at_once() -> None:
    flaky = Flaky(KeyError("x"), KeyError("y"))
    result, waits = tries(flaky, Manner(retries=5))
    assert isinstance(result, KeyError)
    assert (flaky.calls, waits) == (1, [])


def test_after_the_last_try_the_last_error_is_the_result() -> None:
    flaky = Flaky(*(ConnectionError(str(n)) for n in range(1, 10)))
    result, _ = tries(flaky, Manner(retries=2))
    assert str(result) == "3"
    assert flaky.calls == 3


def test_the_waits_double_from_the_first_up_to_a_minute_with_a_little_chance_added() -> None:
    flaky = Flaky(*(ConnectionError() for _ in range(9)))
    _, waits = tries(flaky, Manner(retries=9, retry_wait=2.0))
    assert len(waits) == 9
    for number, wait in enumerate(waits):
        least = min(2.0 * 2**number, LONGEST_WAIT)
        assert least <= wait <= least + 2.0


def test_a_wait_of_nothing_is_no_wait() -> None:
    _, waits = tries(Flaky(*(ConnectionError() for _ in range(3))), Manner(retries=3, retry_wait=0.0))
    assert waits == [0, 0, 0]


@pytest.mark.parametrize("name", ["json.JSONDecodeError", "json.decoder.JSONDecodeError"])
def test_exceptions_are_declared_by_their_dotted_names(name: str) -> None:
    import json

    flaky = Flaky(json.JSONDecodeError("bad", "", 0))
    assert tries(flaky, Manner(retries=1, retry_on=(name,)))[0] == "answer"


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("NoSuchError", "cannot be imported"),
        ("no_such_module.Error", "there is no module|No module named 'no_such_module'"),
        ("json.NoSuchError", "cannot be imported"),
        ("json.dumps", "is no exception"),
        ("int", "is no exception"),
        ("KeyboardInterrupt", "is no exception"),
        (".Error", "cannot be imported"),
    ],
)
def test_a_name_that_is_no_exception_is_refused(name: str, told: str) -> None:
    with pytest.raises(BadRetriever, match=told) as caught:
        prepare_retries(Manner(retries=1, retry_on=(name,)), error_in)
    assert repr(name) in str(caught.value)


def test_without_tenacity_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tenacity", None)
    with pytest.raises(BadRetriever, match=r'pip install "pytest-retrieval\[retries\]"'):
        prepare_retries(Manner(retries=1), error_in)
