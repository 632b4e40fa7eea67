from __future__ import annotations

import hashlib
import sys
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path

import pytest

from pytest_retrieval.retrieval.caching import RetrievalCache, content_digest
from pytest_retrieval.retrieval.calling import BadRetriever

needs_filelock = pytest.mark.usefixtures("_filelock")


@pytest.fixture
def _filelock() -> None:
    pytest.importorskip("filelock")


@pytest.fixture
def cache(tmp_path: Path) -> RetrievalCache:
    return RetrievalCache(tmp_path / "cache")


class Builder:
    """Writes a text into the folder; ``built`` counts how often."""

    def __init__(self, text: str = "index", error: BaseException | None = None) -> None:
        self.text, self.error, self.built = text, error, 0

    def __call__(self, folder: Path) -> None:
        self.built += 1
        assert list(folder.iterdir()) == []
        (folder / "half.txt").write_text(self.text)
        if self.error:
            raise self.error
        (folder / "index.txt").write_text(self.text)


def read(folder: Path) -> str:
    return (folder / "index.txt").read_text()


@needs_filelock
def test_the_same_key_is_built_once_and_loaded_each_time(cache: RetrievalCache) -> None:
    builder = Builder()
    assert [cache.build("bm25", "v1", builder, read) for _ in range(3)] == ["index"] * 3
    assert builder.built == 1
    # as another process would find it
    assert RetrievalCache(cache.folder).build("bm25", "v1", builder, read) == "index"
    assert builder.built == 1


@needs_filelock
def test_another_key_or_name_is_built_anew_and_the_old_one_kept(cache: RetrievalCache) -> None:
    old, new, other = Builder("old"), Builder("new"), Builder("other")
    assert cache.build("bm25", "v1", old, read) == "old"
    assert cache.build("bm25", "v2", new, read) == "new"
    assert cache.build("dense", "v1", other, read) == "other"
    assert cache.build("bm25", "v1", new, read) == "old"
    assert (old.built, new.built, other.built) == (1, 1, 1)


@needs_filelock
@pytest.mark.parametrize("error", [OSError("no disk"), KeyboardInterrupt()])
def test_what_a_broken_build_left_is_never_loaded(cache: RetrievalCache, error: BaseException) -> None:
    with pytest.raises(type(error)):
        cache.build("bm25", "v1", Builder(error=error), read)
    assert not list(cache.folder.rglob("half.txt"))
    assert cache.build("bm25", "v1", Builder("whole"), read) == "whole"


@needs_filelock
def test_what_a_killed_build_left_is_removed_before_the_next(cache: RetrievalCache) -> None:
    cache.build("bm25", "v1", Builder("dead"), read)
    # A process that is killed cleans nothing up and marks nothing as complete.
    (marker,) = cache.folder.rglob("complete")
    marker.unlink()
    (folder,) = (path for path in cache.folder.rglob("built") if path.is_dir())
    (folder / "left.txt").write_text("half an index")
    assert cache.build("bm25", "v1", Builder("whole"), read) == "whole"
    assert not (folder / "left.txt").exists()


@needs_filelock
def test_an_error_while_loading_is_no_reason_to_build_again(cache: RetrievalCache) -> None:
    builder = Builder()

    def load(folder: Path) -> str:
        raise LookupError("cannot be loaded")

    for _ in range(2):
        with pytest.raises(LookupError, match="cannot be loaded"):
            cache.build("bm25", "v1", builder, load)
    assert builder.built == 1


@pytest.mark.parametrize("name", ["", "a/b", "..", "a b", "é", ".hidden", "x" * 81, "a\\b"])
def test_a_name_that_is_no_name_for_a_folder_is_refused(cache: RetrievalCache, name: str) -> None:
    with pytest.raises(ValueError, match=r"expected letters, digits and _ \. - only"):
        cache.build(name, "v1", Builder(), read)
    assert not cache.folder.exists()


def test_without_filelock_the_extra_is_named(cache: RetrievalCache, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "filelock", None)
    with pytest.raises(BadRetriever, match=r'pip install "pytest-retrieval\[cache\]"'):
        cache.build("bm25", "v1", Builder(), read)


# -- keys


def test_the_digest_is_that_of_the_content_marked_with_its_type() -> None:
    assert content_digest("abc") == hashlib.sha256(b"text:abc").hexdigest()
    assert content_digest(b"abc") == hashlib.sha256(b"bytes:abc").hexdigest()
    assert content_digest(7) == hashlib.sha256(b"int:7").hexdigest()
    inner = hashlib.sha256(b"text:a").digest() + hashlib.sha256(b"int:1").digest()
    assert content_digest({"a": 1}) == hashlib.sha256(b"mapping:" + inner).hexdigest()


DIFFERENT: list[Callable[[], object]] = [
    lambda: "1",
    lambda: 1,
    lambda: 1.0,
    lambda: True,
    lambda: b"1",
    lambda: None,
    lambda: "",
    list,
    dict,
    lambda: set(),
    lambda: ["1"],
    lambda: [["1"]],
    lambda: {"1"},
    lambda: ["a", "b"],
    lambda: ["b", "a"],
    lambda: ["ab"],
    lambda: ["a", ["b"]],
    lambda: {"a": "b"},
    lambda: {"b": "a"},
    lambda: {"a": ["b"]},
    lambda: {"ab": ""},
    lambda: "\ud800",
]


def test_different_keys_have_different_digests() -> None:
    digests = [content_digest(key()) for key in DIFFERENT]
    assert len(set(digests)) == len(digests)


def test_the_order_of_mappings_and_sets_does_not_matter() -> None:
    pairs = [("model", "mini"), ("size", 384), ("cut", None)]
    forward, backward = OrderedDict(pairs), OrderedDict(reversed(pairs))
    assert content_digest(forward) == content_digest(backward) == content_digest(dict(pairs))
    assert content_digest({"x", "y", "z"}) == content_digest(frozenset(["z", "y", "x"]))
    assert content_digest(("a", 1)) == content_digest(["a", 1])


def test_a_path_stands_for_its_content_wherever_it_lies(tmp_path: Path) -> None:
    for name in ("here", "there"):
        (tmp_path / name / "deep").mkdir(parents=True)
        (tmp_path / name / "a.md").write_bytes(b"alpha")
        (tmp_path / name / "deep" / "b.md").write_bytes(b"beta")
    here, there = tmp_path / "here", tmp_path / "there"
    assert content_digest(here) == content_digest(there)
    assert content_digest(here / "a.md") == content_digest(there / "a.md")
    assert content_digest([here]) != content_digest([str(here)])


def test_any_change_in_a_folder_is_another_key(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes(b"alpha")
    seen = [content_digest(tmp_path)]
    (tmp_path / "a.md").write_bytes(b"alphb")
    seen.append(content_digest(tmp_path))
    (tmp_path / "b.md").write_bytes(b"")
    seen.append(content_digest(tmp_path))
    (tmp_path / "b.md").rename(tmp_path / "c.md")
    seen.append(content_digest(tmp_path))
    assert len(set(seen)) == 4


def test_a_path_without_a_file_and_a_foreign_value_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="neither a file nor a folder"):
        content_digest({"pages": tmp_path / "nowhere"})
    with pytest.raises(TypeError, match="a value of type object"):
        content_digest([object()])
