"""Worlds that tasks run in: one module per kind of world."""
