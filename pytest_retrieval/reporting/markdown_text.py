"""Markdown in which foreign text stays text: no mark-up, no HTML, no link, no mention."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from pytest_retrieval.reporting import wording
from pytest_retrieval.reporting.printable import clip, harmless

# What can begin mark-up, HTML, a link, a mention, an emoji, a formula or a cell of a table. An entity
# never does: Markdown reads these after the structure.
_SIGNS = {ord(sign): f"&#{ord(sign)};" for sign in "&<>\"'\\`*_{}[]()#|~!@:$^"}
_TAME = re.compile(r"[(\[]*(?!www\.)[\w.,;%+=-]*[)\].,;:]*", re.ASCII)
_METRIC = re.compile(r"[a-z_]+@\d+[.,;:]*")
LONGEST = 200
"""Of a foreign text that stands in a report."""


def code(text: str, longest: int = LONGEST) -> str:
    """Foreign text as inline code, where a platform looks for no names, numbers of issues or links."""
    return f"<code>{_entities(clip(harmless(text), longest))}</code>"


def sentence(text: str) -> str:
    """A sentence of ours that may name ids: its words as they are, and as code where they are not plain."""
    return " ".join(map(_word, harmless(text).split()))


def _word(word: str) -> str:
    if _METRIC.fullmatch(word):
        return word  # with a letter before the sign it names nobody
    # a colon that ends a word begins nothing
    return re.sub(r"&#58;$", ":", _entities(word)) if _TAME.fullmatch(word) else code(word)


def _entities(text: str) -> str:
    return text.translate(_SIGNS).replace("www.", "www&#46;")


def slice_name(label: Mapping[str, object]) -> str:
    """The label of a slice, with what is foreign in it as code."""
    if not label:
        return "all queries"
    if set(label) == {"kinds"} and isinstance(label["kinds"], (list, tuple)):
        return f"{' + '.join(code(str(one)) for one in label['kinds'])} (small kinds together)"
    if set(label) == {"kind"}:
        return code(str(label["kind"]))
    return ", ".join(f"{code(str(name))}: {code(wording.values(value))}" for name, value in label.items())


def row(cells: Iterable[str]) -> str:
    """One row of a table, from cells that are Markdown."""
    return f"| {' | '.join(cells)} |"


def head(titles: Sequence[str], numbers: int = 0) -> str:
    """The first two lines of a table; the last ``numbers`` columns are aligned to the right."""
    left = len(titles) - numbers
    return f"{row(titles)}\n{row([':--'] * left + ['--:'] * numbers)}"
