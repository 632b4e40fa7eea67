import functools
import re
from types import SimpleNamespace
from unittest.mock import MagicMock

import pytest

from pytest_retrieval.golden.model import Query
from pytest_retrieval.retrieval.calling import BadRetriever, answer, prepare
from pytest_retrieval.retrieval.protocol import BadAnswer

DEPTH = 20


def ask(retriever, **params):
    """What the retriever was called with: every retriever here returns its arguments as one id."""
    query = Query(id="q1", text="where", params=params)
    return answer(prepare(retriever), query, DEPTH, None).documents[0]


def seen(*args, **named):
    return [" ".join([*map(str, args), *(f"{name}={value}" for name, value in named.items())])]


class Index:
    def search(self, text, k):
        return seen(text, k)


class Callable:
    def __call__(self, text, limit=5):
        return seen(text, limit)

    def search(self, text):
        raise AssertionError("a callable is called, not searched")


class Slots:
    def search(self, text, *, top_k=5):
        return seen(text, top_k=top_k)


@pytest.mark.parametrize(
    ("retriever", "called"),
    [
        (lambda text: seen(text), "where"),
        (lambda text, k: seen(text, k), "where 20"),
        (lambda text, anything: seen(text, anything), "where 20"),
        (lambda text, k=10: seen(text, k), "where 20"),
        (lambda text, topK=10: seen(text, topK), "where 20"),  # noqa: N803
        (lambda text, lang="en": seen(text, lang), "where en"),
        (lambda text, lang="en", k=10: seen(text, lang, k), "where en 20"),
        (lambda text, k, lang="en": seen(text, k, lang), "where 20 en"),
        (lambda text, k, size=512: seen(text, k, size), "where 20 512"),
        (lambda text, /, k: seen(text, k), "where 20"),
        (lambda text, k, /: seen(text, k), "where 20"),
        (lambda text, lang="en", k=10, /: seen(text, lang, k), "where en 10"),
        (lambda text, *, k: seen(text, k=k), "where k=20"),
        (lambda text, *, num_results=3: seen(text, num_results=num_results), "where num_results=20"),
        (lambda text, *, lang="en": seen(text, lang), "where en"),
        (lambda text, **named: seen(text, **named), "where"),
        (lambda text, k, **named: seen(text, k, **named), "where 20"),
        (lambda *args: seen(*args), "where 20"),
        (lambda *args, **named: seen(*args, **named), "where 20"),
        (lambda text, *args: seen(text, *args), "where 20"),
        (lambda text, *args, k=1: seen(text, *args, k=k), "where k=20"),
        (lambda text, lang="en", *args: seen(text, lang, *args), "where en"),
        (functools.partial(lambda text, k, lang: seen(text, k, lang), lang="de"), "where 20 de"),
        (functools.partial(lambda text, k: seen(text, k), k=3), "where 20"),
        (Index().search, "where 20"),
        (Index(), "where 20"),
        (Callable(), "where 20"),
        (Slots(), "where top_k=20"),
        (SimpleNamespace(search=lambda text: seen(text)), "where"),
    ],
)
def test_a_retriever_is_called_with_what_its_signature_takes(retriever, called):
    assert ask(retriever) == called


@pytest.mark.parametrize(
    "name",
    [
        *("k", "top_k", "topk", "limit", "n", "size", "depth", "top_n"),
        *("n_results", "num_results", "max_results", "count"),
    ],
)
def test_each_count_name_takes_the_depth_though_it_has_a_default(name):
    namespace = {"seen": seen}
    exec(f"def search(text, {name}=3): return seen(text, {name})", namespace)
    assert ask(namespace["search"]) == "where 20"


@pytest.mark.parametrize(
    ("retriever", "called"),
    [
        (lambda text, k, user: seen(text, k, user), "where 20 clerk"),
        (lambda text, user, k: seen(text, user, k), "where clerk 20"),
        (lambda text, user, k=10: seen(text, user, k), "where clerk 20"),
        (lambda text, user: seen(text, user), "where clerk"),
        (lambda text, *, user: seen(text, user), "where clerk"),
        (lambda text, k, **named: seen(text, k, **named), "where 20 user=clerk"),
        (lambda text, **named: seen(text, **named), "where user=clerk"),
        (lambda *args, **named: seen(*args, **named), "where 20 user=clerk"),
    ],
)
def test_params_of_the_query_are_keyword_arguments(retriever, called):
    assert ask(retriever, user="clerk") == called


def test_annotations_that_exist_for_type_checkers_only_do_no_harm():
    def search(text: "Undefined", k: "also.undefined" = 3):  # noqa: F821
        return seen(text, k)

    assert ask(search) == "where 20"


