"""What the plugin costs a session without a golden set.

Run with ``python benchmarks/startup.py``; exits 1 when a limit is missed. Sessions with the
plugin and with an empty one in its place take turns within one process, and the plugin's modules
are forgotten before each, so that every session imports them. The figure is the median of the
differences of CPU times: whole processes differ by ten times as much from one to the next.
"""

from __future__ import annotations

import contextlib
import io
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

PAIRS = 60
MILLISECONDS = 15.0
HEAVY = ("numpy", "yaml")

WITH, WITHOUT = "pytest_retrieval.plugin", "empty_plugin"
# Says what one run of pytest has imported.
LISTING = f"""
import sys, pytest
code = pytest.main(sys.argv[1:])
print("imported:", *sorted(set({HEAVY!r}) & set(sys.modules)))
sys.exit(code)
"""


def cpu_milliseconds(plugin: str, *arguments: str) -> float:
    """The CPU time of a session in the current folder that imports ``plugin`` anew."""
    for name in [name for name in sys.modules if name.partition(".")[0] in ("pytest_retrieval", WITHOUT)]:
        del sys.modules[name]
    started = time.process_time()
    with contextlib.redirect_stdout(io.StringIO()):
        code = pytest.main(["-q", "-s", "-p", "no:cacheprovider", "-p", plugin, *arguments])
    spent = 1_000 * (time.process_time() - started)
    if code:
        raise SystemExit(f"pytest -p {plugin} {' '.join(arguments)}: exit {code}")
    return spent


def added_milliseconds(*arguments: str) -> float:
    """The median difference that the plugin makes."""
    for plugin in (WITH, WITHOUT):
        cpu_milliseconds(plugin, *arguments)
    differences = []
    for turn in range(PAIRS):
        # Each side goes first every other time.
        sides = (WITH, WITHOUT) if turn % 2 else (WITHOUT, WITH)
        spent = {side: cpu_milliseconds(side, *arguments) for side in sides}
        differences.append(spent[WITH] - spent[WITHOUT])
    return statistics.median(differences)


def imports(plugin: str) -> set[str]:
    """Which of the heavy libraries a run of pytest imports."""
    command = [sys.executable, "-c", LISTING, "-q", "-p", plugin]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return set(done.stdout.splitlines()[-1].split()[1:])


def main() -> int:
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    # Byte code is kept, as after any first run.
    sys.dont_write_bytecode = False
    with tempfile.TemporaryDirectory() as scratch:
        sys.pycache_prefix = str(Path(scratch, "bytecode"))
        folder = Path(scratch, "project")
        folder.mkdir()
        (folder / "pytest.ini").write_text("[pytest]\n", "utf-8")
        (folder / f"{WITHOUT}.py").write_text("", "utf-8")
        (folder / "test_empty.py").write_text("def test_empty():\n    pass\n", "utf-8")
        os.chdir(folder)
        sys.path.insert(0, str(folder))
        ours = imports(WITH) - imports(WITHOUT)
        added = {
            "one empty test": added_milliseconds(),
            "--collect-only": added_milliseconds("--collect-only"),
        }
    for name, milliseconds in added.items():
        print(
            f"{milliseconds:+.1f} ms CPU for a session without a golden set, {name} (below {MILLISECONDS:g})"
        )
    print(f"imported by the plugin: {', '.join(sorted(ours)) or 'neither ' + ' nor '.join(HEAVY)}")
    return int(bool(ours) or max(added.values()) >= MILLISECONDS)


if __name__ == "__main__":
    sys.exit(main())
