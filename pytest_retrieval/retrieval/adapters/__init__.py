"""Retrievers that come with the package, one per file, imported only when named."""
