"""What can be wrong or weak in an answer key, seen from the labels and the documents alone."""
