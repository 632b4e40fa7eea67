"""New labels in the text of a YAML golden set: every other character stays where it is.

The parser tells where the labels of a query end, and the new ones are put there. Writing the
whole tree anew would keep comments at best; it would not keep spaces, quotes and line ends.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from pytest_retrieval.golden.errors import GoldenError
from pytest_retrieval.golden.fields import ALIASES
from pytest_retrieval.golden.judgement import Judgement, Judgements
from pytest_retrieval.golden.values import nfc
from pytest_retrieval.golden.yaml_reader import mask_foreign_breaks
from pytest_retrieval.golden.yaml_text import flow, key_text

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class Edit(NamedTuple):
    """Text to put in place of the characters from ``start`` to ``end``."""

    start: int
    end: int
    text: str


def add_labels(path: Path, text: str, judgements: Judgements) -> str:
    """The text with judgements added to the labels of their queries.

    ``text`` is a golden set that can be read. GoldenError for a query whose labels are an
    alias, since the change would reach others.
    """
    masked, _ = mask_foreign_breaks(text)
    rows = list(_rows(yaml.compose(masked, Loader=_LOADER)))
    shared = Counter(id(entry[1]) for row in rows if (entry := _field(row, "relevant")))
    edits: list[Edit] = []
    for row in rows:
        name = nfc(_plain(text, _field(row, "id")))
        if not judgements.get(name):
            continue
        entry = _field(row, "relevant")
        if entry is not None and shared[id(entry[1])] > 1:
            line = entry[0].start_mark.line + 1
            raise GoldenError(
                path, line, f"the labels of {name!r} are shared by an alias; write them out first"
            )
        edits += _edits(text, row, entry, judgements[name])
    return apply_edits(text, edits)


def record_pooling(text: str, record: Mapping[str, object], replaces: int | None) -> str:
    """The text with a line of the header that tells what was pooled.

    ``replaces`` is the place of the record that it takes the place of, None where it is new.
    A bare list of queries becomes the ``queries`` of a header, which adds lines only.
    """
    root: Any = yaml.compose(mask_foreign_breaks(text)[0], Loader=_LOADER)
    line_end = _line_end(text)
    if isinstance(root, yaml.SequenceNode):
        start = _start_of_line(text, root.start_mark.index)
        inline = "" if not root.flow_style else " "
        head = f"pooled:{line_end}  - {flow(record)}{line_end}queries:{inline or line_end}"
        return apply_edits(text, [Edit(start, start, head)])
    entry = next(((key, value) for key, value in root.value if key.value == "pooled"), None)
    if entry is None:
        key = next(key for key, _ in root.value if key.value in ("queries", "qrels"))
        start = _start_of_line(text, key.start_mark.index)
        return apply_edits(text, [Edit(start, start, f"pooled:{line_end}  - {flow(record)}{line_end}")])
    key, value = entry
    records = value.value if isinstance(value, yaml.SequenceNode) else [value]
    if replaces is not None and records[replaces].flow_style:
        old = records[replaces]
        return apply_edits(text, [Edit(old.start_mark.index, old.end_mark.index, flow(record))])
    if isinstance(value, yaml.SequenceNode):
        return apply_edits(text, [_appended(text, value, flow(record))])
    whole = text[value.start_mark.index : _end(value)]
    if value.flow_style:
        return apply_edits(
            text, [Edit(value.start_mark.index, value.end_mark.index, f"[{whole}, {flow(record)}]")]
        )
    indent = " " * (value.start_mark.column)
    lines = f"\n{indent}".join(f"  {line.strip()}" for line in whole.splitlines())
    start = value.start_mark.index
    return apply_edits(
        text, [Edit(start, _end(value), f"- {lines.strip()}{line_end}{indent}- {flow(record)}")]
    )


def apply_edits(text: str, edits: list[Edit]) -> str:
    """The text with all edits made; they do not overlap."""
    for edit in sorted(edits, reverse=True):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text


def _rows(root: Any) -> Iterator[Any]:
    queries = root
    if isinstance(root, yaml.MappingNode):
        queries = next((value for key, value in root.value if key.value == "queries"), None)
    if isinstance(queries, yaml.SequenceNode):
        yield from queries.value


def _field(row: Any, role: str) -> tuple[Any, Any] | None:
    return next(((key, value) for key, value in row.value if key.value in ALIASES[role]), None)


def _plain(text: str, entry: tuple[Any, Any] | None) -> str:
    """A scalar's text; read from the file where masks stand in its value."""
    assert entry is not None  # the golden set was read before
    value = entry[1].value
    if value.isascii():
        return str(value)
    _, unmask = mask_foreign_breaks(text)
    return str(value).translate(unmask)


