"""All that leans on pytest's private parts, in one place.

Tried on pytest 8.2.0, 8.4.2 and 9.2.0.
"""

from __future__ import annotations

import logging
from typing import Any, cast

import pytest
from _pytest.fixtures import TopRequest


def fixture_definition(node: pytest.Item | pytest.Collector, name: str) -> Any | None:
    """The definition of fixture ``name`` that ``node`` would get, None where there is none."""
    definitions = node.session._fixturemanager.getfixturedefs(name, node)
    return definitions[-1] if definitions else None


class ItemWithFixtures(pytest.Item):
    """An item that is no Python function and may ask for fixtures, as pytest's own doctest items do.

    ``closure`` is :func:`fixture_closure` of the item's file: all items of a file see the same.
    """

    obj = None
    # pytest calls _initrequest where this is unset: before each try, so also before a rerun.
    _request: Any = None

    def __init__(self, *, closure: Any, **rest: Any) -> None:
        super().__init__(**rest)
        self._fixtureinfo = closure
        self.fixturenames = closure.names_closure

    def _initrequest(self) -> None:
        self.funcargs: dict[str, object] = {}
        self._request = TopRequest(cast(Any, self), _ispytest=True)

    def fill_fixtures(self) -> None:
        """Set up the autouse fixtures that the item's file sees."""
        self._request._fillfixtures()

    def fixture_value(self, name: str) -> Any:
        """The value of a fixture; its teardown is pytest's business."""
        return self._request.getfixturevalue(name)


def fixture_closure(node: pytest.Collector) -> Any:
    """The autouse fixtures that the items below ``node`` see, with all that these ask for."""
    return node.session._fixturemanager.getfixtureinfo(node=cast(Any, node), func=None, cls=None)


def log_handlers(config: pytest.Config) -> list[logging.Handler]:
    """What writes log records while tests run: the live log, and the log file."""
    plugin = config.pluginmanager.get_plugin("logging-plugin")
    found = (getattr(plugin, name, None) for name in ("log_cli_handler", "log_file_handler"))
    return [handler for handler in found if isinstance(handler, logging.Handler)]


def ini_value(config: pytest.Config, name: str) -> Any | None:
    """An ini value as it was written: a string, or a native TOML value (pytest 9), or None.

    ``config.getini`` refuses numbers and lists in native TOML and has one type per key.
    """
    for override in reversed(config.getoption("override_ini") or []):
        key, sign, text = override.partition("=")
        if sign and key.strip() == name:
            return text.strip()
    written: Any = config._inicfg if hasattr(config, "_inicfg") else config.inicfg
    value = written.get(name)
    return getattr(value, "value", value)
