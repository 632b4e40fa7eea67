"""Which field of a foreign row plays which role."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

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


def plain_name(name: str) -> str:
    """Lower case, letters and digits only: ``Doc ID`` and ``doc_id`` are the same name."""
    return re.sub(r"[\W_]+", "", name.casefold())


def guess_role(role: str, rows: Sequence[MappingNode], taken: Iterable[str]) -> str | None:
    """The field of ``rows`` that has the likeliest name for a role, None where there is none.

    A field in ``taken`` has a role already. Only fields with some value count; a question and
    an id are single values, not lists or mappings.
    """
    present: dict[str, str] = {}
    for row in rows:
        for name, entry in row.entries.items():
            single = isinstance(entry.value, Scalar)
            empty = isinstance(entry.value, Scalar) and not entry.value.text.strip()
            if name not in taken and not empty and (single or role in ("relevant", "tags")):
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
        for cut in (len(path), *(dot.start() for dot in reversed(list(re.finditer(r"\.", path))))):
            if path[:cut] in node.entries:
                return at_path(node.entries[path[:cut]].value, path[cut + 1 :])
        return []
    if isinstance(node, ListNode):
        head, _, rest = path.partition(".")
        if head.isascii() and head.isdigit() and len(head) < 10:
            return at_path(node.items[int(head)], rest) if int(head) < len(node.items) else []
        return [found for item in node.items for found in at_path(item, path)]
    return []
