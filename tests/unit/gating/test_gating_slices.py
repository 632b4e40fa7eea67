from __future__ import annotations

from collections.abc import Iterable

import pytest

from pytest_retrieval.gating.pairing import Departed, Paired
from pytest_retrieval.gating.policy import Policy
from pytest_retrieval.gating.slices import Slice, cut
from pytest_retrieval.golden.model import Query


def _queries(kind: str, n: int, **fields: object) -> tuple[Query, ...]:
    return tuple(Query(f"{kind}{i:02}", "text", {"d": 1}, kind, **fields) for i in range(n))


def _cut(
    queries: Iterable[Query],
    *,
    absent: Iterable[str] = (),
    changed: Iterable[str] = (),
    removed: Iterable[Departed] = (),
    slices: tuple[str, ...] = (),
) -> dict[str, Slice]:
    population = tuple(queries)
    held = {query.id: 1.0 for query in population if query.id not in {*absent, *changed}}
    paired = Paired(
        population,
        {"mrr": held},
        {"mrr": dict.fromkeys((query.id for query in population), 1.0)},
        changed=tuple(changed),
        removed=tuple(removed),
    )
    return {str(dict(one.label)): one for one in cut(paired, Policy(("mrr",), {"mrr": 0.0}, slices=slices))}


def test_slices_are_all_then_kinds_by_name_then_the_small_ones_together():
    found = _cut((*_queries("z", 4), *_queries("b", 12), *_queries("a", 3)))
    assert list(found) == ["{}", "{'kind': 'a'}", "{'kind': 'b'}", "{'kind': 'z'}", "{'kinds': ['a', 'z']}"]
    assert [one.small for one in found.values()] == [False, True, False, True, False]
    assert found["{'kinds': ['a', 'z']}"].queries == ("a00", "a01", "a02", "z00", "z01", "z02", "z03")


def test_a_single_kind_is_the_same_as_all():
    assert list(_cut(_queries("only", 12))) == ["{}"]


def test_one_small_kind_has_nothing_to_be_together_with():
    assert list(_cut((*_queries("a", 12), *_queries("b", 3)))) == ["{}", "{'kind': 'a'}", "{'kind': 'b'}"]


def test_a_kind_is_small_by_the_queries_that_can_be_compared():
    found = _cut((*_queries("a", 12), *_queries("b", 12)), absent=[f"b{i:02}" for i in range(3)])
    assert found["{'kind': 'b'}"].small
    assert len(found["{'kind': 'b'}"].comparable) == 9


def test_a_kind_without_any_query_in_the_baseline_is_not_small_but_unknown():
    found = _cut((*_queries("a", 12), *_queries("b", 12)), absent=[f"b{i:02}" for i in range(12)])
    assert not found["{'kind': 'b'}"].small
    assert found["{'kind': 'b'}"].comparable == ()


def test_a_large_kind_of_a_stale_baseline_does_not_become_small():
    found = _cut((*_queries("a", 12), *_queries("b", 12)), changed=[f"b{i:02}" for i in range(5)])
    assert found["{'kind': 'b'}"].stale
    assert not found["{'kind': 'b'}"].small


@pytest.mark.parametrize(("lost", "stale"), [(2, False), (3, True)])
def test_a_slice_is_stale_when_more_than_a_tenth_of_its_baseline_is_lost(lost: int, stale: bool):
    removed = [Departed(f"gone{i}", "a") for i in range(lost)]
    found = _cut(_queries("a", 20), removed=removed)
    assert found["{}"].stale == stale
    assert found["{}"].lost == tuple(f"gone{i}" for i in range(lost))


def test_a_large_kind_that_vanished_is_shown_and_a_small_one_is_not():
    removed = [Departed(f"g{i:02}", "gone") for i in range(10)] + [Departed("f", "few")]
    found = _cut(_queries("a", 200), removed=removed)
    assert list(found) == ["{}", "{'kind': 'a'}", "{'kind': 'gone'}"]
    assert found["{'kind': 'gone'}"].stale
    assert not found["{'kind': 'gone'}"].small


def test_fields_are_sliced_by_value_where_a_query_has_one():
    queries = (
        *_queries("a", 12, split="test", tags=("x", "y"), metadata={"year": 2024}),
        *_queries("b", 3, split="dev", tags=("y",)),
    )
    removed = [Departed("gone", "a", {"split": ("dev",)})]
    found = _cut(queries, removed=removed, slices=("split", "tags", "year"))
    fields = list(found)[3:]
    assert fields == [
        "{'split': 'dev'}",
        "{'split': 'test'}",
        "{'tags': 'x'}",
        "{'tags': 'y'}",
        "{'year': '2024'}",
    ]
    assert [found[name].small for name in fields] == [True, False, False, False, False]
    assert found["{'split': 'dev'}"].lost == ("gone",)
    assert len(found["{'tags': 'y'}"].queries) == 15
