"""``pytest-retrieval COMMAND``: works on files, asks no retriever."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from pytest_retrieval import __version__
from pytest_retrieval.golden.errors import InputError


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; 0 when it did what was asked, 1 when it refused, 2 for wrong words."""
    from pytest_retrieval.commands import (
        accept,
        check,
        compare,
        convert,
        diagnose,
        init,
        judge,
        pool,
        power,
    )

    parser = argparse.ArgumentParser(
        prog="pytest-retrieval", description="Work on the files of pytest-retrieval."
    )
    parser.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    accept.add_parser(commands)
    check.add_parser(commands)
    compare.add_parser(commands)
    convert.add_parser(commands)
    diagnose.add_parser(commands)
    init.add_parser(commands)
    judge.add_parser(commands)
    pool.add_parser(commands)
    power.add_parser(commands)
    options = parser.parse_args(arguments)
    try:
        done = int(options.run(options))
        sys.stdout.flush()
        return done
    except InputError as error:
        print(f"pytest-retrieval {options.command}: {error}", file=sys.stderr)
        return 1
    except BrokenPipeError:
        # Whoever read has read enough; nothing more may be written, not even at the end of Python.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


if __name__ == "__main__":
    sys.exit(main())
