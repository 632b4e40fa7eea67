import pytest
import yaml

from pytest_retrieval.golden import yaml_reader
from pytest_retrieval.golden.errors import GoldenError
from pytest_retrieval.golden.nodes import ListNode, MappingNode, Node, Scalar
from pytest_retrieval.golden.yaml_reader import parse_yaml

LOADERS = [yaml.SafeLoader] + ([yaml.CSafeLoader] if yaml.__with_libyaml__ else [])


@pytest.fixture(params=LOADERS, ids=lambda loader: loader.__name__, autouse=True)
def parser(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every test runs with the C parser and with the pure Python one."""
    monkeypatch.setattr(yaml_reader, "_LOADER", request.param)


def items(node: Node | None) -> list[Node]:
    assert isinstance(node, ListNode)
    return node.items


def entries(node: Node | None) -> MappingNode:
    assert isinstance(node, MappingNode)
    return node


def failure(text: str) -> GoldenError:
    with pytest.raises(GoldenError) as caught:
        parse_yaml("golden.yaml", text)
    return caught.value


WRITTEN = [
    "007",
    "010",
    "08",
    "1:10",
    "12:30:45",
    "no",
    "NO",
    "on",
    "y",
    "2024-01-02",
    "1_000",
    "0x1F",
    "1.0",
    "3.10",
    "1e5",
    "1.0e+5",
    ".5",
    "0o17",
    "-0",
    "+1",
    ".inf",
    ".nan",
    "=",
    "true",
]


@pytest.mark.parametrize("text", WRITTEN)
def test_a_plain_scalar_keeps_its_text(text: str) -> None:
    assert items(parse_yaml("g", f"- {text}\n")) == [Scalar(text, True, 1)]
    assert list(entries(parse_yaml("g", f"{text}: x\n")).entries) == [text]


def test_quoted_and_block_scalars_are_not_plain() -> None:
    text = "- '007'\n- \"no\"\n- |\n  null\n- >-\n  ~\n"
    assert items(parse_yaml("g", text)) == [
        Scalar("007", False, 1),
        Scalar("no", False, 2),
        Scalar("null\n", False, 3),
        Scalar("~", False, 5),
    ]


def test_null_is_what_is_written_as_null_without_quotes() -> None:
    nulls = items(parse_yaml("g", "- ~\n-\n- null\n- NULL\n- 'null'\n- \"\"\n- nil\n"))
    assert [isinstance(node, Scalar) and node.is_null for node in nulls] == [True] * 4 + [False] * 3


def test_mappings_keep_the_order_and_the_lines_of_their_keys() -> None:
    root = entries(parse_yaml("g", "b: 1\n\na:\n  - x\n"))
    assert [(name, entry.key.line) for name, entry in root.entries.items()] == [("b", 1), ("a", 3)]
    assert root.entries["a"].value == ListNode(4, [Scalar("x", True, 4)])


@pytest.mark.parametrize("text", ["", "# only a comment\n", "---\n...\n"])
def test_a_text_without_a_value_is_none_or_null(text: str) -> None:
    root = parse_yaml("g", text)
    assert root is None or (isinstance(root, Scalar) and root.is_null)


def test_an_alias_stands_for_its_anchor() -> None:
    assert items(parse_yaml("g", "- &x {a: 1}\n- *x\n"))[1] == entries(parse_yaml("g", "{a: 1}"))


@pytest.mark.parametrize("char", ["\x85", "\u2028", "\u2029"])
def test_unicode_line_ends_are_text_and_do_not_move_the_line_numbers(char: str) -> None:
    text = f"# c{char}x: y\n- 'before {char} after{char}'\n- plain{char}text\n- !bad x\n"
    assert failure(text).line == 4
    assert items(parse_yaml("g", text.replace("!bad ", ""))) == [
        Scalar(f"before {char} after{char}", False, 2),
        Scalar(f"plain{char}text", True, 3),
        Scalar("x", True, 4),
    ]


def test_private_use_characters_survive_beside_unicode_line_ends() -> None:
    assert items(parse_yaml("g", "- '\ue000\u2028\ue001\x85'\n")) == [
        Scalar("\ue000\u2028\ue001\x85", False, 1)
    ]


def test_windows_line_ends_are_counted_once() -> None:
    assert items(parse_yaml("g", "- a\r\n- b\r\n")) == [Scalar("a", True, 1), Scalar("b", True, 2)]


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("- ok\n- !x foo\n", 2, "'!x'"),
        ("- !!python/object/apply:os.system ['true']\n", 1, "tags"),
        ("- !!str 5\n", 1, "'!!str'"),
        ("- ! 5\n", 1, "tags"),
        ("- !!map {a: b}\n", 1, "tags"),
        ("- a\n---\n- b\n", 2, "second document"),
        ("- &a x\n- <<: *a\n", 2, "merge keys"),
        ("a: 1\nb: 2\n'a': 3\n", 3, "'a' appears twice (first on line 1)"),
        ("{a: 1, a: 2}\n", 1, "'a' appears twice;"),
        ("- a\n- [b]: c\n", 2, "a key must be text, found a list"),
        ("? {a: b}\n: c\n", 1, "a key must be text, found a mapping"),
        ("- x\n- *nobody\n", 2, "no anchor"),
        ("- &a 1\n- &a 2\n", 2, "already defined on line 1"),
        ("a: &a\n  - *a\n", 2, "stands inside itself"),
        ("- &a [&a x]\n", 1, "already defined"),
        ("q:\n\t- id: a\n", 2, "spaces, not tabs"),
        ("- id: q\n\ttext: x\n", 2, "spaces, not tabs"),
        ("- what: is: this\n", 1, "broken YAML"),
        ("- 'open\n", 2, "broken YAML"),
        ("- a\n- b\x00c\n", 2, "U+0000"),
        ("- a\n- \x1b[31m\n", 2, "U+001B"),
        ("- a\n- \x9b\n", 2, "U+009B"),
        ('- a\n- "\\ud800"\n', 2, ""),
        ('- a\n- "\\UFFFFFFFF"\n', 2, "broken YAML"),
        ("%YAML 3.0\n---\n- a\n", 1, "broken YAML"),
    ],
)
def test_what_is_not_supported_is_an_error_at_its_line(text: str, line: int, words: str) -> None:
    error = failure(text)
    assert str(error).startswith(f"golden.yaml:{line}: ")
    assert words in error.message


def test_aliases_that_multiply_are_stopped() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 9)]
    error = failure("\n".join(lines))
    # Expanded, a0 is 11 values and each next one 10 times that and 1; the aliases up to a4
    # stand for 110 + 1,110 + 11,110 + 111,110 = 123,440 values, those of a5 for 1,111,110 more.
    assert error.line == 6
    assert "1,000,000" in error.message


def test_many_aliases_of_something_small_are_fine() -> None:
    text = "- &p {user: clerk}\n" + "- *p\n" * 10_000
    assert len(items(parse_yaml("g", text))) == 10_001


@pytest.mark.parametrize("text", ["[" * 5000, "{a: " * 5000, "- " * 400 + "x", "[" * 101 + "]" * 101])
def test_values_nested_too_deep_are_an_error(text: str) -> None:
    assert failure(text).line == 1


def test_aliases_cannot_build_a_tree_that_is_too_deep() -> None:
    error = failure("- &a0 [x]\n" + "".join(f"- &a{n} [*a{n - 1}]\n" for n in range(1, 300)))
    assert "100 levels" in error.message
    # Line 1 is two levels deep with the root; line n is n + 1 levels deep.
    assert error.line == 100


def test_a_hundred_levels_are_allowed() -> None:
    assert isinstance(parse_yaml("g", "[" * 100 + "]" * 100), ListNode)