class NoSignature:
    @property
    def __signature__(self):
        return "no signature"

    def __call__(self, *args, **named):
        return seen(*args, **named)


def test_without_an_inspectable_signature_text_and_count_are_passed():
    assert ask(NoSignature(), user="clerk") == "where 20 user=clerk"


def test_a_mock_is_called_like_a_function():
    mock = MagicMock(return_value=["a"])
    assert ask(mock) == "a"
    mock.assert_called_once_with("where", 20)


def test_a_positional_only_first_parameter_leaves_its_name_to_the_params():
    def search(text, /, k, **named):
        return seen(text, k, **named)

    assert ask(search, text="other") == "where 20 text=other"


class ByQuery:
    def answer_query(self, query, depth):
        return [query.id, str(depth)]

    def __call__(self, text):
        raise AssertionError("asked by query, not by text")


def test_a_retriever_that_answers_queries_gets_the_query_and_the_depth():
    query = Query(id="q7", text="where", params={"user": "clerk"})
    assert answer(prepare(ByQuery()), query, 3, None).documents == ("q7", "3")


def test_the_signature_is_inspected_once_and_the_retriever_is_asked_once_per_query():
    calls = []

    def search(text, k):
        calls.append((text, k))
        return []

    asker = prepare(search)
    assert calls == []
    for text in ("one", "two"):
        answer(asker, Query(id=text, text=text), 5, None)
    assert calls == [("one", 5), ("two", 5)]


def test_hits_are_cut_at_the_depth_and_become_documents():
    def search(text):
        return [("d1#0", 0.1), ("d1#1", 0.2), ("d3#0", 0.3), ("d2#4", 0.4)]

    ranking = answer(prepare(search), Query(id="q", text="t"), 3, re.compile("^(.*)#"))
    assert ranking.documents == ("d1", "d3")


def test_a_bad_answer_is_told_as_one():
    with pytest.raises(BadAnswer, match="returned None"):
        ask(lambda text: None)


def test_what_the_retriever_raises_passes_through_untouched():
    error = TypeError("search() missing 1 required positional argument: 'k'")

    def search(text, k):
        raise error

    with pytest.raises(TypeError) as raised:
        ask(search)
    assert raised.value is error


@pytest.mark.parametrize(
    ("retriever", "words"),
    [
        (None, "the retriever is None"),
        ("bm25", "the retriever is the string 'bm25'"),
        (["a"], "an object of type list"),
        (3, "an object of type int"),
        (Index, "the class Index itself; build an instance of it"),
        (ByQuery, "the class ByQuery itself"),
        (SimpleNamespace(invoke=print), "Its method invoke may be meant"),
        (SimpleNamespace(search="not a method"), "an object of type SimpleNamespace, which cannot be asked"),
        (lambda: ["a"], "<lambda>() takes no query text"),
        (lambda **named: [], "<lambda>(**named) takes no query text"),
        (lambda *, text: [], "takes no query text"),
    ],
)
def test_what_cannot_be_asked_is_refused_with_what_it_is(retriever, words):
    with pytest.raises(BadRetriever) as refused:
        prepare(retriever)
    assert words in str(refused.value)


def test_a_coroutine_in_place_of_a_retriever_is_refused_without_a_warning(recwarn):
    async def build():
        return None

    with pytest.raises(BadRetriever, match="an object of type coroutine"):
        prepare(build())
    assert not recwarn.list


def needs_user(text, k, user):
    return seen(text, k, user)


def plain(text, k=10, lang="en"):
    return seen(text, k, lang)


def positional_only(text, k, user, /):
    return seen(text, k, user)


@pytest.mark.parametrize(
    ("retriever", "params", "words"),
    [
        (needs_user, {}, "needs_user(text, k, user) needs user as well; a retriever takes (text), (text, k)"),
        (
            plain,
            {"user": 1},
            "query 'q1' has the param 'user', which the retriever does not take: plain(text, k=10",
        ),
        (plain, {"k": 3}, "query 'q1' sets the param 'k', which is the number of results"),
        (plain, {"text": "x"}, "sets the param 'text', which is its text"),
        (positional_only, {"user": 1}, "has the param 'user', which the retriever does not take"),
        (Index(), {"user": 1}, "Index.search(text, k)"),
    ],
)
def test_params_that_do_not_fit_the_signature_are_told_with_query_and_signature(retriever, params, words):
    with pytest.raises(BadRetriever) as refused:
        ask(retriever, **params)
    assert words in str(refused.value)
