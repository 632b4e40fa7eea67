"""LlamaIndex's question-answer sets (``EmbeddingQAFinetuneDataset``): queries, corpus, relevant_docs."""

from __future__ import annotations

from pathlib import Path

from pytest_retrieval.golden.errors import GoldenError
from pytest_retrieval.golden.nodes import ListNode, MappingNode, Node, Scalar, shown
from pytest_retrieval.golden.sources.imported import Draft, Imported, counted, finish, missing_role
from pytest_retrieval.golden.values import mapping_value, nfc, text_value


def is_llama_index(root: Node) -> bool:
    """Whether a JSON file is such a set."""
    return isinstance(root, MappingNode) and all(
        name in root.entries and isinstance(root.entries[name].value, MappingNode)
        for name in ("queries", "relevant_docs")
    )


def read_llama_index(path: Path, root: MappingNode) -> Imported:
    """Its queries; every relevant document has grade 1. GoldenError with the line of a mistake."""
    labels = mapping_value(path, root.entries["relevant_docs"].value, "relevant_docs").entries
    corpus = root.entries.get("corpus")
    documents = None if corpus is None else mapping_value(path, corpus.value, "corpus").entries
    drafts = []
    absent: list[str] = []
    for key, value in mapping_value(path, root.entries["queries"].value, "queries").entries.values():
        name = text_value(path, key, "the id of a query")
        draft = Draft(nfc(name), text_value(path, value, f"the text of {name!r}"), key.line)
        if key.text in labels:
            draft.labels = dict.fromkeys(_documents(path, name, labels[key.text].value), 1)
            absent += [one for one in draft.labels if documents is not None and one not in documents]
        drafts.append(draft)
    if not drafts:
        raise missing_role(path, root.line, "text", "queries is empty")
    known = {draft.id for draft in drafts}
    orphans = [name for name in labels if nfc(name) not in known]
    warnings = [
        *counted(orphans, "labelled ids belong to no question"),
        *counted(absent, "relevant documents are not in the corpus"),
    ]
    return finish(path, "LlamaIndex question-answer set", drafts, (), warnings)


def _documents(path: Path, query: str, node: Node) -> list[str]:
    if not isinstance(node, ListNode):
        raise GoldenError(path, node.line, f"relevant_docs of {query!r} must be a list, found {shown(node)}")
    stray = next((item for item in node.items if not isinstance(item, Scalar)), None)
    if stray is not None:
        raise GoldenError(path, stray.line, f"a document of {query!r} must be an id, found {shown(stray)}")
    return [nfc(text_value(path, item, f"a document of {query!r}")) for item in node.items]
