"""Raw rows -> queries."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from pytest_retrieval.golden.contracts import read_must
from pytest_retrieval.golden.errors import GoldenError
from pytest_retrieval.golden.fields import ALIASES, sort_fields
from pytest_retrieval.golden.labels import read_labels
from pytest_retrieval.golden.model import OTHER_KIND, Query
from pytest_retrieval.golden.nodes import Entry, ListNode, MappingNode, Node, Scalar, shown
from pytest_retrieval.golden.values import (
    boolean,
    mapping_value,
    name_list,
    nfc,
    plain_data,
    text_value,
)


def build_queries(path: Path | str, rows: Iterable[Node], *, needs_labels: bool = True) -> tuple[Query, ...]:
    """The queries in file order, checked; GoldenError also when two of them share an id.

    A golden set that is compared with an exact index may have no labels at all; some without
    and some with labels are refused.
    """
    queries: dict[str, Query] = {}
    for row in rows:
        query = build_query(path, row, needs_labels=needs_labels)
        first = queries.setdefault(query.id, query)
        if first is not query:
            raise GoldenError(
                path, query.line, f"the query id {query.id!r} is already used on line {first.line}"
            )
    if any(query.relevant for query in queries.values()):
        for query in queries.values():
            _check_answer(path, query.line, query.relevant, query.answerable)
    return tuple(queries.values())


def build_query(path: Path | str, row: Node, *, needs_labels: bool = True) -> Query:
    """One query; GoldenError with file and line for whatever cannot be meant that way."""
    if not isinstance(row, MappingNode):
        raise GoldenError(
            path, row.line, f"a query must be a mapping with id, text and relevant, found {shown(row)}"
        )
    roles, metadata = sort_fields(path, row)
    query_id = nfc(text_value(path, _required(path, row, roles, "id"), "the id of a query"))
    text = text_value(path, _required(path, row, roles, "text"), "the text of a query")
    answerable = boolean(path, roles["answerable"].value, "answerable") if "answerable" in roles else True
    labels = roles.get("relevant")
    relevant, judgings = read_labels(path, labels.value) if labels else ({}, {})
    if labels or needs_labels:
        _check_answer(path, labels.key.line if labels else row.line, relevant, answerable)
    return Query(
        id=query_id,
        text=text,
        relevant=relevant,
        kind=text_value(path, roles["kind"].value, "the kind of a query") if "kind" in roles else OTHER_KIND,
        tags=name_list(path, roles["tags"].value, "tags") if _is_said(roles, "tags") else (),
        split=text_value(path, roles["split"].value, "split") if _is_said(roles, "split") else None,
        params=_params(path, roles["params"].value) if _is_said(roles, "params") else {},
        must=read_must(path, roles["must"].value) if "must" in roles else {},
        forbidden=_forbidden(path, roles["forbidden"].value, relevant)
        if _is_said(roles, "forbidden")
        else (),
        answerable=answerable,
        metadata={entry.key.text: plain_data(path, entry.value) for entry in metadata},
        line=row.line,
        judgings=judgings,
    )


def _required(path: Path | str, row: MappingNode, roles: dict[str, Entry], role: str) -> Node:
    if role not in roles:
        names = ", ".join(ALIASES[role])
        raise GoldenError(path, row.line, f"a query without {'an' if role == 'id' else 'a'} {role} ({names})")
    return roles[role].value


def _check_answer(path: Path | str, line: int, relevant: Mapping[str, int], answerable: bool) -> None:
    found = [document for document, grade in relevant.items() if grade > 0]
    if answerable and not found:
        lack = "only grades of 0 or less" if relevant else "no relevant document"
        names = ", ".join(ALIASES["relevant"])
        raise GoldenError(
            path,
            line,
            f"a query with {lack}: nothing could be found; label it ({names}), "
            "or write answerable: false if no document answers it",
        )
    if not answerable and found:
        raise GoldenError(
            path, line, f"answerable is false, but {found[0]!r} has the grade {relevant[found[0]]}"
        )


def _is_said(roles: dict[str, Entry], role: str) -> bool:
    """Whether an optional field has a value; exports write null where there is none."""
    if role not in roles:
        return False
    value = roles[role].value
    return not (isinstance(value, Scalar) and value.is_null)


def _forbidden(path: Path | str, node: Node, relevant: dict[str, int]) -> tuple[str, ...]:
    # An id may hold a comma, so one text is one id.
    items = node.items if isinstance(node, ListNode) else [node]
    ids = tuple(nfc(text_value(path, item, "a document id in forbidden")) for item in items)
    for number, document in enumerate(ids):
        if document in ids[:number]:
            raise GoldenError(path, node.line, f"forbidden lists the document {document!r} twice")
        if relevant.get(document, 0) > 0:
            raise GoldenError(
                path, node.line, f"the document {document!r} is both relevant and forbidden; decide on one"
            )
    return ids


def _params(path: Path | str, node: Node) -> dict[str, object]:
    block = mapping_value(path, node, "params")
    return {name: plain_data(path, entry.value) for name, entry in block.entries.items()}
