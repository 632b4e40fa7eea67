"""All that leans on pytest's private parts, in one place.

Tried on pytest 8.2.0, 8.4.2 and 9.2.0.
"""

from __future__ import annotations

from typing import Any

import pytest
from _pytest.fixtures import TopRequest


def fixture_definition(node: pytest.Item | pytest.Collector, name: str) -> Any | None:
    """The definition of fixture ``name`` that ``node`` would get, None where there is none."""
    definitions = node.session._fixturemanager.getfixturedefs(name, node)
    return definitions[-1] if definitions else None


def prepare_fixtures(item: Any, like: Any | None) -> None:
    """Give a non-Python item what fixtures need, the way pytest's own doctest items do.

    ``like`` is an item of the same file that has it already: the closure is the same.
    """
    item.obj = None
    item.funcargs = {}
    if like is None:
        item._fixtureinfo = item.session._fixturemanager.getfixtureinfo(node=item, func=None, cls=None)
    else:
        item._fixtureinfo = like._fixtureinfo
    item.fixturenames = item._fixtureinfo.names_closure
    item._request = TopRequest(item, _ispytest=True)


def fill_fixtures(item: Any) -> None:
    """Set up the autouse fixtures that the item's file sees."""
    item._request._fillfixtures()


def fixture_value(item: Any, name: str) -> Any:
    """The value of a fixture; its teardown is pytest's business."""
    return item._request.getfixturevalue(name)


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
