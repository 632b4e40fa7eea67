"""The documents a golden set is about: ``documents:`` globs of text files and JSONL corpora."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path, PurePath

from pytest_retrieval.golden.errors import GoldenError
from pytest_retrieval.golden.jsonl_reader import parse_jsonl
from pytest_retrieval.golden.naming import is_golden_name
from pytest_retrieval.golden.nodes import ListNode, MappingNode, Node, Scalar, shown
from pytest_retrieval.golden.text_file import read_text
from pytest_retrieval.golden.values import nfc, text_value

_ID_FIELDS = ("id", "_id", "doc_id", "docid")
_TEXT_FIELDS = ("text", "contents", "content", "body")

_FENCE = re.compile(r" {0,3}(```|~~~)")
_HEADING = re.compile(r" {0,3}#{1,6}[ \t]+(?P<title>.*?)(?:[ \t]+#+)?[ \t]*")


@dataclass(frozen=True, slots=True)
class Document:
    """One document: its id (NFC), title (may be empty), text, and the file it stands in.

    ``path`` is relative to the golden set's folder, with forward slashes. ``paragraphs`` are those
    of a corpus that lists them; ``text`` then has one per line. ``version`` is that of an entry of a
    corpus, where it has one.
    """

    id: str
    title: str
    text: str
    path: str
    paragraphs: tuple[str, ...] = ()
    version: str | None = None


def read_documents(golden_dir: Path, patterns: Iterable[str]) -> list[Document]:
    """All documents that the globs name, in the order of their paths and, in a corpus, of its lines.

    ``golden_dir`` is the golden set's folder, which the patterns are relative to. A
    ``.jsonl`` file is a corpus of one document per line (``id``, ``text`` or a list of
    ``paragraphs``, an optional ``title`` and ``version``; also ``_id``, ``doc_id``, ``docid`` and
    ``contents``, ``content``, ``body``; the first one present counts). Any other file is
    one document whose id is its relative path and whose title is its first Markdown
    heading or its name. GoldenError when a pattern names no file, a file cannot be read,
    or two documents share an id.
    """
    documents: list[Document] = []
    places: dict[str, str] = {}
    for file in find_files(golden_dir, patterns):
        path = golden_dir / file
        if is_corpus(file):
            for line, document in _read_corpus(path, file):
                _claim(places, document.id, path, line)
                documents.append(document)
        else:
            text = read_text(path)
            _claim(places, nfc(file), path, None)
            documents.append(Document(nfc(file), _title(text) or PurePath(file).stem, text, file))
    return documents


def document_ids(golden_dir: Path, patterns: Iterable[str]) -> frozenset[str]:
    """The ids of the documents that :func:`read_documents` would return; same errors."""
    return ids_in_files(golden_dir, find_files(golden_dir, patterns))


def ids_in_files(golden_dir: Path, files: Iterable[str]) -> frozenset[str]:
    """The ids of the documents in ``files``; only corpora are opened, and only when they changed."""
    places: dict[str, str] = {}
    for file in files:
        path = golden_dir / file
        if is_corpus(file):
            for line, document_id in _corpus_ids(path, file, _signature(path)):
                _claim(places, document_id, path, line)
        else:
            _claim(places, nfc(file), path, None)
    return frozenset(places)


def find_files(golden_dir: Path, patterns: Iterable[str]) -> list[str]:
    """The files that the globs name: relative to ``golden_dir``, forward slashes, sorted, each once.

    ``**`` stands for any number of folders. Wildcards pass over hidden files and folders;
    golden sets are no documents. GoldenError for an absolute pattern and for one that
    names no file.
    """
    found: set[str] = set()
    for pattern in patterns:
        if PurePath(pattern).is_absolute():
            raise GoldenError(
                golden_dir, None, f"documents: {pattern!r} must be relative to the golden set's folder"
            )
        # pathlib's globs follow other rules for hidden files, links and `..` in each version of Python.
        named = glob.glob(pattern, root_dir=golden_dir, recursive=True)  # noqa: PTH207
        matches = {
            PurePath(os.path.relpath(golden_dir / name, golden_dir)).as_posix()
            for name in named
            if os.path.isfile(golden_dir / name)  # noqa: PTH113 (a refused permission is no file)
            and not is_golden_name(PurePath(name).name)
        }
        if not matches:
            raise GoldenError(
                golden_dir,
                None,
                f"documents: {pattern!r} matches no file here (hidden files and golden sets do not count)",
            )
        found |= matches
    return sorted(found)


def is_corpus(file: str) -> bool:
    """Whether a file holds one document per line."""
    return file.lower().endswith(".jsonl")


def _claim(places: dict[str, str], document_id: str, path: Path, line: int | None) -> None:
    place = f"{path}:{line}" if line else f"{path}"
    first = places.setdefault(document_id, place)
    if first is not place:
        raise GoldenError(path, line, f"the document id {document_id!r} is already used at {first}")


def _signature(path: Path) -> tuple[int, ...]:
    try:
        stat = path.stat()
    except OSError as error:
        raise GoldenError(path, None, f"cannot be read: {error.strerror or error}") from None
    return stat.st_mtime_ns, stat.st_ctime_ns, stat.st_size, stat.st_ino


@lru_cache(maxsize=32)
def _corpus_ids(path: Path, file: str, signature: tuple[int, ...]) -> tuple[tuple[int, str], ...]:
    # Several golden sets often share one corpus; its texts are not kept, only its ids.
    return tuple((line, document.id) for line, document in _read_corpus(path, file))


def _read_corpus(path: Path, file: str) -> Iterator[tuple[int, Document]]:
    """The documents of a JSONL corpus with their lines."""
    for document_id, row in corpus_rows(path):
        title = _first_of(row, ("title",))
        version = _first_of(row, ("version",))
        yield (
            row.line,
            Document(
                document_id,
                "" if title is None else _any_text(path, title, "the title of a document"),
                "\n".join(parts := _parts(path, row)),
                file,
                parts if _first_of(row, _TEXT_FIELDS) is None else (),
                None if version is None else _any_text(path, version, "the version of a document") or None,
            ),
        )


def corpus_rows(path: Path) -> Iterator[tuple[str, MappingNode]]:
    """The lines of a JSONL corpus, each with the id (NFC) of its document; GoldenError for one without."""
    for row in parse_jsonl(path, read_text(path)):
        document_id = _first_of(row, _ID_FIELDS)
        if document_id is None:
            raise GoldenError(path, row.line, f"a document without an id ({', '.join(_ID_FIELDS)})")
        yield nfc(text_value(path, document_id, "the id of a document")), row


def _parts(path: Path, row: MappingNode) -> tuple[str, ...]:
    """The text of a document, or its paragraphs."""
    text = _first_of(row, _TEXT_FIELDS)
    if text is not None:
        return (_any_text(path, text, "the text of a document"),)
    paragraphs = _first_of(row, ("paragraphs",))
    if isinstance(paragraphs, ListNode):
        return tuple(_any_text(path, item, "a paragraph") for item in paragraphs.items)
    found = "" if paragraphs is None else f", found {shown(paragraphs)} as paragraphs"
    raise GoldenError(
        path,
        row.line,
        f"a document without a text ({', '.join(_TEXT_FIELDS)}, or a list of paragraphs){found}",
    )


def _first_of(row: MappingNode, names: Iterable[str]) -> Node | None:
    return next((row.entries[name].value for name in names if name in row.entries), None)


def _any_text(path: Path, node: Node, what: str) -> str:
    """Text that may be empty; null is empty text, as exports write it."""
    if not isinstance(node, Scalar):
        raise GoldenError(path, node.line, f"{what} must be text, found {shown(node)}")
    return "" if node.is_null else node.text


def _title(text: str) -> str:
    """The text of the first Markdown heading outside code blocks, empty where there is none."""
    fence = ""
    previous = ""
    for line in text.splitlines():
        mark = _FENCE.match(line)
        if mark and fence in ("", mark[1]):
            fence = "" if fence else mark[1]
        elif not fence:
            heading = _HEADING.fullmatch(line)
            if heading and heading["title"]:
                return heading["title"]
            if previous and line.startswith("=") and not line.strip("= \t"):
                return previous
        previous = "" if fence else line.strip()
    return ""
