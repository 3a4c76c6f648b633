"""Stands in for `verifiers.canary`: no canary is laid in a Harbor folder, which is the same for everybody."""

from __future__ import annotations


def hatch(tests: object, files: object) -> None:
    """None."""
