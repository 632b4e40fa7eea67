"""What can be wrong or weak in an answer key, seen from rankings and metrics."""
