"""What a retriever may return, and how each accepted shape is read as hits.

Accepted, each as an iterable (list, tuple, generator, array, view of a dict):

- ids: text or whole numbers;
- ``(id, score)`` pairs: a tuple or list of two, the second a number or None;
- mappings with one of :data:`ID_KEYS`, the score under one of :data:`SCORE_NAMES`;
- objects with one of :data:`ID_ATTRIBUTES`, or with a ``metadata`` mapping that has one
  of :data:`ID_KEYS` (dataclasses, named tuples, models, the result objects of libraries);
- pairs of such a mapping or object and a score.

Where several names are present the first of the list that is not None counts. Besides
these, one mapping id -> score, the only shape that is sorted: score descending, then id.
The results and responses of known libraries are read as :mod:`library_results
<pytest_retrieval.retrieval.library_results>` says; another response that wraps its list
(``{"hits": [...]}``) is not guessed at.

Two facts about the whole answer may come with it: ``cost``, a number in a unit of the user's, and
``cited``, the ids that the text made from these results refers to. They stand in a mapping or an
object that has one of them and one of :data:`WRAPPER_NAMES`, which then holds any shape from above,
or are attributes of the list itself.
"""

from __future__ import annotations

import inspect
import math
import unicodedata
from collections.abc import Iterable, Mapping
from decimal import Decimal
from itertools import islice
from numbers import Integral, Real
from typing import NamedTuple, NoReturn

from pytest_retrieval.retrieval.errors import BadAnswer as BadAnswer
from pytest_retrieval.retrieval.library_results import identified, is_result, opened
from pytest_retrieval.retrieval.ranking import Hit

ID_KEYS = ("id", "_id", "doc_id", "document_id", "docid", "chunk_id")
# `_id` comes last here: on an object it may be a private field beside a public one.
ID_ATTRIBUTES = ("id", "doc_id", "document_id", "docid", "chunk_id", "node_id", "_id")
SCORE_NAMES = ("score", "_score", "similarity")
WRAPPER_NAMES = ("hits", "results")
COST_NAME = "cost"
CITED_NAME = "cited"

_EXPECTED = (
    "expected a list of ids, (id, score) pairs, mappings or objects with an id, or one mapping id -> score"
)


def read_hits(result: object, depth: int) -> tuple[Hit, ...]:
    """Read the first ``depth`` results of one answer, in the order of the retriever.

    No more than ``depth`` elements are taken from an iterator, so an endless one will do.
    Ids become text under Unicode NFC, whole numbers their decimal text; scores become
    floats, and a score that is no number (in a mapping or an object) is left out.

    Raises:
        BadAnswer: ``result`` is of no accepted shape, or one of its first ``depth``
            elements has no usable id or a score that is NaN. The message names the type
            and the 1-based place. Exceptions of the retriever's own iterator pass through.
    """
    result = opened(result)
    if isinstance(result, Mapping):
        return _sorted_hits(result)[:depth]
    elements = islice(_elements(result), depth)
    return tuple(_hit(element, f" at place {place}") for place, element in enumerate(elements, 1))


class ReadAnswer(NamedTuple):
    """The hits of one answer, and what came with them: None where the answer does not say."""

    hits: tuple[Hit, ...]
    cost: float | None = None
    cited: tuple[str, ...] | None = None


def read_answer(result: object, depth: int) -> ReadAnswer:
    """Read the hits of one answer, what it cost, and which ids it cites, where the answer says so.

    Raises:
        BadAnswer: as :func:`read_hits`, for a cost that is no finite number of at least 0, and for
            ``cited`` that is no list or set of ids.
    """
    if type(result) is list or type(result) is tuple:
        return ReadAnswer(read_hits(result, depth))
    wrapped, facts = _unwrapped(result)
    cited = facts.get(CITED_NAME)
    return ReadAnswer(
        read_hits(wrapped, depth), _cost(facts.get(COST_NAME)), None if cited is None else _cited(cited)
    )


def _unwrapped(result: object) -> tuple[object, Mapping[str, object]]:
    """The hits of an answer in any shape, and the facts about it under their names."""
    if isinstance(result, Mapping):
        wrapped = _first(result.get(name) for name in WRAPPER_NAMES)
        facts = {name: result[name] for name in (COST_NAME, CITED_NAME) if name in result}
        if not facts or wrapped is None or _is_number(_plain(wrapped)):
            return result, {}  # a mapping id -> score may hold documents of these names
        return wrapped, facts
    facts = {}
    # Of a foreign object only what can be meant: a stand-in such as a mock has every attribute.
    if _is_number(_plain(cost := getattr(result, COST_NAME, None))):
        facts[COST_NAME] = cost
    if isinstance(cited := getattr(result, CITED_NAME, None), (list, tuple, set, frozenset)):
        facts[CITED_NAME] = cited
    names = () if isinstance(result, Iterable) or not facts else WRAPPER_NAMES
    wrapped = _first(getattr(result, name, None) for name in names)
    return (result if wrapped is None else wrapped), facts


