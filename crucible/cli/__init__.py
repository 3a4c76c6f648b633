"""The command line: a composition root, which reaches the parts by name."""

from crucible.cli.app import main

__all__ = ["main"]
