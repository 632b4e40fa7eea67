"""Checks that hold the labels against the documents."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from pytest_retrieval.golden.checks.finding import Finding, examples
from pytest_retrieval.golden.documents import Document
from pytest_retrieval.golden.model import GoldenSet, Query
from pytest_retrieval.golden.words import words

Documents = Mapping[str, Document]

_FEWEST_WORDS = 3
_COPIED = 0.8
_FEWEST_QUESTIONS = 5


def dangling(golden: GoldenSet, documents: Documents) -> Iterator[Finding]:
    """Labels that name no document."""
    lost = [(query, name) for query in golden.queries for name in query.relevant if name not in documents]
    if lost:
        total = sum(len(query.relevant) for query in golden.queries)
        named = (f"{query.id}: {name}" for query, name in lost)
        yield Finding(
            "dangling",
            True,
            f"{len(lost)} of {total} labels name no document: {examples(named, len(lost))}",
            lost[0][0].line or None,
        )


def empty_documents(golden: GoldenSet, documents: Documents) -> Iterator[Finding]:
    """Documents without text, and labels that ask for one: no search of texts can find it."""
    empty = [
        name
        for name, document in documents.items()
        if not document.text.strip() and not document.title.strip()
    ]
    if not empty:
        return
    wanted = [(query, name) for name in empty for query in golden.queries if query.relevant.get(name, 0) > 0]
    message = f"{len(empty)} of {len(documents)} documents are empty: {examples(empty, len(empty))}"
    if wanted:
        named = (f"{name} for {query.id}" for query, name in wanted)
        message += f"; labelled as relevant, and not to be found: {examples(named, len(wanted))}"
    yield Finding("empty-documents", bool(wanted), message, (wanted[0][0].line or None) if wanted else None)


def same_documents(golden: GoldenSet, documents: Documents) -> Iterator[Finding]:
    """Documents with the same body (case and blanks apart), and questions that grade them differently.

    A search that returns the other one is then marked down for the right answer.
    """
    groups: defaultdict[str, list[str]] = defaultdict(list)
    for name, document in documents.items():
        body = " ".join(document.text.casefold().split())
        if body:
            groups[body].append(name)
    same = [group for group in groups.values() if len(group) > 1]
    if not same:
        return
    uneven = [
        (query, group)
        for group in same
        for query in golden.queries
        if any(query.relevant.get(name, 0) > 0 for name in group)
        and len({query.relevant.get(name) for name in group}) > 1
    ]
    named = (" = ".join(group[:4]) for group in same)
    message = f"{len(same)} texts stand in several documents: {examples(named, len(same))}"
    if uneven:
        cases = (
            f"{query.id} ({', '.join(_graded(query, name) for name in group[:4])})" for query, group in uneven
        )
        message += f"; judged differently by {examples(cases, len(uneven))}"
    yield Finding("same-documents", bool(uneven), message, (uneven[0][0].line or None) if uneven else None)


def _graded(query: Query, name: str) -> str:
    grade = query.relevant.get(name)
    return f"{name} unjudged" if grade is None else f"{name}: {grade}"


def older_labels(golden: GoldenSet, documents: Documents) -> Iterator[Finding]:
    """Labels whose ``judged_version`` is not the version that the document has now."""
    old = [
        (query, name, judging)
        for query in golden.queries
        for name, judging in query.judgings.items()
        if judging.judged_version is not None
        and name in documents
        and documents[name].version not in (None, judging.judged_version)
    ]
    if old:
        named = (
            f"{query.id}: {name} judged at {judging.judged_version}, now {documents[name].version}"
            f"{f' (owner {judging.owner})' if judging.owner else ''}"
            for query, name, judging in old
        )
        yield Finding(
            "older-labels",
            True,
            f"{len(old)} labels are older than their document: {examples(named, len(old))}",
            old[0][0].line or None,
        )


def copied_words(golden: GoldenSet, documents: Documents) -> Iterator[Finding]:
    """How many of a question's words its best relevant document has, as a mean per kind.

    Questions of fewer than three words are left out: a part number is meant to be in its
    document. A mean of 0.8 or more over five questions or more is told as copying.
    """
    shares: defaultdict[str, list[float]] = defaultdict(list)
    known: dict[str, frozenset[str]] = {}
    for query in golden.queries:
        asked = frozenset(words(query.text))
        relevant = [name for name, grade in query.relevant.items() if grade > 0 and name in documents]
        if len(asked) < _FEWEST_WORDS or not relevant:
            continue
        for name in relevant:
            if name not in known:
                known[name] = frozenset(words(f"{documents[name].title} {documents[name].text}"))
        shares[query.kind].append(max(len(asked & known[name]) for name in relevant) / len(asked))
    if not shares:
        return
    means = {kind: sum(values) / len(values) for kind, values in shares.items()}
    copied = [kind for kind in means if means[kind] >= _COPIED and len(shares[kind]) >= _FEWEST_QUESTIONS]
    told = ", ".join(f"{kind} {mean:.2f}" for kind, mean in means.items())
    message = f"share of a question's words that its document has: {told}"
    if copied:
        message += (
            f"; {', '.join(copied)} copy their documents, which flatters word search: ask in other words"
        )
    yield Finding("copied-words", False, message)
