import asyncio
import itertools
import math
from collections import Counter, OrderedDict, UserDict, namedtuple
from dataclasses import dataclass, field
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from types import MappingProxyType, SimpleNamespace

import numpy as np
import pytest

from pytest_retrieval.retrieval.protocol import BadAnswer, read_answer, read_hits
from pytest_retrieval.retrieval.ranking import Hit

Point = namedtuple("Point", ["score", "id"])


@dataclass
class Passage:
    docid: str
    score: float


@dataclass
class LangChainLike:
    page_content: str
    metadata: dict = field(default_factory=dict)
    id: str | None = None


class PydanticLike:
    """Iterates its fields as (name, value), as pydantic models do."""

    model_fields = MappingProxyType({"id": None, "score": None})

    def __init__(self, id_, score):
        self.id, self.score = id_, score

    def __iter__(self):
        yield from vars(self).items()


class OldSequence:
    def __getitem__(self, place):
        return ["a", "b"][place]


class Colour(str, Enum):
    RED = "red"


def ids(result, depth=10):
    return [hit.id for hit in read_hits(result, depth)]


@pytest.mark.parametrize(
    "result",
    [
        ["a", "b", "c"],
        ("a", "b", "c"),
        (letter for letter in "abc"),
        map(str, "abc"),
        np.array(["a", "b", "c"]),
        np.array(["a", "b", "c"], dtype=object),
        {"a": 3, "b": 2, "c": 1}.keys(),
        {3: "a", 2: "b", 1: "c"}.values(),
        [("a", 0.9), ("b", 0.5), ("c", 0.1)],
        [("a", 0.1), ("b", 0.5), ("c", 0.9)],
        [["a", 0.9], ["b", 0.5], ["c", 0.1]],
        [("a", None), ("b", None), ("c", None)],
        [("a", Decimal("0.9")), ("b", Fraction(1, 2)), ("c", np.float32(0.1))],
        zip("abc", np.array([0.9, 0.5, 0.1]), strict=True),
        {"a": 0.9, "b": 0.5, "c": 0.1}.items(),
        [("a", 1), "b", {"id": "c"}],
        {"a": 0.9, "c": 0.1, "b": 0.5},
        {"c": 1.0, "b": 1.0, "a": 1.0},
        MappingProxyType({"b": 2, "a": 3, "c": 1}),
        UserDict({"b": 2, "a": 3, "c": 1}),
        Counter("aaabbc"),
        [{"id": "a"}, {"_id": "b"}, {"doc_id": "c"}],
        [{"document_id": "a"}, {"docid": "b"}, {"chunk_id": "c"}],
        [{"_index": "x", "_id": id_, "_score": 1.5, "_source": {"id": "no"}} for id_ in "abc"],
        [OrderedDict(id=id_) for id_ in "abc"],
        [Point(score=0.5, id=id_) for id_ in "abc"],
        [Passage(id_, 0.5) for id_ in "abc"],
        [PydanticLike(id_, 0.5) for id_ in "abc"],
        [SimpleNamespace(id="a"), SimpleNamespace(document_id="b"), SimpleNamespace(node_id="c")],
        [SimpleNamespace(doc_id="a"), SimpleNamespace(chunk_id="b"), SimpleNamespace(_id="c")],
        [
            LangChainLike("text", {"id": "a"}),
            LangChainLike("text", {"doc_id": "b"}),
            LangChainLike("t", id="c"),
        ],
        [(LangChainLike("text", {"id": id_}), 0.5) for id_ in "abc"],
        [({"id": id_}, 0.5) for id_ in "abc"],
    ],
)
def test_every_documented_shape_is_read_in_the_order_of_the_ranking(result):
    assert ids(result) == ["a", "b", "c"]


def test_the_old_sequence_protocol_is_read_too():
    assert ids(OldSequence()) == ["a", "b"]


@pytest.mark.parametrize("empty", [[], (), {}, iter([]), np.array([])])
def test_an_empty_answer_is_an_answer(empty):
    assert read_hits(empty, 10) == ()


