"""Where things are kept that all workers share."""

from __future__ import annotations

from pathlib import Path

import pytest


def cache_folder(config: pytest.Config, temporary: pytest.TempPathFactory) -> Path:
    """A folder in pytest's cache; of this run alone where the cache is switched off."""
    if config.pluginmanager.has_plugin("cacheprovider") and config.cache is not None:
        try:
            return config.cache.mkdir("retrieval")
        except OSError:
            # pytest 8.2.0 fails where two workers make its folder at once; now it is there.
            return config.cache.mkdir("retrieval")
    # A worker's own folder lies in that of the whole run.
    base = temporary.getbasetemp()
    return (base.parent if hasattr(config, "workerinput") else base) / "retrieval"
