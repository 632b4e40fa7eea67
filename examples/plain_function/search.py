"""A search that is nothing but a function: words, weighted by how rare they are."""

from __future__ import annotations

import math
import os
import re
from collections import Counter
from pathlib import Path

# What the README calls the damage: "words are letters" sounds right, until somebody looks for P-1042.
WORD = re.compile(r"[a-z]+" if os.environ.get("DAMAGE") else r"[\w-]+")


def words(text: str) -> Counter[str]:
    return Counter(WORD.findall(text.lower()))


MANUAL = Path(__file__).parent / "manual"
PAGES = {f"manual/{page.name}": words(page.read_text("utf-8")) for page in sorted(MANUAL.glob("*.md"))}
HOLDERS = Counter(word for page in PAGES.values() for word in page)


def find(text: str, k: int) -> list[tuple[str, float]]:
    """The best k pages for a text with their scores, best first."""
    scores = {
        name: sum(page[word] * math.log(len(PAGES) / HOLDERS[word]) for word in words(text) if word in page)
        for name, page in PAGES.items()
    }
    found = [(name, score) for name, score in scores.items() if score > 0]
    return sorted(found, key=lambda hit: (-hit[1], hit[0]))[:k]
