"""A PostgreSQL of the tests' own: on loopback, in a temporary folder, gone afterwards."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

USER = "postgres"


def find_program(name: str) -> str | None:
    """A program of the newest PostgreSQL that is installed; Debian keeps them out of the path."""
    homes = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda home: float(home.parent.name))
    return shutil.which(name, path=os.pathsep.join([*map(str, reversed(homes)), os.environ["PATH"]]))


@contextmanager
def running() -> Iterator[str]:
    """Start a server; the value is a connection string for it."""
    initdb, pg_ctl = find_program("initdb"), find_program("pg_ctl")
    assert initdb
    assert pg_ctl
    # It refuses to run as root.
    user = USER if os.geteuid() == 0 else None
    with TemporaryDirectory(prefix="pg", ignore_cleanup_errors=True) as folder:
        if user:
            shutil.chown(folder, user)
        data = f"{folder}/data"
        _run([initdb, "-D", data, "-U", USER, "-A", "trust", "-E", "UTF8", "--locale=C", "-N"], user)
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        settings = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off"
        _run([pg_ctl, "-D", data, "-l", f"{folder}/log", "-w", "-o", settings, "start"], user)
        try:
            yield f"host=127.0.0.1 port={port} user={USER} dbname=postgres"
        finally:
            _run([pg_ctl, "-D", data, "-m", "immediate", "-w", "stop"], user)


def _run(command: list[str], user: str | None) -> None:
    # Not piped: the server would keep the pipe open, and the reader waiting.
    done = subprocess.run(
        command,
        user=user,
        cwd="/",
        stdout=subprocess.DEVNULL,
        stderr=subprocess.STDOUT,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, f"{command[0]} ended with {done.returncode}"
