"""Asking: what a retriever is, how it is called, what its answers become."""
