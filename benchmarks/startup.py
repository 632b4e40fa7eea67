"""What the plugin costs a session without a golden set.

Run with ``python benchmarks/startup.py``; exits 1 when a limit is missed. Runs of pytest with
the plugin and with ``-p no:retrieval`` take turns, and the figure is the median of the
differences of their CPU times: whatever else the machine does hits both sides alike.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

PAIRS = 40
MILLISECONDS = 15.0
HEAVY = ("numpy", "yaml")

WITH, WITHOUT = ("-p", "pytest_retrieval.plugin"), ("-p", "no:retrieval")
# Says what one run of pytest has imported.
LISTING = f"""
import sys, pytest
code = pytest.main(sys.argv[1:])
print("imported:", *sorted(set({HEAVY!r}) & set(sys.modules)))
sys.exit(code)
"""


def environment(folder: Path) -> dict[str, str]:
    """Byte code is kept, as after any first run, and other plugins stay out."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTHONPYCACHEPREFIX": str(folder / "bytecode"), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}


def cpu_milliseconds(folder: Path, *arguments: str) -> float:
    """The user and system time of one pytest run and all its children."""
    command = [sys.executable, "-m", "pytest", "-q", *arguments]
    process = subprocess.Popen(command, cwd=folder, env=environment(folder), stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)}: exit {process.returncode}")
    return 1_000 * (usage.ru_utime + usage.ru_stime)


def added_milliseconds(folder: Path, *arguments: str) -> float:
    """The median difference that the plugin makes."""
    for side in (WITH, WITHOUT):
        cpu_milliseconds(folder, *side, *arguments)
    differences = []
    for turn in range(PAIRS):
        # Each side goes first every other time.
        sides = (WITH, WITHOUT) if turn % 2 else (WITHOUT, WITH)
        spent = {side: cpu_milliseconds(folder, *side, *arguments) for side in sides}
        differences.append(spent[WITH] - spent[WITHOUT])
    return statistics.median(differences)


def imports(folder: Path, *arguments: str) -> set[str]:
    """Which of the heavy libraries a run of pytest imports."""
    command = [sys.executable, "-c", LISTING, "-q", *arguments]
    done = subprocess.run(
        command, cwd=folder, env=environment(folder), capture_output=True, text=True, check=True
    )
    return set(done.stdout.splitlines()[-1].split()[1:])


def main() -> int:
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        (folder / "pytest.ini").write_text("[pytest]\n", "utf-8")
        (folder / "test_empty.py").write_text("def test_empty():\n    pass\n", "utf-8")
        ours = imports(folder, *WITH) - imports(folder, *WITHOUT)
        added = {
            "one empty test": added_milliseconds(folder),
            "--collect-only": added_milliseconds(folder, "--collect-only"),
        }
    for name, milliseconds in added.items():
        print(
            f"{milliseconds:+.1f} ms CPU for a session without a golden set, {name} (below {MILLISECONDS:g})"
        )
    print(f"imported by the plugin: {', '.join(sorted(ours)) or 'neither ' + ' nor '.join(HEAVY)}")
    return int(bool(ours) or max(added.values()) >= MILLISECONDS)


if __name__ == "__main__":
    sys.exit(main())
