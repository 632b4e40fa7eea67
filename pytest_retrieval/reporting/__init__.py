"""Telling: one result model, several writers."""
