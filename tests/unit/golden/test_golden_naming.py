import subprocess
import sys

import pytest

from pytest_retrieval.golden.naming import is_golden_name


@pytest.mark.parametrize(
    "name",
    [
        "golden.yaml",
        "golden.yml",
        "golden.jsonl",
        "golden.v2.yaml",
        "golden_docs.yaml",
        "golden_docs.de.jsonl",
        "search.golden.jsonl",
        "golden_local.yaml",
    ],
)
def test_these_names_are_found_by_themselves(name: str) -> None:
    assert is_golden_name(name)


@pytest.mark.parametrize(
    "name",
    [
        "golden.json",
        "golden.txt",
        "golden",
        "goldenrod.yaml",
        "golden-docs.yaml",
        "my_golden.yaml",
        "corpus.jsonl",
        "golden.local.yaml",
        "golden_docs.local.jsonl",
        "search.golden.local.yml",
        "golden_docs.yaml.bak",
        ".golden.yaml",
    ],
)
def test_these_names_are_not(name: str) -> None:
    assert not is_golden_name(name)


def test_looking_at_names_imports_neither_yaml_nor_numpy() -> None:
    code = (
        "import sys, pytest_retrieval.golden.naming as n; n.is_golden_name('golden.yaml');"
        "sys.exit(bool({'yaml', 'numpy'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
