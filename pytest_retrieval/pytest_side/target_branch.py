"""The baselines of the branch that this one is to be merged into, read from git."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest


@dataclass(frozen=True)
class TargetBranch:
    """Where this branch left the one that ``ref`` names; ``top`` is the work tree's folder."""

    ref: str
    commit: str
    top: Path

    def __str__(self) -> str:
        return f"{self.ref} ({self.commit[:10]})"

    def content(self, path: Path) -> bytes | None:
        """A file's bytes at that commit, None where it was not there."""
        name = path.resolve().relative_to(self.top).as_posix()
        shown = subprocess.run(
            ["git", "-C", str(self.top), "show", f"{self.commit}:{name}"], capture_output=True, check=False
        )
        return shown.stdout if shown.returncode == 0 else None


def find_target(ref: str, root: Path) -> TargetBranch:
    """The merge base of HEAD and ``ref``; raises UsageError where git or its history is missing."""
    if ref.startswith("-"):
        raise pytest.UsageError(f"--retrieval-baseline-ref={ref}: expected a branch, such as origin/main")
    top = _git(ref, root, "rev-parse", "--show-toplevel")
    commit = _git(ref, root, "merge-base", "HEAD", ref)
    return TargetBranch(ref, commit, Path(top).resolve())


def _git(ref: str, root: Path, *words: str) -> str:
    try:
        done = subprocess.run(["git", "-C", str(root), *words], capture_output=True, check=False)
    except OSError as error:
        raise _unknown(ref, f"git cannot be run ({error.strerror})") from None
    if done.returncode:
        reason = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise _unknown(ref, reason[0] if reason else "there is no common commit in this history")
    return done.stdout.decode("utf-8", "surrogateescape").strip()


def _unknown(ref: str, reason: str) -> pytest.UsageError:
    return pytest.UsageError(
        f"--retrieval-baseline-ref={ref}: where this branch left it is not known, nothing was compared: "
        f"{reason}. Fetch the whole history (git fetch --unshallow origin; in GitHub Actions: fetch-depth: 0)"
    )
