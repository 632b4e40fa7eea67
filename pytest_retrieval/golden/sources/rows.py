"""Rows of any shape -> queries: which field is what, and labels gathered over many rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pytest_retrieval.golden.errors import GoldenError
from pytest_retrieval.golden.model import OTHER_KIND
from pytest_retrieval.golden.nodes import MappingNode, Node, Scalar, shown
from pytest_retrieval.golden.sources.document_rule import DocumentRule
from pytest_retrieval.golden.sources.imported import (
    Draft,
    Imported,
    Wishes,
    counted,
    finish,
    missing_role,
)
from pytest_retrieval.golden.sources.roles import at_path, guess_role, survey
from pytest_retrieval.golden.sources.row_labels import Label, labels_of_row
from pytest_retrieval.golden.values import boolean, name_list, nfc, plain_data, text_value

_SHOWN = 12


def read_rows(path: Path, shape: str, rows: Sequence[MappingNode], wishes: Wishes) -> Imported:
    """Queries from rows: one row a question, or one row a label, in which case rows are gathered.

    Roles that ``wishes`` does not name are guessed by the names of the fields. GoldenError
    with the line when a role is missing, or a value cannot be what its role asks for.
    """
    if not rows:
        raise GoldenError(path, None, "holds no rows")
    roles, guesses = _find_roles(path, rows, wishes)
    rule = _rule(path, wishes)
    if roles.get("id") and "id" not in wishes.roles and _is_row_number(rows, roles):
        guesses.append(f"{roles.pop('id')!r} numbers the rows: questions are gathered by their text")
    reading = _Reading(path, roles, rule, wishes.list_separator)
    for row in rows:
        reading.add(row)
    if "id" not in roles:
        guesses.append(f"no ids found: made up as {reading.name_drafts()}")
    if rule is None and reading.parts:
        names = ", ".join(sorted(reading.parts))
        reading.warnings.append(
            f"labels have {names} beside their documents, which is not part of the ids; "
            f"to make it so: --document '{{...}}#{{{min(reading.parts)}}}'"
        )
    return finish(path, shape, reading.finished(rows), guesses, reading.told())


def _find_roles(path: Path, rows: Sequence[MappingNode], wishes: Wishes) -> tuple[dict[str, str], list[str]]:
    roles = dict(wishes.roles)
    guesses = []
    fields = survey(rows)
    for role in ("text", "relevant", "id", "grade", "kind", "tags", "split"):
        if role in roles:
            continue
        name = guess_role(role, fields, roles.values())
        # A rule joins fields of the row itself, unless the labels are entries with fields of their own.
        if name is not None and not (role == "relevant" and wishes.document and fields[name]):
            roles[role] = name
            guesses.append(f"{role}: {name}")
    names = ", ".join(map(repr, list(fields)[:_SHOWN]))
    found = f"the fields are {names}" if names else "there are no fields"
    for role in ("text", "relevant"):
        if role not in roles and not (role == "relevant" and wishes.document):
            raise missing_role(path, rows[0].line, role, found)
        if role in roles and not any(at_path(row, roles[role]) for row in rows):
            raise missing_role(path, rows[0].line, role, f"nothing stands at {roles[role]!r}, {found}")
    return roles, guesses


def _rule(path: Path, wishes: Wishes) -> DocumentRule | None:
    try:
        return DocumentRule(wishes.document) if wishes.document else None
    except ValueError as error:
        raise GoldenError(path, None, f"--document: {error}") from None


def _is_row_number(rows: Sequence[MappingNode], roles: Mapping[str, str]) -> bool:
    """Whether the ids are distinct in every row although the texts repeat."""
    ids, texts = (
        Counter(_plain(row, roles[role]) for row in rows) for role in ("id", "text")
    )  # fmt: skip
    return max(ids.values()) == 1 and len(texts) < len(rows) and len(ids) == len(rows)


def _plain(row: MappingNode, path: str) -> str:
    found = at_path(row, path)
    return found[0].text if found and isinstance(found[0], Scalar) else ""


@dataclass(slots=True)
class _Reading:
    """The drafts of a source while its rows are read."""

    path: Path
    roles: Mapping[str, str]
    rule: DocumentRule | None
    list_separator: str | None
    drafts: dict[str, Draft] = field(default_factory=dict)
    rows_of: dict[str, list[MappingNode]] = field(default_factory=dict)
    parts: set[str] = field(default_factory=set)
    warnings: list[str] = field(default_factory=list)
    ungraded: list[str] = field(default_factory=list)
    contradicted: list[str] = field(default_factory=list)

    def add(self, row: MappingNode) -> None:
        text = self.single(row, "text")
        name = nfc(self.single(row, "id")) if "id" in self.roles else text
        draft = self.drafts.get(name)
        if draft is None:
            draft = self.drafts[name] = self.started(row, name, text)
        elif draft.text != text:
            raise GoldenError(
                self.path,
                row.line,
                f"the question {name!r} is {text[:60]!r} here and {draft.text[:60]!r} on line {draft.line}",
            )
        self.rows_of.setdefault(name, []).append(row)
        for label in labels_of_row(self.path, row, self.roles, self.rule, self.list_separator):
            self.label(draft, label)

    def label(self, draft: Draft, label: Label) -> None:
        self.parts |= label.parts
        if label.grade is None:
            self.ungraded.append(label.document)
            return
        known = draft.labels.get(label.document)
        if known is not None and known != label.grade:
            self.contradicted.append(f"{draft.id}: {label.document}")
        draft.labels[label.document] = label.grade if known is None else max(known, label.grade)

    def started(self, row: MappingNode, name: str, text: str) -> Draft:
        answerable = row.entries.get("answerable")
        tags = self.value(row, "tags")
        return Draft(
            name,
            text,
            row.line,
            kind=self.optional(row, "kind") or OTHER_KIND,
            split=self.optional(row, "split"),
            tags=() if tags is None else name_list(self.path, tags, "tags"),
            answerable=answerable is None or boolean(self.path, answerable.value, "answerable"),
        )

    def value(self, row: MappingNode, role: str) -> Node | None:
        found = at_path(row, self.roles[role]) if role in self.roles else []
        empty = not found or (
            isinstance(found[0], Scalar) and (found[0].is_null or not found[0].text.strip())
        )
        return None if empty else found[0]

    def optional(self, row: MappingNode, role: str) -> str | None:
        node = self.value(row, role)
        return None if node is None else text_value(self.path, node, f"the {role} of a question").strip()

    def single(self, row: MappingNode, role: str) -> str:
        found = self.value(row, role)
        if found is None:
            raise missing_role(self.path, row.line, role, f"this row has nothing at {self.roles[role]!r}")
        if not isinstance(found, Scalar):
            raise missing_role(
                self.path, found.line, role, f"{self.roles[role]!r} is {shown(found)}, expected one text"
            )
        return found.text.strip()

    def name_drafts(self) -> str:
        """Give the drafts ids in their order; how they look, for a message."""
        width = len(str(len(self.drafts)))
        for number, draft in enumerate(self.drafts.values(), 1):
            draft.id = f"q{number:0{width}}"
        return f"q{1:0{width}} to q{len(self.drafts):0{width}}"

    def finished(self, rows: Sequence[MappingNode]) -> Iterator[Draft]:
        """The drafts with the further fields that are the same in all rows of their question."""
        used = {path.split(".")[0] for path in self.roles.values()} | {"answerable"}
        names = [
            name for name in dict.fromkeys(name for row in rows for name in row.entries) if name not in used
        ]
        if self.rule is not None:
            names = [name for name in names if f"{{{name}" not in self.rule.text]
        varying = {name for name in names for rows in self.rows_of.values() if not _is_constant(rows, name)}
        for key, draft in self.drafts.items():
            first = self.rows_of[key][0]
            for name in names:
                if name in first.entries and name not in varying:
                    value = plain_data(self.path, first.entries[name].value)
                    if value not in (None, "", [], {}):
                        draft.metadata[name] = value
            yield draft

    def told(self) -> list[str]:
        """The warnings so far."""
        return [
            *self.warnings,
            *counted(self.ungraded, "documents without a grade were left unjudged"),
            *counted(self.contradicted, "labels contradict each other; the higher grade was taken"),
        ]


def _is_constant(rows: Sequence[MappingNode], name: str) -> bool:
    if len(rows) == 1:
        return True
    values = [row.entries[name].value for row in rows if name in row.entries]
    return len({value.text if isinstance(value, Scalar) else id(value) for value in values}) <= 1
