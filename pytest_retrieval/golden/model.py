"""What a golden set is: queries with graded documents, and the header's wishes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

OTHER_KIND = "other"


@dataclass(frozen=True, slots=True)
class Judging:
    """Where one label comes from: the version of the document that was read, and who answers for it."""

    judged_version: str | None = None
    owner: str | None = None


@dataclass(frozen=True, slots=True)
class Query:
    """One labelled test question.

    ``relevant`` maps a document id to its whole-number grade (2 answers, 1 helps,
    0 or less judged and not relevant). ``forbidden`` are documents that must not be returned
    at all. ``must`` maps metrics to minima; for a query without an answer, ``max_score`` and ``empty``
    to what they may be. Ids are text under Unicode NFC. ``line`` is
    the 1-based line of the query in its file, 0 where it was built in Python.
    ``metadata`` holds every field that has no meaning of its own, ready to be sliced on;
    ``judgings`` what is known of single labels, by document id. ``local`` is the name of the local
    file that the query stands in, None for one of the set itself.
    """

    id: str
    text: str
    relevant: Mapping[str, int] = field(default_factory=dict)
    kind: str = OTHER_KIND
    tags: tuple[str, ...] = ()
    split: str | None = None
    params: Mapping[str, object] = field(default_factory=dict)
    must: Mapping[str, float] = field(default_factory=dict)
    forbidden: tuple[str, ...] = ()
    answerable: bool = True
    metadata: Mapping[str, object] = field(default_factory=dict)
    line: int = 0
    judgings: Mapping[str, Judging] = field(default_factory=dict)
    local: str | None = None

    @property
    def has_contract(self) -> bool:
        """Whether something is asked of this query's own answer."""
        return bool(self.must or self.forbidden)

    def values(self, field_name: str) -> tuple[str, ...]:
        """The values of a field to slice on, as text: several for tags, none where it is absent."""
        if field_name == "kind":
            return (self.kind,)
        if field_name == "tags":
            return self.tags
        if field_name == "split":
            return () if self.split is None else (self.split,)
        value = self.metadata.get(field_name)
        if value is None or isinstance(value, Mapping):
            return ()
        many = value if isinstance(value, (list, tuple)) else [value]
        return tuple(dict.fromkeys(str(one) for one in many if one is not None))


@dataclass(frozen=True, slots=True)
class KindRules:
    """What ``gate: kinds: <kind>`` asks of one kind."""

    margin: float | Mapping[str, float] | None = None
    floors: Mapping[str, float] = field(default_factory=dict)
    anchor_margin: float | Mapping[str, float] | None = None


@dataclass(frozen=True, slots=True)
class GateRules:
    """The header's ``gate`` block; None and empty mean "not said"."""

    metrics: tuple[str, ...] | None = None
    margin: float | Mapping[str, float] | None = None
    confidence: float | None = None
    min_queries: int | None = None
    floors: Mapping[str, float] = field(default_factory=dict)
    kinds: Mapping[str, KindRules] = field(default_factory=dict)
    slices: tuple[str, ...] = ()
    anchor_margin: float | Mapping[str, float] | None = None


@dataclass(frozen=True, slots=True)
class AskRules:
    """The header's ``ask`` block, how the retriever is asked; None means "not said"."""

    concurrency: int | None = None
    timeout: float | None = None
    retries: int | None = None
    retry_on: tuple[str, ...] | None = None
    retry_wait: float | None = None


@dataclass(frozen=True, slots=True)
class Listed:
    """One of several retrievers of a golden set: the name it goes by, and what it is."""

    name: str
    retriever: str


@dataclass(frozen=True, slots=True)
class Chunking:
    """How built-in retrievers cut documents: ``whole``, ``sections``, or ``fixed`` chunks.

    ``words`` is the length of a fixed chunk, ``overlap`` how many of them the next one repeats.
    """

    name: str
    words: int | None = None
    overlap: int = 0


@dataclass(frozen=True, slots=True)
class Qrels:
    """A file of labels, relative to the golden set's folder, and the field whose values it uses as ids."""

    file: str
    by: str = "id"


@dataclass(frozen=True, slots=True)
class Pooling:
    """One judging of a pool: whose top ``depth`` were read, and when.

    ``sources`` are files relative to the golden set's folder, ``date`` is text, ``unjudged``
    how many pairs of the pool were left.
    """

    depth: int
    sources: tuple[str, ...] = ()
    date: str | None = None
    unjudged: int = 0


@dataclass(frozen=True, slots=True)
class Header:
    """What stands above the queries; None and empty mean "not said".

    ``exact`` is a second retriever, the exact index that the approximate one is held against.
    ``listed`` are the retrievers of a list of several, where ``retriever`` is None, and ``compare``
    the pairs of their names that are shown side by side.
    ``queries`` names a file of questions, None where they follow in the golden set itself.
    ``context`` is how many hits go into a prompt, ``slices`` the fields whose values are reported.
    ``test_share`` (between 0 and 1) is the share of the queries without a split that are to test with.
    ``version`` is what the team calls this state of the labels.
    ``lines`` maps a dotted key (``gate.floors``, ``metrics``) to its 1-based line.
    """

    retriever: str | None = None
    exact: str | None = None
    listed: tuple[Listed, ...] = ()
    compare: tuple[tuple[str, str], ...] = ()
    depth: int | None = None
    metrics: tuple[str, ...] | None = None
    document_id: str | None = None
    documents: tuple[str, ...] = ()
    chunking: Chunking | None = None
    describe: Mapping[str, object] = field(default_factory=dict)
    repeats: int | None = None
    noisy: bool = False
    max_errors: int | None = None
    ask: AskRules = field(default_factory=AskRules)
    gate: GateRules = field(default_factory=GateRules)
    queries: str | None = None
    qrels: Qrels | None = None
    pooled: tuple[Pooling, ...] = ()
    context: int | None = None
    slices: tuple[str, ...] = ()
    test_share: float | None = None
    version: str | None = None
    lines: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class GoldenSet:
    """The answer key: labelled queries in file order, with distinct ids.

    Raises ValueError for an id that comes twice, TypeError for labels that are no mapping
    of document ids (text) to whole grades: what a reader refuses in a file.
    ``notes`` tell what was left out while it was read.
    """

    queries: tuple[Query, ...]
    header: Header = field(default_factory=Header)
    path: Path | None = None
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        seen: set[str] = set()
        for query in self.queries:
            if query.id in seen:
                raise ValueError(f"two queries have the id {query.id!r}")
            seen.add(query.id)
            if not isinstance(query.relevant, Mapping):
                found = type(query.relevant).__name__
                raise TypeError(f"query {query.id!r}: relevant is a {found}, expected document id -> grade")
            for document, grade in query.relevant.items():
                if not isinstance(document, str) or not isinstance(grade, int):
                    label = f"{document!r}: {grade!r}"
                    raise TypeError(f"query {query.id!r}: label {label}, expected a text and a whole grade")

    def __len__(self) -> int:
        return len(self.queries)

    @property
    def answerable(self) -> bool:
        """Whether any query has an answer, so that there is something to score."""
        return any(query.answerable for query in self.queries)

    def by_id(self) -> dict[str, Query]:
        """The queries under their ids, in file order."""
        return {query.id: query for query in self.queries}

    def kinds(self) -> tuple[str, ...]:
        """The kinds in order of first appearance."""
        return tuple(dict.fromkeys(query.kind for query in self.queries))
