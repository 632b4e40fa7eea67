"""Checks that need the golden set alone."""

from __future__ import annotations

import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator

from pytest_retrieval.golden.checks.finding import Finding, examples
from pytest_retrieval.golden.model import GoldenSet, Query


def repeated_questions(golden: GoldenSet) -> Iterator[Finding]:
    """Questions of the same text (case and blanks apart) and the same arguments.

    With different labels one of them must be wrong: a problem. With the same labels one
    question is counted twice, which the tests take for more evidence than it is.
    """
    groups: defaultdict[tuple[str, str], list[Query]] = defaultdict(list)
    for query in golden.queries:
        text = " ".join(unicodedata.normalize("NFKC", query.text).casefold().split())
        groups[text, repr(sorted(query.params.items()))].append(query)
    repeated = [group for group in groups.values() if len(group) > 1]
    for different in (True, False):
        chosen = [group for group in repeated if (len({_answer(query) for query in group}) > 1) == different]
        if chosen:
            how = "with different labels" if different else "with the same labels, which counts them twice"
            # By id alone: this is told in reports as well, and texts may be private.
            named = (" = ".join(query.id for query in group) for group in chosen)
            yield Finding(
                "repeated-questions",
                different,
                f"{len(chosen)} questions are asked more than once {how}: {examples(named, len(chosen))}",
                chosen[0][1].line or None,
            )


def _answer(query: Query) -> tuple[bool, frozenset[tuple[str, int]]]:
    # A grade of 0 in one of them and nothing in the other is no contradiction.
    return query.answerable, frozenset((name, grade) for name, grade in query.relevant.items() if grade > 0)


def small_kinds(golden: GoldenSet, min_queries: int) -> Iterator[Finding]:
    """Kinds of fewer than ``min_queries`` answerable questions, which are not judged by themselves."""
    sizes = Counter(query.kind for query in golden.queries if query.answerable)
    small = [f"{kind} ({count})" for kind, count in sizes.items() if count < min_queries]
    if small and len(sizes) > 1:
        yield Finding(
            "small-kinds",
            False,
            f"{len(small)} of {len(sizes)} kinds have fewer than {min_queries} questions and are judged "
            f"together, not by themselves: {examples(small, len(small))}",
        )
    elif small:
        yield Finding("small-kinds", False, f"{sum(sizes.values())} questions are fewer than {min_queries}")
