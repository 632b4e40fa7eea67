from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from pytest_retrieval.golden.errors import GoldenError
from pytest_retrieval.golden.model import Query
from pytest_retrieval.golden.reader import load_golden
from pytest_retrieval.golden.splitting import hashed_split, with_splits

IDS = [f"q{number:03}" for number in range(1000)]


def share(query_id: str) -> float:
    """Where an id lies between 0 and 1, by the hexadecimal form of the hash."""
    return int(hashlib.sha256(query_id.encode()).hexdigest()[:16], 16) / 16**16


@pytest.mark.parametrize("test_share", [0.1, 0.3, 0.5])
def test_the_split_is_that_of_the_hash_of_the_id(test_share: float) -> None:
    found = [hashed_split(one, test_share) for one in IDS]
    assert found == ["test" if share(one) < test_share else "dev" for one in IDS]
    # four standard deviations of a binomial count
    assert abs(found.count("test") - 1000 * test_share) < 4 * (1000 * test_share * (1 - test_share)) ** 0.5


def test_known_ids_stay_where_they_are() -> None:
    # SHA-256 of the empty text begins with e3b0, of "abc" with ba78, of "a" with ca97, of "hello" with 2cf2
    assert [hashed_split(one, 0.5) for one in ("abc", "a", "hello")] == ["dev", "dev", "test"]
    assert hashed_split("hello", 0.17) == "dev"  # 0x2cf2 / 0x10000 is 0.1756
    assert hashed_split("hello", 0.18) == "test"


def test_a_larger_share_keeps_what_was_in_the_test() -> None:
    small = {one for one in IDS if hashed_split(one, 0.2) == "test"}
    assert small < {one for one in IDS if hashed_split(one, 0.4) == "test"}


def test_a_split_of_its_own_stays() -> None:
    queries = [Query("hello", "t"), Query("abc", "t", split="test"), Query("a", "t", split="other")]
    assert [query.split for query in with_splits(queries, 0.5)] == ["test", "test", "other"]
    assert [query.split for query in with_splits(queries, None)] == [None, "test", "other"]


def test_the_header_says_the_share(tmp_path: Path) -> None:
    file = tmp_path / "golden.yaml"
    rows = "".join(f"  - {{id: {one}, text: t, relevant: [D1]}}\n" for one in ("hello", "abc"))
    file.write_text(f"split: {{test: 0.5}}\nqueries:\n{rows}", "utf-8")
    assert [query.split for query in load_golden(file).queries] == ["test", "dev"]


@pytest.mark.parametrize(
    ("split", "message"),
    [
        ("{test: 0}", "split must be {test: X} with X between 0 and 1"),
        ("{test: 1}", "split must be {test: X} with X between 0 and 1"),
        ("{}", "split must be {test: X} with X between 0 and 1"),
        ("{test: 30}", "split: test must be a number from 0 to 1"),
        ("{dev: 0.3}", "unknown key 'dev' in split"),
        ("test", "split must be a mapping"),
    ],
)
def test_a_share_that_is_none_is_refused(split: str, message: str, tmp_path: Path) -> None:
    file = tmp_path / "golden.yaml"
    file.write_text(f"split: {split}\nqueries:\n  - {{id: q1, text: t, relevant: [D1]}}\n", "utf-8")
    with pytest.raises(GoldenError) as caught:
        load_golden(file)
    assert caught.value.line == 1
    assert message in caught.value.message
