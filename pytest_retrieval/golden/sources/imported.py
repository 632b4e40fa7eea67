"""What reading an answer key of another shape takes and gives."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pytest_retrieval.golden.errors import GoldenError
from pytest_retrieval.golden.fields import ALIASES, near_name
from pytest_retrieval.golden.model import OTHER_KIND, Query
from pytest_retrieval.golden.nodes import Entry, MappingNode

_KNOWN = frozenset(name for names in ALIASES.values() for name in names)


@dataclass(frozen=True, slots=True)
class Wishes:
    """What the user says about a source; empty and None mean "find out".

    ``roles`` maps ``id``, ``text``, ``relevant``, ``grade``, ``kind``, ``tags``, ``split`` and
    ``qrels`` (what the labels call a question) to dotted paths. ``document`` is the rule that
    makes an id of a label's parts, ``separator`` that of a table's columns,
    ``list_separator`` that of the ids within one cell.
    """

    roles: Mapping[str, str] = field(default_factory=dict)
    document: str | None = None
    separator: str | None = None
    list_separator: str | None = None
    split: str | None = None


@dataclass(frozen=True, slots=True)
class Imported:
    """Queries read from elsewhere: their shape, what was guessed, and what is worth knowing."""

    shape: str
    queries: tuple[Query, ...]
    guesses: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


@dataclass(slots=True)
class Draft:
    """A question of a foreign file while its labels are gathered."""

    id: str
    text: str
    line: int
    labels: dict[str, int] = field(default_factory=dict)
    kind: str = OTHER_KIND
    tags: tuple[str, ...] = ()
    split: str | None = None
    answerable: bool = True
    metadata: dict[str, object] = field(default_factory=dict)


def finish(
    path: Path, shape: str, drafts: Iterable[Draft], guesses: Iterable[str], warnings: Iterable[str]
) -> Imported:
    """The drafts as queries; those that no document answers are left out and told.

    GoldenError when none is left.
    """
    queries: list[Query] = []
    bare: list[str] = []
    fruitless: list[str] = []
    renamed: dict[str, str] = {}
    for draft in drafts:
        found = [document for document, grade in draft.labels.items() if grade > 0]
        if found and not draft.answerable:
            raise GoldenError(
                path, draft.line, f"{draft.id!r} is not answerable, but {found[0]!r} is labelled as relevant"
            )
        if draft.answerable and not found:
            (fruitless if draft.labels else bare).append(draft.id)
            continue
        queries.append(
            Query(
                draft.id,
                draft.text,
                draft.labels,
                kind=draft.kind,
                tags=draft.tags,
                split=draft.split,
                answerable=draft.answerable,
                metadata={_safe_name(name, renamed): value for name, value in draft.metadata.items()},
                line=draft.line,
            )
        )
    if not queries:
        raise missing_role(path, None, "relevant", "no question here has a relevant document")
    told = [
        *warnings,
        *counted(bare, "questions without any label were left out"),
        *counted(fruitless, "questions with grades of 0 or less only were left out"),
        *(
            f"the field {old!r} is kept as {new!r}, as its name means something here"
            for old, new in renamed.items()
        ),
    ]
    return Imported(shape, tuple(queries), tuple(guesses), tuple(told))


def counted(names: list[str], what: str) -> list[str]:
    """A warning about some queries or documents, none where there are none."""
    return [f"{len(names)} {what}, {names[0]!r} first"] if names else []


def missing_role(path: Path, line: int | None, role: str, found: str) -> GoldenError:
    """A source is refused since one of the roles that a query needs is not in it."""
    return GoldenError(path, line, f"missing role {role!r}: {found}; say where it is: --map {role}=PATH")


def tame(row: MappingNode) -> tuple[MappingNode, dict[str, str]]:
    """A foreign row whose further fields cannot be taken for ours, and what was renamed."""
    renamed: dict[str, str] = {}
    entries = {}
    for name, entry in row.entries.items():
        safe = name if name in _KNOWN else _safe_name(name, renamed)
        entries[safe] = entry if safe == name else Entry(entry.key._replace(text=safe), entry.value)
    return MappingNode(row.line, entries), renamed


def _safe_name(name: str, renamed: dict[str, str]) -> str:
    if name in renamed:
        return renamed[name]
    if name not in _KNOWN and near_name(name, _KNOWN) is None:
        return name
    return renamed.setdefault(name, f"source_{name}")