def _cited(value: object) -> tuple[str, ...]:
    if not isinstance(value, (list, tuple, set, frozenset)):
        _refuse(f"{_named(value)} as the cited ids of an answer", "expected a list or a set of ids, or None")
    return tuple(dict.fromkeys(_id(one, " among the cited ids") for one in value))


def _cost(value: object) -> float | None:
    value = _plain(value)
    if value is None:
        return None
    if not _is_number(value) or not 0 <= float(value) < math.inf:  # type: ignore[arg-type]
        _refuse(f"{_named(value)} as the cost of an answer", "expected a number of at least 0, or None")
    return float(value)  # type: ignore[arg-type]


def read_answers(result: object, count: int) -> list[object]:
    """Read what one call for ``count`` texts returned: one answer per text, in their order.

    Raises:
        BadAnswer: there are more or fewer answers than texts, or it is no list of answers.
    """
    expected = "expected a list with one list of results per text, in the order of the texts"
    if isinstance(result, (Mapping, str, bytes, set, frozenset)) or not isinstance(result, Iterable):
        found = "None" if result is None else f"a value of type {type(result).__name__}"
        raise BadAnswer(f"search_batch returned {found}; {expected}")
    answers = list(islice(result, count + 1))
    if len(answers) != count:
        found = f"{len(answers)} answers" if len(answers) < count else "more answers than texts"
        raise BadAnswer(f"search_batch returned {found} for {count} texts; {expected}")
    return answers


def is_async(result: object) -> bool:
    """Whether an answer must be awaited: a coroutine, another awaitable, or an async generator."""
    kind = type(result)
    if kind is list or kind is tuple:
        return False
    return inspect.isawaitable(result) or is_stream(result)


def is_stream(result: object) -> bool:
    """Whether it is an async generator or the like, and nothing that can be iterated without a loop."""
    kind = type(result)
    return hasattr(kind, "__aiter__") and not hasattr(kind, "__iter__") and not hasattr(kind, "__getitem__")


def _elements(result: object) -> Iterable[object]:
    kind = type(result)
    if kind is list or kind is tuple:
        return result  # type: ignore[return-value]
    if result is None:
        _refuse("None")
    if isinstance(result, str):
        _refuse(f"a bare string ({_short(result)})")
    if isinstance(result, (bytes, bytearray, memoryview)):
        _refuse(kind.__name__)
    if isinstance(result, (set, frozenset)):
        _refuse(f"a {kind.__name__}, which has no order")
    iterable = hasattr(kind, "__iter__") or hasattr(kind, "__getitem__")
    if inspect.isawaitable(result) or (hasattr(kind, "__aiter__") and not iterable):
        if inspect.iscoroutine(result):
            result.close()  # or Python warns later, and elsewhere, that it was never awaited
        _refuse(
            f"a {kind.__name__}",
            "async retrievers are not supported by this call; wrap it in a function "
            "that waits for the answer, such as lambda text, k: asyncio.run(search(text, k))",
        )
    if kind.__name__ == "DataFrame":
        _refuse(
            "a DataFrame, whose elements are its column names",
            "expected a list of ids, such as list(frame['id'])",
        )
    names = (*getattr(kind, "_fields", ()), *getattr(kind, "model_fields", ()))
    if names and not set(names).isdisjoint(ID_ATTRIBUTES):
        _refuse(f"a single {kind.__name__}", "expected a list of them, also for one result")
    if hasattr(kind, "model_fields") or not iterable or getattr(result, "shape", None) == ():
        _refuse(f"an object of type {kind.__name__}, which is no list of results")
    assert isinstance(result, Iterable) or hasattr(kind, "__getitem__")
    return result  # type: ignore[return-value]  # iter() also takes the old sequence protocol


def _sorted_hits(scores: Mapping[object, object]) -> tuple[Hit, ...]:
    keys = set(scores)
    if not keys.isdisjoint(ID_KEYS) and (len(keys) == 1 or not keys.isdisjoint(SCORE_NAMES)):
        _refuse("a single mapping with an id", "expected a list of them, also for one result")
    hits = []
    for key, value in scores.items():
        where = f" in the key {_short(key)} of a mapping id -> score"
        score = _plain(value)
        if not _is_number(score):
            found = f"{_named(score)} as the score of {_short(key)}"
            _refuse(f"a mapping with {found}", "expected a mapping id -> score, or the list of results alone")
        hits.append(Hit(_id(key, where), _score(score, where)))
    return tuple(sorted(hits, key=_by_score))


