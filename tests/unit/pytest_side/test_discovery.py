from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from pytest_retrieval.golden.errors import GoldenError, NotGoldenError
from pytest_retrieval.pytest_side.discovery import Role, read_golden, role_of
from pytest_retrieval.pytest_side.options import SETTINGS, Settings

GOLDEN = "- {id: q1, text: one, relevant: [D1]}\n"
OTHER = "steps: [a, b]\n"


def config(
    root: Path, *named: str, folder: str = ".", compare: bool = False, update: bool = False, **said: Any
) -> pytest.Config:
    """As much of a configuration as finding files needs."""
    typed_in = root / folder
    stash = pytest.Stash()
    stash[SETTINGS] = Settings(typed_in, said, {}, compare, update)
    return cast(
        pytest.Config,
        SimpleNamespace(
            rootpath=root, args=list(named), stash=stash, invocation_params=SimpleNamespace(dir=typed_in)
        ),
    )


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name in ("golden.yaml", "queries.yaml", "sub/golden_a.jsonl", "sub/deep/eval.yml", "golden.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(GOLDEN, "utf-8")
    return tmp_path


def test_a_golden_name_is_found(root: Path) -> None:
    assert role_of(root / "golden.yaml", config(root)) is Role.FOUND
    assert role_of(root / "sub/golden_a.jsonl", config(root, "sub")) is Role.FOUND
    assert role_of(root / "queries.yaml", config(root)) is None


@pytest.mark.parametrize(
    "named", ["golden.yaml", "./golden.yaml", "sub/../golden.yaml", "golden.yaml::word::q1"]
)
def test_a_golden_name_on_the_command_line_is_strict(root: Path, named: str) -> None:
    assert role_of(root / "golden.yaml", config(root, named)) is Role.STRICT


def test_names_on_the_command_line_count_from_where_it_was_typed(root: Path) -> None:
    assert role_of(root / "golden.yaml", config(root, "../golden.yaml", folder="sub")) is Role.STRICT
    assert role_of(root / "golden.yaml", config(root, str(root / "golden.yaml"), folder="sub")) is Role.STRICT
    assert role_of(root / "golden.yaml", config(root, "golden.yaml", folder="sub")) is Role.FOUND


def test_another_name_on_the_command_line_may_be_anybodys(root: Path) -> None:
    assert role_of(root / "queries.yaml", config(root, "queries.yaml")) is Role.NAMED_OTHERWISE


def test_another_suffix_is_never_ours(root: Path) -> None:
    assert role_of(root / "golden.txt", config(root, "golden.txt", files=("*.txt",))) is None


@pytest.mark.parametrize(
    ("glob", "name", "fits"),
    [
        ("queries.yaml", "queries.yaml", True),
        ("*.yaml", "queries.yaml", True),
        ("./*.yaml", "queries.yaml", True),
        ("q[tu]eries.yam?", "queries.yaml", True),
        ("*.yml", "sub/deep/eval.yml", False),
        ("sub/*.yml", "sub/deep/eval.yml", False),
        ("sub/*/*.yml", "sub/deep/eval.yml", True),
        ("**/*.yml", "sub/deep/eval.yml", True),
        ("sub/**/*.yml", "sub/deep/eval.yml", True),
        ("sub/deep/**/*.yml", "sub/deep/eval.yml", True),
        ("**", "sub/deep/eval.yml", False),
        ("**/queries.yaml", "queries.yaml", True),
        ("deep/*.yml", "sub/deep/eval.yml", False),
        ("QUERIES.yaml", "queries.yaml", False),
    ],
)
def test_globs_are_matched_name_by_name_from_the_root(root: Path, glob: str, name: str, fits: bool) -> None:
    role = role_of(root / name, config(root, files=(glob,)))
    assert role is (Role.STRICT if fits else None)


def test_a_glob_may_lead_out_of_the_root(root: Path) -> None:
    assert role_of(root / "queries.yaml", config(root / "sub", files=("../*.yaml",))) is Role.STRICT


def test_on_request_only_named_files_count(root: Path) -> None:
    asked: dict[str, Any] = {"run": "on_request", "files": ("sub/deep/*",)}
    assert role_of(root / "golden.yaml", config(root, **asked)) is None
    assert role_of(root / "sub/deep/eval.yml", config(root, **asked)) is None
    assert role_of(root / "golden.yaml", config(root, "golden.yaml", **asked)) is Role.STRICT
    assert role_of(root / "sub/deep/eval.yml", config(root, "sub/deep/eval.yml", **asked)) is Role.STRICT


@pytest.mark.parametrize("asked", [{"compare": True}, {"update": True}])
def test_a_baseline_flag_is_a_request(root: Path, asked: dict[str, bool]) -> None:
    assert role_of(root / "golden.yaml", config(root, run="on_request", **asked)) is Role.FOUND  # type: ignore[arg-type]


def written(folder: Path, content: str) -> Path:
    path = folder / "file.yaml"
    path.write_text(content, "utf-8")
    return path


@pytest.mark.parametrize("role", Role)
def test_a_golden_set_is_read_in_every_role(tmp_path: Path, role: Role) -> None:
    golden = read_golden(written(tmp_path, GOLDEN), role)
    assert golden is not None
    assert [query.id for query in golden.queries] == ["q1"]


def test_a_file_without_queries_is_an_error_unless_it_was_named_otherwise(tmp_path: Path) -> None:
    path = written(tmp_path, OTHER)
    for role in (Role.FOUND, Role.STRICT):
        with pytest.raises(NotGoldenError):
            read_golden(path, role)
    assert read_golden(path, Role.NAMED_OTHERWISE) is None


@pytest.mark.parametrize("content", ["a: !tag 1\n", "a: 1\n---\nb: 2\n", "queries:\n- {sql: x}\n", "a: [\n"])
def test_a_file_that_cannot_be_read_is_an_error_unless_it_was_named_otherwise(
    tmp_path: Path, content: str
) -> None:
    path = written(tmp_path, content)
    with pytest.raises(GoldenError):
        read_golden(path, Role.STRICT)
    assert read_golden(path, Role.NAMED_OTHERWISE) is None


@pytest.mark.parametrize(
    "content",
    [
        "- {id: q1, text: one, relevant: [D1]\n",
        "- id: q1\n  relevant: [D1]\n  text: !tag one\n",
        '- {"id": "q1", "text": "", "relevant_docs": ["D1"]}\n',
        "- id: q1\n  text: one\n  expected_doc_ids :\n",
    ],
)
def test_a_broken_file_with_labels_was_meant_as_a_golden_set(tmp_path: Path, content: str) -> None:
    with pytest.raises(GoldenError):
        read_golden(written(tmp_path, content), Role.NAMED_OTHERWISE)
