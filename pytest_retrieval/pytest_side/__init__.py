"""The pytest side: options, collection, items, and the controller that emits gates."""
