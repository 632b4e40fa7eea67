"""Requests of Elasticsearch's and OpenSearch's ranking evaluation (``_rank_eval``)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from pytest_retrieval.golden.errors import GoldenError
from pytest_retrieval.golden.labels import MAX_GRADE
from pytest_retrieval.golden.nodes import ListNode, MappingNode, Node, Scalar, shown
from pytest_retrieval.golden.sources.document_rule import DocumentRule
from pytest_retrieval.golden.sources.imported import Draft, Imported, Wishes, counted, finish, missing_role
from pytest_retrieval.golden.sources.roles import at_path
from pytest_retrieval.golden.values import mapping_value, nfc, text_value, whole_number

_TEXT_KEYS = ("query", "query_text", "model_text", "value", "text", "q")
"""Where the clauses of a query have their text: ``multi_match: {query: ...}`` and the like."""

_TEXT_CLAUSES = (
    "match", "match_phrase", "match_phrase_prefix", "match_bool_prefix", "multi_match", "combined_fields",
    "query_string", "simple_query_string", "semantic", "sparse_vector", "text_expansion", "neural", "term",
)  # fmt: skip


def is_rank_eval(root: Node) -> bool:
    """Whether a JSON file is such a request."""
    requests = root.entries.get("requests") if isinstance(root, MappingNode) else None
    return requests is not None and isinstance(requests.value, ListNode)


def read_rank_eval(path: Path, root: MappingNode, wishes: Wishes) -> Imported:
    """Its queries. The text is that of the request's clauses or of its ``params``, or at ``--map text=``.

    A document is its ``_id``; the rule of ``wishes`` may join ``{_index}`` and ``{_id}``.
    GoldenError with the line of a request without text or of a rating that is no whole number.
    """
    try:
        rule = DocumentRule(wishes.document or "{_id}")
    except ValueError as error:
        raise GoldenError(path, None, f"--document: {error}") from None
    requests = root.entries["requests"].value
    assert isinstance(requests, ListNode)
    drafts: dict[str, Draft] = {}
    several: list[str] = []
    indexes: set[str] = set()
    where: dict[str, int] = {}
    for request in requests.items:
        row = mapping_value(path, request, "a request")
        if "id" not in row.entries:
            raise missing_role(path, row.line, "id", "a request without an id")
        name = nfc(text_value(path, row.entries["id"].value, "the id of a request"))
        if name in drafts:
            raise GoldenError(
                path, row.line, f"the request {name!r} is already given on line {drafts[name].line}"
            )
        texts = list(dict.fromkeys(_texts(path, row, wishes.roles.get("text"))))
        if not texts:
            raise missing_role(
                path, row.line, "text", f"the request {name!r} has no text in its query or params"
            )
        if len({text for _, text in texts}) > 1:
            several.append(name)
        place, text = texts[0]
        where[place] = where.get(place, 0) + 1
        drafts[name] = Draft(name, text, row.line, _ratings(path, row, rule, indexes))
    if not drafts:
        raise missing_role(path, root.line, "text", "requests is empty")
    guesses = [f"text: {place} ({count} of {len(drafts)})" for place, count in sorted(where.items())]
    warnings = counted(several, "requests have several texts; the first was taken")
    if len(indexes) > 1 and not wishes.document:
        warnings.append(
            f"the documents are of {len(indexes)} indexes, whose ids may clash; "
            "to keep them apart: --document '{_index}/{_id}'"
        )
    return finish(path, "Elasticsearch _rank_eval request", drafts.values(), guesses, warnings)


def _texts(path: Path, row: MappingNode, mapped: str | None) -> Iterator[tuple[str, str]]:
    """Places and texts of a request, the likeliest first."""
    if mapped:
        for node in at_path(row, mapped):
            yield mapped, text_value(path, node, mapped)
        return
    for node in at_path(row, "request.query"):
        yield from _clauses(node, "request.query")
    for node in at_path(row, "params"):
        entries = node.entries if isinstance(node, MappingNode) else {}
        texts = {name: text for name, entry in entries.items() if (text := _text(entry.value))}
        likely = [name for name in texts if name in _TEXT_KEYS or name.startswith("query")] or list(texts)
        yield from ((f"params.{name}", texts[name]) for name in likely)


def _clauses(node: Node, place: str) -> Iterator[tuple[str, str]]:
    if isinstance(node, ListNode):
        for item in node.items:
            yield from _clauses(item, place)
    if not isinstance(node, MappingNode):
        return
    for name, entry in node.entries.items():
        if name in _TEXT_CLAUSES and isinstance(entry.value, MappingNode):
            yield from _clause(entry.value, f"{place}.{name}")
        else:
            yield from _clauses(entry.value, f"{place}.{name}")


def _clause(clause: MappingNode, place: str) -> Iterator[tuple[str, str]]:
    """The text of one clause: its own, or that of its one field."""
    for name in _TEXT_KEYS:
        if name in clause.entries and (text := _text(clause.entries[name].value)):
            yield f"{place}.{name}", text
            return
    for name, entry in clause.entries.items():
        if isinstance(entry.value, MappingNode):
            yield from _clause(entry.value, f"{place}.{name}")
        elif len(clause.entries) == 1 and (text := _text(entry.value)):
            yield f"{place}.{name}", text


def _text(node: Node) -> str:
    """The text of a quoted value that is not blank, else nothing."""
    return node.text if isinstance(node, Scalar) and not node.plain and node.text.strip() else ""


def _ratings(path: Path, row: MappingNode, rule: DocumentRule, indexes: set[str]) -> dict[str, int]:
    entry = row.entries.get("ratings")
    if entry is None or not isinstance(entry.value, ListNode):
        found = "no ratings" if entry is None else f"ratings that are {shown(entry.value)}"
        raise missing_role(path, row.line, "relevant", f"a request with {found}, expected a list")
    labels: dict[str, int] = {}
    for item in entry.value.items:
        rating = mapping_value(path, item, "a rating")
        if "rating" not in rating.entries:
            raise missing_role(path, rating.line, "grade", "an entry of ratings without a rating")
        indexes.update(node.text for node in at_path(rating, "_index") if isinstance(node, Scalar))
        grade = whole_number(path, rating.entries["rating"].value, "a rating", -MAX_GRADE, MAX_GRADE)
        for document in rule.ids(path, rating.line, partial(_first_at, rating)):
            if labels.setdefault(document, grade) != grade:
                raise GoldenError(
                    path, rating.line, f"the document {document!r} is rated twice and differently"
                )
    return labels


def _first_at(node: Node, path: str) -> Node | None:
    return next(iter(at_path(node, path)), None)
