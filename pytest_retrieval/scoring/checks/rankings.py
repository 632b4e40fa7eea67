"""Checks that hold the labels against rankings: what no search returns, and what no pool held."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from pytest_retrieval.golden.checks.finding import Finding, examples
from pytest_retrieval.golden.model import GoldenSet
from pytest_retrieval.scoring.names import parse_metric
from pytest_retrieval.scoring.pooling import Rankings, pool_of


def never_returned(golden: GoldenSet, rankings: Sequence[Rankings]) -> Iterator[Finding]:
    """Relevant documents that no ranking returns for any question.

    Where not one is ever returned, labels and search most likely speak of ids of different
    kinds (chunks and documents, file names and numbers): a problem.
    """
    returned = {document for ranking in rankings for hits in ranking.values() for document in hits}
    asked = {query for ranking in rankings for query in ranking}
    wanted = {
        name: query
        for query in reversed(golden.queries)
        if query.id in asked
        for name, grade in query.relevant.items()
        if grade > 0
    }
    lost = [name for name in wanted if name not in returned]
    if not wanted or not lost:
        return
    if len(lost) == len(wanted):
        seen = (
            f"the search returns ids such as {min(returned)!r}" if returned else "the search returns nothing"
        )
        yield Finding(
            "never-returned",
            True,
            f"0 of {len(wanted)} judged ids were ever returned: the labels say {min(wanted)!r} and the like, "
            f"{seen}",
        )
        return
    named = (f"{name} for {wanted[name].id}" for name in sorted(lost))
    yield Finding(
        "never-returned",
        False,
        f"{len(lost)} of {len(wanted)} relevant documents were never returned: {examples(named, len(lost))}",
        wanted[min(lost)].line or None,
    )


def outside_pool(golden: GoldenSet, pools: Sequence[tuple[Sequence[Rankings], int]]) -> Iterator[Finding]:
    """Relevant documents that none of the recorded pools held: labels from elsewhere.

    Each pool is its rankings and its depth. A label that was found otherwise is no mistake,
    but searches were not given the same chance at their own such documents.
    """
    outside = []
    total = 0
    for query in golden.queries:
        pool = frozenset[str]().union(*(pool_of(query.id, rankings, depth) for rankings, depth in pools))
        names = [name for name, grade in query.relevant.items() if grade > 0]
        total += len(names)
        outside += [(query, name) for name in names if name not in pool]
    if outside:
        named = (f"{query.id}: {name}" for query, name in outside)
        yield Finding(
            "outside-pool",
            False,
            f"{len(outside)} of {total} relevant documents were in no recorded pool: "
            f"{examples(named, len(outside))}",
            outside[0][0].line or None,
        )


def pool_depth(golden: GoldenSet, metrics: Iterable[str]) -> Iterator[Finding]:
    """Metrics that look deeper than any pool was read: what lies below is unjudged by design."""
    deepest = max((one.depth for one in golden.header.pooled), default=None)
    if deepest is None:
        return
    beyond = [metric for metric in metrics if (parse_metric(metric).k or 0) > deepest]
    if beyond:
        yield Finding(
            "pool-depth",
            False,
            f"{', '.join(beyond)} look deeper than the pool, which was judged to depth {deepest}; "
            "pool deeper, or cut earlier",
            golden.header.lines.get("pooled"),
        )
    left = sum(one.unjudged for one in golden.header.pooled)
    if left:
        yield Finding(
            "pool-depth",
            False,
            f"{left} pairs of the recorded pool were left unjudged; go on with: pytest-retrieval judge",
            golden.header.lines.get("pooled"),
        )
