"""Answer keys in the shapes of other tools, one shape a module, read as queries."""
