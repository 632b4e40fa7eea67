"""The answer key: what a golden set is and how it is read."""
