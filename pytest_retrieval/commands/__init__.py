"""The commands of `pytest-retrieval`, one per file: they work on files and ask no retriever."""