def _edits(
    text: str, row: Any, entry: tuple[Any, Any] | None, added: Mapping[str, Judgement]
) -> Iterator[Edit]:
    pairs = [f"{key_text(document)}: {flow(one.value())}" for document, one in added.items()]
    entries = [flow(one.entry(document)) for document, one in added.items()]
    if entry is None:
        yield _appended(text, row, f"relevant: {{{', '.join(pairs)}}}")
        return
    key, value = entry
    if isinstance(value, yaml.MappingNode):
        yield _appended(text, value, *pairs)
    elif isinstance(value, yaml.SequenceNode):
        bare = all(isinstance(item, yaml.ScalarNode) for item in value.value)
        if (
            value.flow_style
            and bare
            and any(isinstance(one.entry(name), dict) for name, one in added.items())
        ):
            yield from _as_mapping(value, pairs)
        else:
            yield _appended(text, value, *entries)
    elif value.start_mark.index == value.end_mark.index:  # nothing stands behind the colon
        start = text.index(":", key.end_mark.index) + 1
        yield Edit(start, start, f" {{{', '.join(pairs)}}}")
    else:
        is_null = not value.style and value.value in ("~", "null", "Null", "NULL")
        known = [] if is_null else [f"{key_text(_plain(text, entry))}: 1"]
        yield Edit(value.start_mark.index, _end(value), f"{{{', '.join([*known, *pairs])}}}")


def _as_mapping(value: Any, pairs: list[str]) -> Iterator[Edit]:
    """A list of ids in brackets as a mapping in braces, each id with the grade 1 that it means."""
    start, end = value.start_mark.index, value.end_mark.index
    ends = [item.end_mark.index for item in value.value]
    new = ", ".join(pairs)
    yield Edit(start, start + 1, "{" if ends else f"{{{new}")
    yield from (Edit(position, position, ": 1") for position in ends[:-1])
    # A comma may stand between the last one and the bracket.
    yield from (Edit(position, position, f": 1, {new}") for position in ends[-1:])
    yield Edit(end - 1, end, "}")


def _appended(text: str, node: Any, *added: str) -> Edit:
    """New elements behind the last one of a list or mapping, in its own style."""
    if node.flow_style:
        end = _end(node.value[-1]) if node.value else node.start_mark.index + 1
        return Edit(end, end, f"{', ' if node.value else ''}{', '.join(added)}")
    last = _end(node)
    # The end of a block of text is the beginning of the line below it.
    end = last - 1 if text[last - 1] == "\n" else text.find("\n", last)
    mark = "- " if isinstance(node, yaml.SequenceNode) else ""
    indent = " " * node.start_mark.column
    line_end = _line_end(text)
    lines = "".join(f"{indent}{mark}{one}{line_end}" for one in added)
    if end < 0:
        return Edit(len(text), len(text), line_end + lines.removesuffix(line_end))
    return Edit(end + 1, end + 1, lines)


def _end(node: Any) -> int:
    """Where the last character of a node stands, plus 1; a block ends with its last element."""
    while not isinstance(node, (tuple, yaml.ScalarNode)) and not node.flow_style and node.value:
        node = node.value[-1]
        node = node[1] if isinstance(node, tuple) else node
    if isinstance(node, tuple):
        node = node[1]
    return int(node.end_mark.index)


def _start_of_line(text: str, position: int) -> int:
    return text.rfind("\n", 0, position) + 1


def _line_end(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"
