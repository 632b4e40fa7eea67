"""Which field of a foreign row plays which role."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

from pytest_retrieval.golden.nodes import ListNode, MappingNode, Node, Scalar

ROLES = ("id", "text", "relevant", "grade", "kind", "tags", "split", "qrels")
"""What ``--map`` can name; ``qrels`` is the field whose values a file of labels uses as ids."""

# Lower case, letters and digits only; the first that is there counts.
_NAMES = {
    "id": ("id", "qid", "queryid", "questionid", "topicid", "queryno", "uid"),
    "text": (
        "text", "query", "question", "querytext", "questiontext", "searchquery", "searchterm", "searchphrase",
        "keywords", "userinput", "prompt", "input", "utterance",
    ),
    "relevant": (
        "relevant", "relevantdocids", "relevantdocs", "relevantdocuments", "relevantids", "expecteddocids",
        "expecteddocs", "expecteddocuments", "expectedids", "citations", "goldids", "golddocids",
        "groundtruthids", "groundtruthdocids", "positiveids", "positivedocids", "positives", "relevantchunks",
        "relevantchunkids", "expectedchunkids", "referencecontextids", "documentids", "docids", "docid",
        "documentid", "corpusid", "passageid", "chunkid", "doc", "document", "sources", "source", "url",
    ),
    "grade": ("grade", "rating", "relevance", "relevancy", "judgment", "judgement", "score", "label"),
    "kind": ("kind", "type", "category", "querytype", "questiontype"),
    "tags": ("tags",),
    "split": ("split",),
}  # fmt: skip

DOCUMENT_NAMES = (
    "id", "docid", "documentid", "corpusid", "chunkid", "nodeid", "passageid", "pageid", "doc", "document",
    "source", "file", "filename", "path", "url", "uri",
)  # fmt: skip
"""The names under which an entry of the labels has its document."""

PART_NAMES = frozenset({"page", "pages", "pagenumber", "span", "start", "end", "offset", "line", "lines"})
"""The names of a document's parts, which a rule can make part of the id."""


@lru_cache(maxsize=4096)
def plain_name(name: str) -> str:
    """Lower case, letters and digits only: ``Doc ID`` and ``doc_id`` are the same name."""
    return re.sub(r"[\W_]+", "", name.casefold())


def survey(rows: Iterable[MappingNode]) -> dict[str, bool]:
    """The fields that have some value, in order of appearance, and whether each is always a single one."""
    fields: dict[str, bool] = {}
    for row in rows:
        for name, (_, value) in row.entries.items():
            if not isinstance(value, Scalar):
                fields[name] = False
            elif name not in fields and value.text.strip():
                fields[name] = True
    return fields


def guess_role(role: str, fields: Mapping[str, bool], taken: Iterable[str]) -> str | None:
    """The field that has the likeliest name for a role, None where there is none.

    ``fields`` is what :func:`survey` gives; a field in ``taken`` has a role already. A question,
    an id and a grade are single values, not lists or mappings.
    """
    present: dict[str, str] = {}
    for name, single in fields.items():
        if name not in taken and (single or role in ("relevant", "tags")):
            present.setdefault(plain_name(name), name)
    return next((present[name] for name in _NAMES.get(role, ()) if name in present), None)


def grade_of_entry(entry: MappingNode) -> Node | None:
    """The grade that an entry of the labels has beside its document."""
    return _first_named(entry, _NAMES["grade"])


def document_of_entry(entry: MappingNode) -> Node | None:
    """The document of an entry of the labels."""
    return _first_named(entry, DOCUMENT_NAMES)


def _first_named(entry: MappingNode, names: Iterable[str]) -> Node | None:
    present = {plain_name(name): inner.value for name, inner in entry.entries.items()}
    return next((present[name] for name in names if name in present), None)


def at_path(node: Node, path: str) -> list[Node]:
    """What stands at a dotted path, through every element of the lists on the way.

    A whole number picks one element, from 0. A key that holds dots is found as it is written.
    """
    if not path:
        return [node]
    if isinstance(node, MappingNode):
        whole = node.entries.get(path)
        if whole is not None:
            return [whole.value]
        for cut in reversed([index for index, sign in enumerate(path) if sign == "."]):
            if path[:cut] in node.entries:
                return at_path(node.entries[path[:cut]].value, path[cut + 1 :])
        return []
    if isinstance(node, ListNode):
        head, _, rest = path.partition(".")
        if head.isascii() and head.isdigit() and len(head) < 10:
            return at_path(node.items[int(head)], rest) if int(head) < len(node.items) else []
        return [found for item in node.items for found in at_path(item, path)]
    return []
