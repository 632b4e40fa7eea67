"""Names for the nodes of kinds and queries: safe to print, to paste and to match."""

from __future__ import annotations

import hashlib
import re
import unicodedata

_UNSAFE = re.compile(r"[^\w.+=@,~-]+")
_MARKED = re.compile(r"~[0-9a-f]{8}$")
_LONGEST = 80


def node_name(text: str) -> str:
    """A name that stands for ``text`` in a node id.

    Letters and digits of any script and ``_ . + = @ , ~ -`` stay. Everything else
    (brackets, ``::``, slashes, blanks, control characters) becomes ``_``, and the name
    then ends in ``~`` and eight hex digits of the text's SHA-256, so that two texts
    never share a name and a name never depends on its neighbours.
    """
    safe = _UNSAFE.sub("_", unicodedata.normalize("NFC", text))
    if safe == text and len(text) <= _LONGEST and not _MARKED.search(text) and not text.startswith("-"):
        return text
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"{safe[:_LONGEST].strip('_-')}~{digest}"


def repeated(name: str, run: int) -> str:
    """The name of a query's item in the first run (0) or a later one."""
    return f"{name}[{run + 1}]" if run else name
