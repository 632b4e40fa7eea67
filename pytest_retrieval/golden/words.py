"""The words of a text in any script."""

from __future__ import annotations

import re
import sys
import unicodedata
from functools import lru_cache

_ASCII_WORD = re.compile(r"[a-z0-9_]+")
# Scripts that set no blanks between words: runs of signs stand in for words, pairs of those that are
# words or syllables by themselves, threes of letters.
_UNSPACED = re.compile(
    "(?P<pairs>[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]+)"
    "|(?P<threes>[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]+)"
)


def words(text: str) -> list[str]:
    """The words of a text, case folded under NFKC, in order.

    Marks belong to the letter they stand on, as in Hindi. Chinese and Japanese give the
    overlapping pairs of signs; Thai, Lao, Burmese and Khmer the overlapping threes.
    """
    if text.isascii():
        return _ASCII_WORD.findall(text.lower())
    found = []
    for word in _any_word().findall(unicodedata.normalize("NFKC", text).casefold()):
        position = 0
        for run in _UNSPACED.finditer(word):
            if run.start() > position:
                found.append(word[position : run.start()])
            signs, size = run[0], 2 if run["pairs"] else 3
            found += [signs[start : start + size] for start in range(max(1, len(signs) - size + 1))]
            position = run.end()
        if position < len(word):
            found.append(word[position:])
    return found


@lru_cache(maxsize=1)
def _any_word() -> re.Pattern[str]:
    marks = [
        code
        for code in range(0x300, min(sys.maxunicode, 0x1F000))
        if unicodedata.category(chr(code))[0] == "M"
    ]
    return re.compile(f"[\\w{''.join(map(chr, marks))}]+")
