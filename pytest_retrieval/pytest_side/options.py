"""The flags and ini keys: declared once, read once, checked before anything runs.

Every ``--retrieval-<noun>`` has an ini key ``retrieval_<noun>``, written as a string or,
in pytest 9's TOML, as a native number or list. Flag over golden-set header over ini over default.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple, TypeVar, cast

import pytest

from pytest_retrieval.pytest_side import values
from pytest_retrieval.pytest_side.private import ini_value

T = TypeVar("T")


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
    Option("files", values.names, "GLOBS", "further golden sets: globs relative to the root, read strictly"),
    Option(
        "retriever",
        values.text,
        "NAME",
        "a fixture, package.module:object, run:PATH or bm25 (default: retriever)",
    ),
    Option("depth", values.count, "K", "results asked for per query (default: 20, or the largest cut-off)"),
    Option(
        "metrics",
        values.metric_names,
        "LIST",
        "what is reported (default: hit_rate@5,precision@5,recall@5,mrr,ndcg@10)",
    ),
    Option("gate", values.metric_names, "LIST", "metrics that are gated (default: recall@5,ndcg@10)"),
    Option("margin", values.margin, "X", "the drop of a mean that is accepted, 0 to 1 (default: 0.02)"),
    Option("confidence", values.confidence, "X", "1 minus the error allowed (default: 0.95)"),
    Option("min-queries", values.count, "N", "smaller kinds are judged together (default: 10)"),
    Option("correction", values.correction, "METHOD", "how gates share the error: max-t (default) or holm"),
    Option(
        "fail-on",
        values.fail_on,
        "LIST",
        "what else makes a build red: suspected, stale (improved since the baseline)",
    ),
    Option("max-errors", values.count_or_none, "N", "failed queries per set that only warn (default: 0)"),
    Option("repeats", values.count, "N", "ask every query N times, for noisy retrievers (default: 1)"),
    Option(
        "document-id", values.pattern, "REGEX", "the first group is the document of a hit, such as '^(.*)#'"
    ),
    Option("concurrency", values.count, "N", "calls of the retriever at a time, in threads (default: 1)"),
    Option("timeout", values.limit, "SECONDS", "how long a query may take (default: without a limit)"),
    Option("retries", values.count_or_none, "N", "further tries after a declared exception (default: 0)"),
    Option(
        "retry-on",
        values.names,
        "LIST",
        "the exceptions to try again after (default: ConnectionError,TimeoutError)",
    ),
    Option("retry-wait", values.wait, "SECONDS", "before the first further try; then doubled (default: 0.5)"),
    Option(
        "baseline-dir", values.text, "DIR", "the baselines' folder, relative to the root (default: baselines)"
    ),
    Option("baseline-ref", values.text, "BRANCH", "compare with the baselines where this branch left BRANCH"),
    Option(
        "report",
        values.reports,
        "FILE",
        "write a report: FILE.json, FILE.html, FILE.md or FILE.codequality.json (repeatable)",
        repeatable=True,
    ),
    Option(
        "report-text", values.report_text, "WHAT", "text, or id: keep the queries' texts out (default: text)"
    ),
    Option("save-run", values.text, "FILE", "write the rankings as a TREC run, or as JSONL by suffix"),
    Option(
        "run",
        values.when,
        "WHEN",
        "always, or on_request: only for named golden sets and baseline flags (default: always)",
    ),
    Option("kind", values.names, "LIST", "only these kinds", repeatable=True),
    Option("tag", values.names, "LIST", "only queries with one of these tags", repeatable=True),
    Option("split", values.names, "LIST", "only these splits", repeatable=True),
)


# A tuple and no dataclass: quicker to define in every session.
class Settings(NamedTuple):
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

    def baseline_folder(self, root: Path) -> Path:
        """Where all baselines live."""
        folder: str = self.value("baseline-dir", "baselines")
        return root / folder

    @property
    def report_paths(self) -> tuple[Path, ...]:
        """Where reports are written."""
        names: tuple[str, ...] = self.value("report", ())
        return tuple(self.typed_in / name for name in names)

    @property
    def run_path(self) -> Path | None:
        """Where the rankings are written, None for nowhere."""
        name: str = self.value("save-run", "")
        return self.typed_in / name if name else None

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
            compare = values.yes_or_no(written) if written is not None else False
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