@pytest.mark.parametrize(
    ("result", "text"),
    [
        ([7], "7"),
        ([-1], "-1"),
        ([2**70], "1180591620717411303424"),
        ([np.int64(7)], "7"),
        (np.array([7], dtype=np.uint8), "7"),
        ([np.array(7)], "7"),
        ([(7, 0.5)], "7"),
        ([{"id": 7}], "7"),
        ({7: 0.5}, "7"),
        (["007"], "007"),
        (["1e5"], "1e5"),
        ([" a "], " a "),
        ([np.str_("x")], "x"),
        ([Colour.RED], "red"),
        (["re\u0301sume\u0301.md"], "r\u00e9sum\u00e9.md"),
        (["x\u00b2.md"], "x\u00b2.md"),
        (["README.md"], "README.md"),
    ],
)
def test_an_id_becomes_plain_text_as_written_under_nfc(result, text):
    assert ids(result) == [text]
    assert type(ids(result)[0]) is str


@pytest.mark.parametrize(
    ("result", "score"),
    [
        (["a"], None),
        ([("a", 2)], 2.0),
        ([("a", np.float32(0.5))], 0.5),
        ([("a", Decimal("0.25"))], 0.25),
        ([("a", math.inf)], math.inf),
        ([{"id": "a", "score": 2}], 2.0),
        ([{"id": "a", "_score": None, "similarity": 0.5}], 0.5),
        ([{"id": "a", "score": {"bm25": 1.0}}], None),
        ([Point(score=0.5, id="a")], 0.5),
        ([Passage("a", 0.5)], 0.5),
        ([(Passage("a", 0.5), 0.75)], 0.75),
        ({"a": 0}, 0.0),
    ],
)
def test_a_score_is_kept_where_there_is_a_number(result, score):
    assert read_hits(result, 10) == (Hit("a", score),)


def test_the_first_of_several_id_names_that_is_not_none_counts():
    assert ids([{"doc_id": "second", "id": "first"}, {"id": None, "chunk_id": "only"}]) == ["first", "only"]


def test_only_as_many_results_as_asked_for_are_taken_from_an_endless_generator():
    numbers = itertools.count(1)
    assert ids(numbers, depth=3) == ["1", "2", "3"]
    assert next(numbers) == 4


def test_what_lies_beyond_the_depth_is_not_looked_at():
    assert ids(["a", "b", None], depth=2) == ["a", "b"]


def test_a_mapping_is_sorted_whole_before_it_is_cut():
    assert ids({"low": 0.1, "high": 0.9, "also": 0.9, "nine": 9, "ten": 10}, depth=3) == [
        "ten",
        "nine",
        "also",
    ]


def test_equal_scores_of_a_mapping_are_ordered_by_the_text_of_the_id():
    assert ids({9: 1, 10: 1, "b": 1}) == ["10", "9", "b"]


@pytest.mark.parametrize("depth", [1, 3, 4, 9])
def test_a_list_of_ids_is_cut_and_never_reordered(depth):
    answer = ["c", "a", "c", "b"]
    assert ids(answer, depth) == answer[:depth]


