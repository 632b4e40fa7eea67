"""What is kept beside a grade: which version was read, who answers for it, and what was pooled."""

from __future__ import annotations

import datetime
from dataclasses import replace
from pathlib import Path

from pytest_retrieval.commands.writing_files import write_file
from pytest_retrieval.golden.documents import Document
from pytest_retrieval.golden.errors import GoldenError
from pytest_retrieval.golden.judgement import Judgement
from pytest_retrieval.golden.label_editing import with_pooling
from pytest_retrieval.golden.model import Pooling
from pytest_retrieval.golden.reader import load_golden
from pytest_retrieval.reporting.printable import harmless


def judgement_of(grade: int, document: Document | None, owner: str | None) -> Judgement:
    """A grade with the version of the document that was read, where the corpus has one."""
    return Judgement(grade, document.version if document else None, owner)


def record_pool(path: Path, pooling: Pooling, unjudged: int) -> None:
    """Keep in the header what was pooled; a golden set that cannot take it says what to add by hand."""
    golden = load_golden(path, check_documents=False)
    today = datetime.datetime.now(tz=datetime.timezone.utc).date().isoformat()
    try:
        edit = with_pooling(golden, replace(pooling, date=today, unjudged=unjudged))
    except GoldenError as error:
        print(f"  warning: {harmless(str(error))}")
        return
    write_file(edit.path, edit.content)
    print(f"  the header records the pool: {len(pooling.sources)} rankings to depth {pooling.depth}")
