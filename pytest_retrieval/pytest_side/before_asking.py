"""What cannot end well is refused before the first call: UsageError, exit 4."""

from __future__ import annotations

from collections.abc import Collection

import pytest

from pytest_retrieval.pytest_side.asked_in_vain import refuse_idle_filters
from pytest_retrieval.pytest_side.baselines import load_baselines
from pytest_retrieval.pytest_side.golden_run import GoldenRun
from pytest_retrieval.pytest_side.options import SETTINGS
from pytest_retrieval.pytest_side.saved_runs import refuse_own_source


def check_before_asking(runs: Collection[GoldenRun], config: pytest.Config) -> list[str]:
    """Hold what was asked for against what is there, and load what will be compared.

    Returns the target branch's baselines that belong to nothing here.
    """
    settings = config.stash[SETTINGS]
    plans = [run.plan for run in runs]
    whole = config.args_source is not pytest.Config.ArgsSource.ARGS
    refuse_idle_filters(plans, settings, whole=whole)
    if settings.run_path:
        refuse_own_source(settings.run_path, plans)
    return load_baselines(runs, settings, config.rootpath)
