"""The flags and ini keys: declared once, read once, checked before anything runs.

Every ``--retrieval-<noun>`` has an ini key ``retrieval_<noun>``, written as a string or,
in pytest 9's TOML, as a native number or list. Flag over golden-set header over ini over default.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, TypeVar, cast

import pytest

from pytest_retrieval.pytest_side.option_values import fail_on as _fail_on
from pytest_retrieval.pytest_side.option_values import names as _names
from pytest_retrieval.pytest_side.option_values import report_text as _report_text
from pytest_retrieval.pytest_side.option_values import reports as _reports
from pytest_retrieval.pytest_side.option_values import text as _text
from pytest_retrieval.pytest_side.private import ini_value

T = TypeVar("T")


def _metrics(value: object) -> tuple[str, ...]:
    from pytest_retrieval.scoring.names import canonical

    return canonical(_names(value))


def _margin(value: object) -> float:
    number = _number(value)
    if not 0 <= number <= 1:
        raise ValueError("expected a number from 0 to 1")
    return number


def _confidence(value: object) -> float:
    number = _number(value)
    if not 0.5 < number < 1:
        raise ValueError("expected a number between 0.5 and 1, as in 0.95")
    return number


def _number(value: object) -> float:
    """A number, NaN for what is none."""
    if isinstance(value, bool):
        return math.nan
    try:
        return float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return math.nan


def _count(value: object, least: int = 1) -> int:
    try:
        number = int(value) if isinstance(value, (int, str)) and not isinstance(value, bool) else least - 1
    except ValueError:
        number = least - 1
    if number < least:
        raise ValueError(f"expected a whole number of at least {least}")
    return number


def _count_or_none(value: object) -> int:
    return _count(value, 0)


def _pattern(value: object) -> str:
    text = _text(value)
    try:
        groups = re.compile(text).groups
    except re.error as error:
        raise ValueError(f"expected a regular expression ({error})") from None
    if not groups:
        raise ValueError(
            "expected a regular expression with a group that holds the document, such as '^(.*)#'"
        )
    return text


def _when(value: object) -> str:
    if value not in ("always", "on_request"):
        raise ValueError("expected 'always' or 'on_request'")
    return str(value)


def _correction(value: object) -> str:
    # The words are gating.policy's; reading the options must not import that room.
    if value not in ("max-t", "holm"):
        raise ValueError("expected 'max-t' or 'holm'")
    return str(value)


def _yes(value: object) -> bool:
    text = str(value).strip().lower()
    if text not in ("true", "false", "yes", "no", "on", "off", "1", "0"):
        raise ValueError("expected true or false")
    return text in ("true", "yes", "on", "1")


class Option(NamedTuple):
    """One flag with its ini key; ``parse`` raises ValueError saying what was expected."""

    name: str
    parse: Callable[[object], Any]
    metavar: str
    help: str
    repeatable: bool = False

    @property
    def flag(self) -> str:
        """The option on the command line."""
        return f"--retrieval-{self.name}"

    @property
    def key(self) -> str:
        """The option in an ini file."""
        return "retrieval_" + self.name.replace("-", "_")


OPTIONS = (
    Option("files", _names, "GLOBS", "further golden sets: globs relative to the root, read strictly"),
    Option(
        "retriever", _text, "NAME", "a fixture, package.module:object, run:PATH or bm25 (default: retriever)"
    ),
    Option("depth", _count, "K", "results asked for per query (default: 20, or the largest cut-off)"),
    Option(
        "metrics", _metrics, "LIST", "what is reported (default: hit_rate@5,precision@5,recall@5,mrr,ndcg@10)"
    ),
    Option("gate", _metrics, "LIST", "metrics that are gated (default: recall@5,ndcg@10)"),
    Option("margin", _margin, "X", "the drop of a mean that is accepted, 0 to 1 (default: 0.02)"),
    Option("confidence", _confidence, "X", "1 minus the error allowed (default: 0.95)"),
    Option("min-queries", _count, "N", "smaller kinds are judged together (default: 10)"),
    Option("correction", _correction, "METHOD", "how gates share the error: max-t (default) or holm"),
    Option(
        "fail-on",
        _fail_on,
        "LIST",
        "what else makes a build red: suspected, stale (improved since the baseline)",
    ),
    Option("max-errors", _count_or_none, "N", "failed queries per set that only warn (default: 0)"),
    Option("repeats", _count, "N", "ask every query N times, for noisy retrievers (default: 1)"),
    Option("document-id", _pattern, "REGEX", "the first group is the document of a hit, such as '^(.*)#'"),
    Option("baseline-dir", _text, "DIR", "the baselines' folder, relative to the root (default: baselines)"),
    Option("baseline-ref", _text, "BRANCH", "compare with the baselines where this branch left BRANCH"),
    Option(
        "report",
        _reports,
        "FILE",
        "write a report: FILE.json, FILE.html, FILE.md or FILE.codequality.json (repeatable)",
        repeatable=True,
    ),
    Option("report-text", _report_text, "WHAT", "text, or id: keep the queries' texts out (default: text)"),
    Option(
        "run",
        _when,
        "WHEN",
        "always, or on_request: only for named golden sets and baseline flags (default: always)",
    ),
    Option("kind", _names, "LIST", "only these kinds", repeatable=True),
    Option("tag", _names, "LIST", "only queries with one of these tags", repeatable=True),
    Option("split", _names, "LIST", "only these splits", repeatable=True),
)


@dataclass(frozen=True)
class Settings:
    """What was said on the command line and in the ini file, parsed and in range.

    ``typed_in`` is the folder in which the command line was typed.
    """

    typed_in: Path
    flags: Mapping[str, Any]
    ini: Mapping[str, Any]
    compare: bool
    update: bool
    noise: bool = False
    anchor_reason: str = ""

    def choose(self, name: str, header: T | None, default: T) -> T:
        """The value of one option: flag, then the golden set's header, then ini, then default."""
        for value in (self.flags.get(name), header, self.ini.get(name)):
            if value is not None:
                return cast(T, value)
        return default

    def value(self, name: str, default: T) -> T:
        """The value of an option that a header does not know."""
        return self.choose(name, None, default)

    @property
    def population(self) -> dict[str, tuple[str, ...]]:
        """The declared filters: field -> accepted values."""
        filters: dict[str, tuple[str, ...]] = {}
        for name in ("kind", "tag", "split"):
            values: tuple[str, ...] | None = self.value(name, None)
            if values:
                filters[name] = tuple(dict.fromkeys(values))
        return filters

    @property
    def asked_by_flag(self) -> bool:
        """Whether a baseline is compared or written."""
        return self.compare or self.update


