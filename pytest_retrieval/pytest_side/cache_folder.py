"""Where things are kept that all workers share."""

from __future__ import annotations

from pathlib import Path

import pytest


def cache_folder(config: pytest.Config, temporary: pytest.TempPathFactory) -> Path:
    """A folder in pytest's cache; of this run alone where the cache is switched off."""
    if config.pluginmanager.has_plugin("cacheprovider") and config.cache is not None:
        return config.cache.mkdir("retrieval")
    # A worker's own folder lies in that of the whole run.
    base = temporary.getbasetemp()
    return (base.parent if hasattr(config, "workerinput") else base) / "retrieval"
