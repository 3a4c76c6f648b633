"""A cache between image builds and the package indexes."""
