"""Values -> YAML text that our own reader, and any other, reads back as the same text."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

_PLAIN = re.compile(r"[A-Za-z_][\w./-]*|[A-Za-z][\w'.()/?!%+-]*(?: [\w'.()/?!%+-]+)*", re.ASCII)
# Plain, these are values and no text, to our reader or to others.
_VALUES = re.compile(r"null|true|false|yes|no|on|off|y|n|nan|inf", re.IGNORECASE)


def scalar_text(text: str) -> str:
    """An id or a question as a YAML scalar, plain where no reader can mistake it."""
    return text if _PLAIN.fullmatch(text) and not _VALUES.fullmatch(text) else quoted(text)


def quoted(text: str) -> str:
    """``text`` in double quotes; what is not printable is escaped as YAML does, not as JSON."""
    inner = json.dumps(text, ensure_ascii=False)
    if inner.isprintable():
        return inner
    return "".join(one if one.isprintable() else _escape(one) for one in inner)


def _escape(character: str) -> str:
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def flow(value: object) -> str:
    """A value as JSON has it, in YAML's flow style on one line; texts read back as texts."""
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{key_text(str(key))}: {flow(one)}' for key, one in value.items())}}}"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(flow, value))}]"
    if isinstance(value, str):
        return scalar_text(value)
    return json.dumps(value)


def key_text(text: str) -> str:
    """A text as the key of a mapping; whole numbers stay plain, since every key is text."""
    return text if text.isascii() and text.isdigit() else scalar_text(text)
