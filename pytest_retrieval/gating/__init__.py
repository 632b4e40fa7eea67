"""Judging: baselines, statistics and verdicts."""
