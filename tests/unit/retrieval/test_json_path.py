import pytest

from pytest_retrieval.retrieval.json_path import PathError, parse_path

RESPONSE = {
    "hits": {"total": 2, "hits": [{"_id": "a", "_score": 2.5}, {"_id": "b", "_score": 1}]},
    "value": [{"@search.score": 0.5, "key": "c"}],
    "groups": [{"docs": [{"id": 1}, {"id": 2}]}, {"docs": [{"id": 3}]}],
    "records": [["d", 7], ["e", 6]],
    "metadata": [{"key": "url", "value": ["u"]}, {"key": "title", "value": ["t"]}],
    "nothing": None,
}


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("$.hits.hits[*]._id", ["a", "b"]),
        ("hits.hits", [{"_id": "a", "_score": 2.5}, {"_id": "b", "_score": 1}]),
        ("$['hits'][\"hits\"][*]['_score']", [2.5, 1]),
        ("$.value[*]['@search.score']", [0.5]),
        ("$.groups[*].docs[*].id", [1, 2, 3]),
        ("records[*][0]", ["d", "e"]),
        ("records[-1]", ["e", 6]),
        ("metadata[?(@.key=='title')].value[0]", ["t"]),
        ('metadata[?@.key == "url"].value[*]', ["u"]),
        ("metadata[?(@.key=='none')].value[0]", []),
        ("absent?", []),
        ("absent?.hits[*]", []),
        ("nothing.hits?[*]", []),
    ],
)
def test_a_path_finds_all_in_the_order_of_the_response(path, found):
    assert parse_path(path).all_in(RESPONSE) == found


def test_the_whole_response_may_be_the_list():
    assert parse_path("$").all_in([1, 2]) == [1, 2]
    assert parse_path("[*].a").all_in([{"a": 1}]) == [1]


@pytest.mark.parametrize(
    ("path", "value"), [("$", RESPONSE["hits"]["hits"][0]), ("_id", "a"), ("$._score", 2.5)]
)
def test_a_path_within_a_hit_finds_one_value(path, value):
    assert parse_path(path).one_in(RESPONSE["hits"]["hits"][0]) == value


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("hit[*]", "there is no 'hit' at $, which is an object with the keys 'hits', 'value', 'groups'"),
        ("hits.hit", "there is no 'hit' at $.hits, which is an object with the keys 'total', 'hits'"),
        ("hits.hits[*].id", "there is no 'id' at $.hits.hits[0], which is an object with the keys '_id'"),
        ("hits[*]", "$.hits is an object with the keys 'total', 'hits', expected a list for [*]"),
        ("hits", "hits is an object with the keys 'total', 'hits', expected a list"),
        ("value[3]", "there is no [3] at $.value, which is a list of 1"),
        ("nothing.hits[*]", "there is no 'hits' at $.nothing, which is null"),
        ("value.hits?", "there is no 'hits' at $.value, which is a list of 1"),
    ],
)
def test_what_is_missing_is_told_with_what_there_is(path, message):
    with pytest.raises(PathError) as caught:
        parse_path(path).all_in(RESPONSE)
    assert message in str(caught.value)


def test_a_message_holds_keys_and_no_values():
    with pytest.raises(PathError) as caught:
        parse_path("salary.hits").all_in({"salary": "secret"})
    assert str(caught.value) == "there is no 'hits' at $.salary, which is a text"


def test_an_id_must_be_one_value():
    with pytest.raises(PathError, match="leads to 2 values, expected one"):
        parse_path("[*]").one_in([1, 2])
    with pytest.raises(PathError, match="leads to 0 values, expected one"):
        parse_path("id?").one_in({})


@pytest.mark.parametrize("path", ["a..b", "a[b]", "a[", "a b", "$.$", "a[?(@.b>1)]", "a['b"])
def test_what_is_no_path_is_refused_with_what_is(path):
    with pytest.raises(ValueError, match=r"is no path, at .*: expected names after dots"):
        parse_path(path)