@pytest.mark.parametrize(
    ("result", "words"),
    [
        (None, "returned None; expected a list of ids, (id, score) pairs"),
        ("abc", "a bare string ('abc')"),
        (b"abc", "returned bytes"),
        (bytearray(b"abc"), "returned bytearray"),
        ({"a", "b"}, "a set, which has no order"),
        (frozenset("ab"), "a frozenset, which has no order"),
        (3, "type int, which is no list"),
        (object(), "type object, which is no list"),
        (np.array("a"), "type ndarray, which is no list"),
        ({"id": "a", "score": 2}, "a single mapping with an id"),
        ({"id": 7, "score": 2}, "a single mapping with an id"),
        ({"id": 7}, "a single mapping with an id"),
        (Point(0.5, "a"), "a single Point"),
        (PydanticLike(7, 2), "a single PydanticLike"),
        ({"hits": ["a"]}, "a mapping with a value of type list as the score of 'hits'"),
        ({"results": [{"id": "a"}]}, "as the score of 'results'"),
        ({"documents": ["a"]}, "as the score of 'documents'"),
        ({"ids": [["a"]]}, "as the score of 'ids'"),
        ({"a": None}, "a mapping with None as the score of 'a'"),
        ({"a": True}, "type bool (True) as the score of 'a'"),
        ({"a": "0.5"}, "type str ('0.5') as the score of 'a'"),
        ({"a": 0.5, "b": math.nan}, "a score that is NaN in the key 'b'"),
        ({"": 0.5}, "an empty id in the key ''"),
        ({1.5: 0.5}, "type float (1.5) as an id in the key 1.5"),
    ],
)
def test_a_whole_answer_of_another_shape_is_refused_with_what_it_is(result, words):
    with pytest.raises(BadAnswer) as refused:
        read_hits(result, 10)
    assert words in str(refused.value)
    assert "expected" in str(refused.value)


@pytest.mark.parametrize(
    ("element", "words"),
    [
        (None, "None as an id at place 2; expected text or a whole number"),
        (1.5, "type float (1.5) as an id at place 2"),
        (np.float64(2.0), "type float (2.0) as an id at place 2"),
        (True, "type bool (True) as an id at place 2"),
        (np.True_, "type bool (True) as an id at place 2"),
        (b"b", "type bytes (b'b') as an id at place 2"),
        ("", "an empty id at place 2"),
        ("\ud800", "lone surrogate"),
        (("b", math.nan), "a score that is NaN at place 2"),
        (("b", np.float64("nan")), "a score that is NaN at place 2"),
        ({"id": "b", "score": math.nan}, "a score that is NaN at place 2"),
        (Passage("b", math.nan), "a score that is NaN at place 2"),
        ((None, 0.5), "None as an id at place 2"),
        ((0.5, 3), "type float (0.5) as an id at place 2"),
        (("b", "text"), "a tuple whose second part is a value of type str ('text') at place 2"),
        (("b", True), "whose second part is a value of type bool (True) at place 2"),
        (("b", 0.5, "text"), "a tuple of 3 at place 2"),
        ([], "a list of 0 at place 2"),
        ((("b", 1), 0.5), "a tuple whose first part is a tuple at place 2"),
        ({"b"}, "an object of type set without an id at place 2"),
        ({"text": "b"}, "a mapping without an id at place 2 (its keys: 'text')"),
        ({"id": None}, "a mapping without an id at place 2 (its keys: 'id')"),
        ({"id": 1.5}, "type float (1.5) as an id at place 2"),
        (SimpleNamespace(text="b"), "an object of type SimpleNamespace without an id at place 2"),
        (SimpleNamespace(id=len), "type builtin_function_or_method as an id at place 2"),
        (np.array([1, 2]), "an object of type ndarray without an id at place 2"),
    ],
)
def test_an_element_that_is_no_hit_is_refused_with_its_type_and_place(element, words):
    with pytest.raises(BadAnswer) as refused:
        read_hits(["a", element, "c"], 10)
    assert words in str(refused.value)
    assert "expected" in str(refused.value)


def test_a_data_frame_is_refused_as_it_would_yield_its_column_names():
    data_frame = type("DataFrame", (), {"__iter__": lambda self: iter(["id", "score"])})
    with pytest.raises(
        BadAnswer, match=r"a DataFrame, whose elements are its column names; expected a list of ids"
    ):
        read_hits(data_frame(), 10)


async def search(text, k):
    return ["a"]


async def stream(text, k):
    yield "a"


def test_a_coroutine_is_refused_with_the_way_out_and_leaves_no_warning(recwarn):
    with pytest.raises(
        BadAnswer, match="a coroutine; async retrievers are not supported by this call; wrap it"
    ):
        read_hits(search("text", 5), 10)
    assert not recwarn.list


def test_an_async_generator_and_a_future_are_refused_the_same_way():
    loop = asyncio.new_event_loop()
    future = loop.create_future()
    loop.close()
    for result in (stream("text", 5), future):
        with pytest.raises(BadAnswer, match="async retrievers are not supported"):
            read_hits(result, 10)


