"""Marking: metrics per query and their means per slice."""
