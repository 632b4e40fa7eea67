import os
from pathlib import Path

import pytest

from pytest_retrieval.golden.errors import GoldenError
from pytest_retrieval.golden.text_file import read_text


def test_the_byte_order_mark_is_dropped_and_line_ends_stay(write) -> None:
    assert read_text(write("a.txt", b"\xef\xbb\xbfa\r\nb\n")) == "a\r\nb\n"


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_text_that_is_not_utf8_is_an_error_at_the_line_of_the_first_bad_byte(write, mark: bytes) -> None:
    path = write("a.txt", mark + "zwölf\n\n".encode() + b"caf\xe9\n\xff\n")
    with pytest.raises(GoldenError) as caught:
        read_text(path)
    assert str(caught.value).startswith(f"{path}:3: ")
    assert "0xe9" in caught.value.message


def test_utf16_is_named(write) -> None:
    with pytest.raises(GoldenError, match="UTF-16"):
        read_text(write("a.txt", "a".encode("utf-16")))


def test_a_missing_file_a_folder_and_an_impossible_name_are_errors(tmp_path: Path) -> None:
    with pytest.raises(GoldenError, match="no such file"):
        read_text(tmp_path / "none.txt")
    with pytest.raises(GoldenError, match="cannot be read"):
        read_text(tmp_path)
    with pytest.raises(GoldenError):
        read_text("a\0b.txt")


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0,
    reason="root may read everything; no permissions on Windows",
)
def test_a_file_that_may_not_be_read_is_an_error(write) -> None:
    path = write("a.txt", "x")
    path.chmod(0)
    with pytest.raises(GoldenError, match="cannot be read"):
        read_text(path)