def _by_score(hit: Hit) -> tuple[float, str]:
    return (-(hit.score or 0.0), hit.id)


def _hit(element: object, where: str) -> Hit:
    # Most results are plain ids, and ASCII is its own NFC: the shortest way, gone once per result.
    if type(element) is str and element.isascii() and element:
        return Hit(element)
    element = _plain(element)
    if element is None or isinstance(element, (str, bytes, Real)):
        return Hit(_id(element, where))
    if isinstance(element, Mapping):
        return _hit_of_mapping(element, where)
    if isinstance(element, (tuple, list)) and set(getattr(element, "_fields", ())).isdisjoint(ID_ATTRIBUTES):
        return _hit_of_pair(element, where)
    return _hit_of_object(element, where)


def _hit_of_pair(pair: tuple[object, ...] | list[object], where: str) -> Hit:
    kind = type(pair).__name__
    if len(pair) != 2:
        _refuse(f"a {kind} of {len(pair)}{where}")
    first, second = pair[0], _plain(pair[1])
    if second is not None and not _is_number(second):
        found = f"a {kind} whose second part is {_named(second)}{where}"
        _refuse(found, "expected (id, score), the score a number or None")
    if isinstance(first, (tuple, list)) and not hasattr(first, "_fields"):
        _refuse(f"a {kind} whose first part is a {type(first).__name__}{where}")
    score = _score(second, where)
    # Beside a library's own result object the number may as well be a distance.
    return Hit(_hit(first, where).id, None if is_result(first) else score)


def _hit_of_mapping(element: Mapping[object, object], where: str) -> Hit:
    value = _first(element.get(name) for name in ID_KEYS)
    if value is None:
        keys = ", ".join(_short(key) for key in islice(element, 8)) or "none"
        _refuse(
            f"a mapping without an id{where} (its keys: {keys})", f"expected an id under {_any_of(ID_KEYS)}"
        )
    return Hit(_id(value, where), _score(_first(element.get(name) for name in SCORE_NAMES), where))


def _hit_of_object(element: object, where: str) -> Hit:
    known = identified(element, where)
    if known is not None:
        return Hit(_id(known[0], where), _score(known[1], where))
    value = _first(getattr(element, name, None) for name in ID_ATTRIBUTES)
    metadata = getattr(element, "metadata", None)
    if value is None and isinstance(metadata, Mapping):
        value = _first(metadata.get(name) for name in ID_KEYS)
    if value is None:
        found = f"an object of type {type(element).__name__} without an id{where}"
        _refuse(found, f"expected an id in the attribute {_any_of(ID_ATTRIBUTES)}, or in its metadata")
    return Hit(_id(value, where), _score(_first(getattr(element, name, None) for name in SCORE_NAMES), where))


def _id(value: object, where: str) -> str:
    value = _plain(value)
    if isinstance(value, Integral) and not isinstance(value, bool):
        return str(int(value))
    if not isinstance(value, str):
        _refuse(f"{_named(value)} as an id{where}", "expected text or a whole number")
    if not value:
        _refuse(f"an empty id{where}")
    text = unicodedata.normalize("NFC", str.__str__(value))  # plain, also from a subclass of str
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        _refuse(
            f"an id that is no valid Unicode text{where}: {text!a}", "expected text without lone surrogates"
        )
    return text


def _score(value: object, where: str) -> float | None:
    value = _plain(value)
    if not _is_number(value):
        return None
    score = float(value)  # type: ignore[arg-type]
    if score != score:
        _refuse(f"a score that is NaN{where}", "expected a number or None")
    return score


def _is_number(value: object) -> bool:
    return isinstance(value, (Real, Decimal)) and not isinstance(value, bool)


def _plain(value: object) -> object:
    """Take the Python value out of a scalar of an array library."""
    if getattr(value, "shape", None) == () and hasattr(value, "item"):
        return value.item()
    return value


def _first(values: Iterable[object]) -> object:
    return next((value for value in values if value is not None), None)


def _named(value: object) -> str:
    if value is None:
        return "None"
    shown = f" ({_short(value)})" if isinstance(value, (str, bytes, bool, Real, Decimal)) else ""
    return f"a value of type {type(value).__name__}{shown}"


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _any_of(names: tuple[str, ...]) -> str:
    return f"{', '.join(names[:-1])} or {names[-1]}"


def _refuse(found: str, expected: str = _EXPECTED) -> NoReturn:
    raise BadAnswer(f"the retriever returned {found}; {expected}")
