"""What ``init`` writes: the text of each file, nothing of the disk."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from pytest_retrieval.commands.known_items import KnownItem

_PLAIN = re.compile(r"[\w.][\w./-]*", re.ASCII)

_GOLDEN = """\
# A starter golden set, written by `pytest-retrieval init`. Each query is a heading, and its answer is
# the document that has the heading. It guards against broken search; how well your users' own
# questions are answered it cannot tell. Add real ones below: from logs, tickets and search boxes.
{retriever}
documents: {documents}
# What is judged, and the drop of a mean that is accepted; these are the defaults:
# gate: {{metrics: [recall@5, ndcg@10], margin: 0.02}}
queries:
{queries}

  # Room for real questions. Take the "# " off a line and make it yours. Each kind of ten or more is
  # judged by itself; smaller ones are judged together. A grade of 2 answers, 1 helps.
  #
  # identifier: a name, a code or a message, as it is pasted into a search box
  # - {{id: i01, kind: identifier, text: "PRC-112", relevant: {{{first}: 2}}}}
  #
  # paraphrase: what a user says who has other words than the document
  # - {{id: p01, kind: paraphrase, text: "they owe us money so it is stuck", relevant: {{{first}: 2}}}}
  #
  # multi-hop: no single document has the whole answer
  # - {{id: m01, kind: multi-hop, text: "who pays and how", relevant: {{{first}: 2, {last}: 2}}}}
  #
  # unanswerable: nothing in the documents answers it; it is asked but not scored
  # - {{id: u01, kind: unanswerable, text: "how to bake bread", answerable: false}}
  #
  # A question that must never be lost fails by itself with a contract of its own:
  # - {{id: i02, kind: identifier, text: "PRC-113", relevant: [{first}], must: {{hit_rate@3: 1}}}}
"""

_FIXTURE_NAMED = "# Asked is the session fixture `retriever` in conftest.py."

CONFTEST = '''\
"""What the golden sets ask."""

import pytest


@pytest.fixture(scope="session")
def retriever():
    """Built once for all queries; what it returns is called with a text and how many results are wanted."""
    # Build or open your index here, for example:  index = load_index("index.db")

    def search(text: str, k: int) -> list[str]:
        # Return the ids of at most k documents, best first, as the golden set's labels write them.
        raise NotImplementedError("call your search in conftest.py")

    return search
'''

GIT_ATTRIBUTES_LINE = "baselines/** text eol=lf"

_WORKFLOW = """\
# The gate on search quality: red when a kind of question really got worse. It needs no secrets, so it
# runs for forks as well. Make the job a required check.
name: retrieval
on:
  pull_request:
  push:
    branches: [main, master]
permissions:
  contents: read
concurrency:
  group: ${{ github.workflow }}-${{ github.ref }}
  cancel-in-progress: ${{ github.event_name == 'pull_request' }}
jobs:
  gate:
    runs-on: ubuntu-latest
    timeout-minutes: 20
    steps:
      - uses: actions/checkout@v4
        with:
          fetch-depth: 0
          persist-credentials: false
      - uses: actions/setup-python@v5
        with:
          python-version: "3.12"
          cache: pip
          cache-dependency-path: .github/workflows/*.yml
INSTALL
      - name: Gate
        env:
          COLUMNS: "120"
        run: >-
          python -m pytest --retrieval-baseline --junitxml=junit.xml
          --retrieval-report=retrieval.json --retrieval-report=retrieval.md
      - uses: actions/upload-artifact@v4
        if: ${{ !cancelled() }}
        with:
          name: retrieval-report
          path: |
            retrieval.json
            retrieval.md
            junit.xml
"""
_INSTALL_BM25 = '      - run: python -m pip install "pytest-retrieval[bm25]"'
_INSTALL_OWN = (
    "      # and what your search needs: -e . or -r requirements.txt\n"
    "      - run: python -m pip install pytest-retrieval"
)


def golden_text(items: Sequence[KnownItem], globs: Sequence[str], *, retriever: str | None) -> str:
    """The starter golden set; ``retriever`` None leaves the header to the fixture of that name."""
    lines = [
        f"  - {{id: h{number:02}, kind: heading, written_by: machine, text: {_quoted(item.text)}, "
        f"relevant: [{_scalar(item.document)}]}}"
        for number, item in enumerate(items, 1)
    ]
    return _GOLDEN.format(
        retriever=f"retriever: {retriever}" if retriever else _FIXTURE_NAMED,
        documents=f"[{', '.join(_quoted(glob) for glob in globs)}]",
        queries="\n".join(lines),
        first=_scalar(items[0].document),
        last=_scalar(items[-1].document),
    )


def workflow_text(*, retriever: str | None) -> str:
    """The GitHub workflow; without a built-in retriever it says where the search's needs are installed."""
    return _WORKFLOW.replace("INSTALL", _INSTALL_BM25 if retriever else _INSTALL_OWN)


def _scalar(text: str) -> str:
    return text if _PLAIN.fullmatch(text) else _quoted(text)


def _quoted(text: str) -> str:
    # YAML reads JSON's text, except for the two halves of a sign beyond 16 bits: printable ones stay.
    return json.dumps(text, ensure_ascii=not text.isprintable())
