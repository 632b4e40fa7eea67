import pytest

from pytest_retrieval.retrieval.calling import BadRetriever
from pytest_retrieval.retrieval.templates import fill_json, fill_text, fill_url, names_in, variables_in

HARD = 'a & b? c=d #e "f" [g] {k} ${HOME} /h %20 \u00fc\\'


@pytest.fixture(autouse=True)
def environment(monkeypatch):
    monkeypatch.setenv("BASE", "https://host.example:8443/v1")
    monkeypatch.setenv("KEY", " s&cret\n")
    monkeypatch.delenv("UNSET", raising=False)


def test_a_question_is_quoted_in_an_address():
    assert fill_url("https://h/s?q={text}&n={k}", {"text": HARD, "k": 5}) == (
        "https://h/s?q=a%20%26%20b%3F%20c%3Dd%20%23e%20%22f%22%20%5Bg%5D%20%7Bk%7D%20%24%7BHOME%7D%20"
        "%2Fh%20%2520%20%C3%BC%5C&n=5"
    )


def test_a_value_in_the_path_adds_no_segment_and_no_parameter():
    assert fill_url("https://h/{text}/x", {"text": "a/b?c#d"}) == "https://h/a%2Fb%3Fc%23d/x"


def test_a_variable_is_an_address_in_front_and_a_value_behind_the_question_mark():
    assert fill_url("${BASE}/s?k=${KEY}&q={text}", {"text": "a"}) == (
        "https://host.example:8443/v1/s?k=s%26cret&q=a"
    )


def test_a_body_keeps_the_types_of_its_values():
    template = {"q": "{text}", "n": "{k}", "all": ["{user}", 1, None, True], "note": "the {k} best of {text}"}
    assert fill_json(template, {"text": HARD, "k": 5, "user": {"id": 7}}) == {
        "q": HARD,
        "n": 5,
        "all": [{"id": 7}, 1, None, True],
        "note": f"the 5 best of {HARD}",
    }


def test_braces_that_are_no_places_stay():
    graphql = "query($text: String!) { Get { Page(bm25: {query: $text}) { title _additional { id } } } }"
    assert fill_json({"query": graphql, "a": "{{text}}"}, {"text": "x"}) == {"query": graphql, "a": "{text}"}


def test_what_is_filled_in_is_not_filled_again():
    assert fill_text("{text} {k}", {"text": "{k} ${KEY} {{k}}", "k": 3}) == "{k} ${KEY} {{k}} 3"


def test_values_that_are_no_text_are_written_as_json():
    assert (
        fill_text("{a} {b} {c}", {"a": True, "b": None, "c": ["\u00fc", 1.5]}) == 'true null ["\u00fc", 1.5]'
    )


def test_names_and_variables_are_found_everywhere():
    template = ["{text}", {"a": [{"b": "${KEY} {user}"}]}, 5]
    assert names_in(template) == {"text", "user"}
    assert variables_in(template) == {"KEY"}


def test_a_place_without_a_value_is_told():
    with pytest.raises(BadRetriever, match=r"a place \{user\} and the query no param of that name"):
        fill_text("{user}", {"text": "x"})


@pytest.mark.parametrize("name", ["UNSET", "EMPTY"])
def test_a_variable_that_is_not_set_is_told_by_name(monkeypatch, name):
    monkeypatch.setenv("EMPTY", " ")
    with pytest.raises(BadRetriever, match=f"the environment variable {name} is not set"):
        fill_text(f"${{{name}}}", {})
