"""The search service of a library: GET /search?q=...&limit=... over the pages of its help."""

from __future__ import annotations

import math
import os
import re
from collections import Counter
from pathlib import Path

from fastapi import FastAPI, Query

app = FastAPI()


def words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def indexed_part(page: str) -> str:
    """What of a page is searched; the damage of the README leaves the titles only."""
    return page.split("\n", 1)[0] if os.environ.get("DAMAGE") else page


FILES = sorted((Path(__file__).parent / "pages").glob("*.md"))
PAGES = {file.stem: Counter(words(indexed_part(file.read_text("utf-8")))) for file in FILES}
HOLDERS = Counter(word for page in PAGES.values() for word in page)


@app.get("/search")
def search(q: str, limit: int = Query(10, ge=1, le=100)) -> dict[str, list[dict[str, object]]]:
    scores = {
        name: sum(math.log(1 + len(PAGES) / HOLDERS[word]) for word in set(words(q)) if word in page)
        for name, page in PAGES.items()
    }
    best = sorted((name for name in scores if scores[name] > 0), key=lambda name: (-scores[name], name))
    return {"hits": [{"id": name, "score": round(scores[name], 6)} for name in best[:limit]]}
