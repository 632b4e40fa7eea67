import pytest

from pytest_retrieval.golden.errors import GoldenError
from pytest_retrieval.golden.fields import ALIASES, has_role, is_one_edit, near_name, sort_fields
from pytest_retrieval.golden.jsonl_reader import parse_jsonl
from pytest_retrieval.golden.nodes import MappingNode


def row(text: str) -> MappingNode:
    (only,) = parse_jsonl("g.jsonl", text)
    return only


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("text", "txt"),
        ("text", "texts"),
        ("text", "etxt"),
        ("text", "tetx"),
        ("text", "next"),
        ("id", "di"),
        ("id", "i"),
        ("tags", "tag"),
        ("ab", "ba"),
    ],
)
def test_one_edit_is_one_edit_in_both_directions(a: str, b: str) -> None:
    assert is_one_edit(a, b)
    assert is_one_edit(b, a)


@pytest.mark.parametrize(
    ("a", "b"),
    [("text", "text"), ("text", "ttxe"), ("text", "te"), ("kind", "mine"), ("abcd", "badc"), ("", "ab")],
)
def test_none_and_two_edits_are_not(a: str, b: str) -> None:
    assert not is_one_edit(a, b)
    assert not is_one_edit(b, a)


def test_upper_and_lower_case_do_not_hide_a_misspelling() -> None:
    assert near_name("TEXT", ["text"]) == "text"
    assert near_name("Tag", ["tags"]) == "tags"
    assert near_name("process", ["text"]) is None


@pytest.mark.parametrize(
    ("role", "name"), [(role, name) for role, names in ALIASES.items() for name in names]
)
def test_every_alias_has_its_role(role: str, name: str) -> None:
    roles, metadata = sort_fields("g.jsonl", row(f'{{"{name}": 1}}'))
    assert list(roles) == [role]
    assert metadata == []


def test_a_name_far_from_all_known_ones_is_metadata() -> None:
    roles, metadata = sort_fields("g.jsonl", row('{"id": 1, "process": "x", "source_number": 2}'))
    assert list(roles) == ["id"]
    assert [entry.key.text for entry in metadata] == ["process", "source_number"]


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("relevent", "relevant"),
        ("tetx", "text"),
        ("tag", "tags"),
        ("query-id", "query_id"),
        ("Kind", "kind"),
        ("param", "params"),
        ("musts", "must"),
        ("answerble", "answerable"),
        ("spilt", "split"),
        ("citation", "citations"),
    ],
)
def test_a_field_one_edit_away_is_an_error_that_names_the_known_one(name: str, meant: str) -> None:
    with pytest.raises(GoldenError) as caught:
        sort_fields("g.jsonl", row(f'\n{{"{name}": 1}}'))
    assert str(caught.value).startswith(f"g.jsonl:2: unknown field '{name}': did you mean '{meant}'?")


@pytest.mark.parametrize(("first", "second"), [("text", "query"), ("id", "_id"), ("kind", "type")])
def test_two_aliases_of_one_role_are_an_error(first: str, second: str) -> None:
    with pytest.raises(GoldenError) as caught:
        sort_fields("g.jsonl", row(f'{{"{first}": 1, "{second}": 1}}'))
    assert caught.value.line == 1
    assert repr(first) in caught.value.message
    assert repr(second) in caught.value.message


def test_a_row_has_a_role_under_any_alias() -> None:
    assert has_role(row('{"question": 1}'), "text")
    assert not has_role(row('{"answer": 1}'), "text", "relevant")
