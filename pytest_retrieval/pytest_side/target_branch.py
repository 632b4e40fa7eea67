"""The branch that this one is to be merged into: where this one left it, and what it held there."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from pytest_retrieval.gating.baseline_file import FORMAT

_SHOWN = 8


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
        place = path.resolve()
        if not place.is_relative_to(self.top):
            raise _unknown(
                self.ref, f"{path} lies outside of the work tree {self.top}, so no branch holds it"
            )
        name = place.relative_to(self.top).as_posix()
        shown = _run(self.top, "show", f"{self.commit}:{name}")
        return shown.stdout if shown.returncode == 0 else None

    def baselines(self, root: Path) -> Iterator[Path]:
        """The files that were baselines or anchors at that commit; below ``root`` as paths of it."""
        # Without the exact version: a baseline of another one is still a baseline.
        words = ("grep", "--files-with-matches", "-z", "-F", "-e", FORMAT.partition("/")[0])
        found = _run(self.top, *words, self.commit, "--", "*.json").stdout
        for entry in found.decode("utf-8", "surrogateescape").split("\0"):
            _, _, name = entry.partition(":")
            if name:
                path, real = self.top / name, root.resolve()
                yield root / path.relative_to(real) if path.is_relative_to(real) else path


def find_target(ref: str, root: Path) -> TargetBranch:
    """The merge base of HEAD and ``ref``; raises UsageError where git or its history is missing."""
    if ref.startswith("-"):
        raise pytest.UsageError(f"--retrieval-baseline-ref={ref}: expected a branch, such as origin/main")
    try:
        top = _run(root, "rev-parse", "--show-toplevel")
    except OSError as error:
        raise _unknown(ref, f"git cannot be run ({error.strerror})") from None
    if top.returncode:
        reason = (top.stderr.decode("utf-8", "replace").strip().splitlines() or ["no work tree"])[0]
        raise _unknown(ref, f"{reason}. Run in a checkout, or leave the option out")
    shallow = _text(root, "rev-parse", "--is-shallow-repository") == "true"
    if _run(root, "rev-parse", "--verify", "--quiet", f"{ref}^{{commit}}").returncode:
        raise _unknown(ref, _no_such(ref, root, shallow))
    commit = _text(root, "merge-base", "HEAD", ref)
    if not commit:
        reason = "this clone has no commit that both come from"
        raise _unknown(ref, f"{reason}. {_whole_history('origin')}" if shallow else f"{reason}")
    return TargetBranch(ref, commit, Path(_decoded(top.stdout)).resolve())


def _no_such(ref: str, root: Path, shallow: bool) -> str:
    remote, _, branch = ref.partition("/")
    formats = ("--format=%(refname:short)", "refs/heads", "refs/remotes")
    known = [name for name in _text(root, "for-each-ref", *formats).split("\n") if "/HEAD" not in name]
    some = ", ".join(known[:_SHOWN]) + (f" and {len(known) - _SHOWN} more" if len(known) > _SHOWN else "")
    reason = f"this clone has no such branch; it has {some or 'none'}"
    if not branch or remote not in _text(root, "remote").split("\n"):
        return reason
    if shallow:
        return f"{reason}. {_whole_history(remote)}"
    return f"{reason}. Fetch it: git fetch {remote} +refs/heads/{branch}:refs/remotes/{ref}"


def _whole_history(remote: str) -> str:
    return (
        "Fetch the whole history (in GitHub Actions: fetch-depth: 0; in GitLab: GIT_DEPTH: 0): "
        f'git fetch --unshallow {remote} "+refs/heads/*:refs/remotes/{remote}/*"'
    )


def _unknown(ref: str, reason: str) -> pytest.UsageError:
    return pytest.UsageError(
        f"--retrieval-baseline-ref={ref}: where this branch left it is not known, nothing was asked: {reason}"
    )


def _run(folder: Path, *words: str) -> subprocess.CompletedProcess[bytes]:
    # What people set for their own eyes must not change what is read here.
    plain = ("-c", "color.ui=false", "-c", "grep.fullName=false")
    return subprocess.run(["git", "-C", str(folder), *plain, *words], capture_output=True, check=False)


def _text(folder: Path, *words: str) -> str:
    return _decoded(_run(folder, *words).stdout)


def _decoded(output: bytes) -> str:
    return output.decode("utf-8", "surrogateescape").strip()