SETTINGS = pytest.StashKey[Settings]()
_UPDATE = "retrieval_update_baseline"
SHORT_UPDATE = "--update-baseline"
OWNED_ELSEWHERE = pytest.StashKey[bool]()


def add_options(parser: pytest.Parser) -> None:
    """Register the flags and ini keys."""
    group = parser.getgroup("retrieval", "search quality (pytest-retrieval)")
    group.addoption(
        "--retrieval-baseline",
        action="store_true",
        default=None,
        help="compare with the committed baselines; fail on proven regressions",
    )
    group.addoption(
        "--retrieval-update-baseline",
        action="store_true",
        default=False,
        dest=_UPDATE,
        help="write the baselines from this run (short: --update-baseline)",
    )
    group.addoption(
        "--retrieval-update-anchor",
        metavar="REASON",
        default=None,
        help="with an update of the baselines: move the anchors, too, and keep the reason",
    )
    group.addoption(
        "--retrieval-noise",
        action="store_true",
        default=False,
        help="ask every query twice, and tell how the answers differ",
    )
    parser.addini("retrieval_baseline", "true: compare with the baselines in every run")
    for option in OPTIONS:
        group.addoption(
            option.flag,
            action="append" if option.repeatable else "store",
            default=None,
            metavar=option.metavar,
            help=option.help,
        )
        parser.addini(option.key, option.help)


def add_short_update_flag(early_config: pytest.Config, parser: pytest.Parser) -> None:
    """Add ``--update-baseline`` unless a conftest or another plugin owns that name."""
    _, unknown = parser.parse_known_and_unknown_args([SHORT_UPDATE])
    owned = SHORT_UPDATE not in unknown
    early_config.stash[OWNED_ELSEWHERE] = owned
    if not owned:
        parser.getgroup("retrieval").addoption(
            SHORT_UPDATE,
            action="store_true",
            default=False,
            dest=_UPDATE,
            help="short for --retrieval-update-baseline",
        )


def read_settings(config: pytest.Config) -> Settings:
    """Read and check every option; a bad one is a usage error (exit 4)."""
    flags: dict[str, Any] = {}
    ini: dict[str, Any] = {}
    for option in OPTIONS:
        given = config.getoption("retrieval_" + option.name.replace("-", "_"))
        if given is not None:
            text = ",".join(given) if option.repeatable else given
            flags[option.name] = _parse(option, text, option.flag)
        written = ini_value(config, option.key)
        if written is not None and written != "":
            ini[option.name] = _parse(option, written, option.key)
    compare = config.getoption("retrieval_baseline")
    if compare is None:
        written = ini_value(config, "retrieval_baseline")
        try:
            compare = _yes(written) if written is not None else False
        except ValueError as error:
            raise pytest.UsageError(f"retrieval_baseline = {written!r}: {error}") from None
        compare = compare and not config.getoption(_UPDATE)
    update = config.getoption(_UPDATE)
    compare = compare or "baseline-ref" in flags
    if compare and update:
        raise pytest.UsageError(
            "--retrieval-baseline compares with the baselines and --update-baseline replaces them: "
            "give one of them"
        )
    noise = bool(config.getoption("retrieval_noise"))
    reason = _anchor_reason(config.getoption("retrieval_update_anchor"), update)
    return Settings(config.invocation_params.dir, flags, ini, bool(compare), bool(update), noise, reason)


def _anchor_reason(given: str | None, update: bool) -> str:
    if given is None:
        return ""
    if not update:
        raise pytest.UsageError("--retrieval-update-anchor is part of an update: add --update-baseline")
    reason = " ".join(given.split())
    if not reason:
        raise pytest.UsageError("--retrieval-update-anchor: expected the reason for the move")
    return reason


def _parse(option: Option, value: Any, place: str) -> Any:
    try:
        return option.parse(value)
    except ValueError as error:
        raise pytest.UsageError(f"{place} = {value!r}: {error}") from None