def test_an_exception_of_the_retrievers_own_generator_passes_through():
    def broken():
        yield "a"
        raise TimeoutError("index is down")

    with pytest.raises(TimeoutError, match="index is down"):
        read_hits(broken(), 10)


def test_a_long_value_is_shortened_in_the_message():
    with pytest.raises(BadAnswer) as refused:
        read_hits("x" * 1000, 10)
    assert "x" * 50 in str(refused.value)
    assert "x" * 60 not in str(refused.value)


class Priced(list):
    cost = 0.5


COSTLY = SimpleNamespace(results=["D1", "D2"], cost=3)


@pytest.mark.parametrize(
    ("answer", "ids", "cost"),
    [
        (["D1"], ("D1",), None),
        ({"hits": ["D1", "D2"], "cost": 0.25}, ("D1", "D2"), 0.25),
        ({"results": {"D1": 1.0, "D2": 2.0}, "cost": 1, "took": 7}, ("D2", "D1"), 1),
        ({"hits": [], "cost": None}, (), None),
        ({"hits": iter(["D1"]), "cost": Decimal("0.1")}, ("D1",), 0.1),
        (Priced(["D1"]), ("D1",), 0.5),
        (COSTLY, ("D1", "D2"), 3),
        # documents of these names in a mapping id -> score
        ({"hits": 0.5, "cost": 2.0}, ("cost", "hits"), None),
        ({"cost": 0.5, "D1": 0.7}, ("D1", "cost"), None),
    ],
)
def test_the_cost_of_an_answer_is_taken_apart_from_its_hits(answer, ids, cost):
    read = read_answer(answer, 20)
    assert (tuple(hit.id for hit in read.hits), read.cost, read.cited) == (ids, cost, None)


@pytest.mark.parametrize("cost", ["free", -1, float("nan"), float("inf"), True, [1]])
def test_a_cost_that_is_no_amount_is_refused(cost):
    with pytest.raises(BadAnswer, match="as the cost of an answer; expected a number of at least 0, or None"):
        read_answer({"hits": ["D1"], "cost": cost}, 20)


def test_a_wrapped_list_without_a_cost_is_still_not_guessed_at():
    with pytest.raises(BadAnswer):
        read_answer({"hits": ["D1"]}, 20)


class Cited(list):
    cited = ("D2",)


@pytest.mark.parametrize(
    ("answer", "ids", "cited"),
    [
        ({"hits": ["D1", "D2"], "cited": ["D2", 7, "D2"]}, ("D1", "D2"), ("D2", "7")),
        ({"results": ["D1"], "cited": []}, ("D1",), ()),
        ({"results": ["D1"], "cited": None}, ("D1",), None),
        ({"hits": ["D1"], "cost": 1, "cited": {"D1"}}, ("D1",), ("D1",)),
        (Cited(["D1"]), ("D1",), ("D2",)),
        (SimpleNamespace(hits=["D1"], cited=["D1"]), ("D1",), ("D1",)),
        # a document of this name in a mapping id -> score
        ({"cited": 0.5, "D1": 0.7}, ("D1", "cited"), None),
    ],
)
def test_what_an_answer_cites_is_taken_apart_from_its_hits(answer, ids, cited):
    read = read_answer(answer, 20)
    assert (tuple(hit.id for hit in read.hits), read.cited) == (ids, cited)


@pytest.mark.parametrize("cited", ["D1", 3, {"D1": 1}, b"D1"])
def test_cited_ids_that_are_no_list_are_refused(cited):
    with pytest.raises(BadAnswer, match="as the cited ids of an answer; expected a list or a set of ids"):
        read_answer({"hits": ["D1"], "cited": cited}, 20)


def test_a_cited_id_that_is_none_is_refused():
    with pytest.raises(BadAnswer, match="as an id among the cited ids"):
        read_answer({"hits": ["D1"], "cited": [None]}, 20)
