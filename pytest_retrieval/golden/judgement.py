"""A grade that is to be written, and how it is written beside the labels that are there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Judgement:
    """A grade, with the version of the document that was read and who answers for it."""

    grade: int
    judged_version: str | None = None
    owner: str | None = None

    def value(self) -> int | dict[str, object]:
        """What stands behind a document's id in a mapping."""
        return self.told() if self.judged_version or self.owner else self.grade

    def entry(self, document: str) -> str | dict[str, object]:
        """What stands in a list of labels: an id alone means grade 1."""
        bare = self.grade == 1 and not self.judged_version and not self.owner
        return document if bare else {"id": document, **self.told()}

    def told(self) -> dict[str, object]:
        """The grade and what is known of it."""
        known = {"grade": self.grade, "judged_version": self.judged_version, "owner": self.owner}
        return {name: value for name, value in known.items() if value is not None}


Judgements = Mapping[str, Mapping[str, Judgement]]
"""Query id -> document id -> judgement."""
