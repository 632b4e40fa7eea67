from __future__ import annotations

import os
from pathlib import Path

import pytest

# Libraries that would look for a model, or report their use, find no network here.
os.environ.update(HF_HUB_OFFLINE="1", ANONYMIZED_TELEMETRY="False", HAYSTACK_TELEMETRY_ENABLED="False")
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what stands in this folder; the warnings of the libraries are not ours to answer."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker("adapters")
            item.add_marker(pytest.mark.filterwarnings("ignore"))
